import { text } from '../resources/attributes/attributes.js';
import { ngramsOf } from '../resources/attributes/folded-text.js';
import { AS_EMAIL } from '../resources/name-rule.js';
import { validateWebAddress } from '../resources/attributes/web-address.js';
import { contentResource } from './content-resource.js';
import { Customer } from './customer.entity.js';

const searched = { searched: true };

/** The texts of the second n-gram index (migrations/1795400006000-create-content.ts). */
const ngrams = ngramsOf(['reference', 'web_site']);

export const customers = contentResource({
  name: 'customers',
  uri: '/content/customers',
  singular: 'customer',
  entity: Customer,
  labelColumn: 'name',
  referenceNgrams: ngrams,
  attributes: {
    name: text({ required: true, max: 200, ...searched }),
    code: text({ max: 50, ...searched }),
    taxNumber: text({ max: 50, ...searched }),
    email: text({ max: 254, identity: AS_EMAIL, ...searched }),
    phoneNumber: text({ max: 50, ...searched }),
    address: text({ max: 300, ...searched }),
    city: text({ max: 100, ...searched }),
    country: text({ max: 100, ...searched }),
    webSite: text({ max: 300, fault: validateWebAddress, ngrams }),
    contactName: text({ max: 150, ...searched }),
  },
});
