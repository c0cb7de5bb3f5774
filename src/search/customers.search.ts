import { customers } from '../content/customer.resource.js';
import { contentSearch } from './content-search.js';
import { indexed, text } from './search-description.js';

export const customersSearch = contentSearch({
  searchName: 'workplace_customers_search',
  index: 'Customers',
  resource: customers,
  pages: 'customers',
  fields: {
    name: indexed('t.name'),
    code: indexed('t.code'),
    taxNumber: indexed('t.tax_number'),
    email: indexed('t.email'),
    phoneNumber: indexed('t.phone_number'),
    address: indexed('t.address'),
    city: indexed('t.city'),
    country: indexed('t.country'),
    webSite: text('t.web_site'),
    contactName: indexed('t.contact_name'),
  },
});
