import { customers } from '../content/customer.resource.js';
import { contentSearch } from './content-search.js';
import { other, quick } from './search-description.js';
export const customersSearch = contentSearch({
    searchName: 'workplace_customers_search',
    index: 'Customers',
    resource: customers,
    pages: 'customers',
    fields: {
        name: quick('t.name'),
        code: quick('t.code'),
        taxNumber: quick('t.tax_number'),
        email: quick('t.email'),
        phoneNumber: quick('t.phone_number'),
        address: quick('t.address'),
        city: quick('t.city'),
        country: quick('t.country'),
        webSite: other('t.web_site'),
        contactName: quick('t.contact_name'),
    },
});
//# sourceMappingURL=customers.search.js.map