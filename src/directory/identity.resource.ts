import { text, timestamp } from '../resources/attributes/attributes.js';
import { AS_IS } from '../resources/name-rule.js';
import { resource } from '../resources/resource.js';

const always = { readOnly: true, neverEmpty: true };

/** The identities of a user at the identity provider, by which they sign in. */
export const identities = resource({
  name: 'identities',
  schemaName: 'Identity',
  uri: '/directory/identities',
  withoutUri: true,
  labelColumn: 'subject',
  attributes: {
    issuer: text({ ...always, identity: AS_IS }),
    subject: text({ ...always, identity: AS_IS }),
    creationDate: timestamp(always),
  },
});
