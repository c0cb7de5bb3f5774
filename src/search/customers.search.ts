import { customers } from '../content/customer.resource.js';
import { contentSearch } from './content-search.js';
import { extraText, quickSearchText } from './search-description.js';

export const customersSearch = contentSearch({
  searchName: 'workplace_customers_search',
  index: 'Customers',
  resource: customers,
  pages: 'customers',
  fields: {
    name: quickSearchText('t.name'),
    code: quickSearchText('t.code'),
    taxNumber: quickSearchText('t.tax_number'),
    email: quickSearchText('t.email'),
    phoneNumber: quickSearchText('t.phone_number'),
    address: quickSearchText('t.address'),
    city: quickSearchText('t.city'),
    country: quickSearchText('t.country'),
    webSite: extraText('t.web_site'),
    contactName: quickSearchText('t.contact_name'),
  },
});
