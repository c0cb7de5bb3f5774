import { namedSchema } from '../resources/openapi/component.js';
import { count, listOf, text } from '../resources/openapi/schemas.js';

const open = { type: 'object', additionalProperties: true };

/** Objects and messages of SCIM, which RFC 7643 describes and `GET /scim/v2/Schemas`. */
export const SCIM_OBJECT = namedSchema('ScimObject', {
  ...open,
  description: 'an object in the form of RFC 7643; GET /scim/v2/Schemas describes it',
  example: { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: 'Sales' },
});

export const SCIM_LIST = namedSchema('ScimList', {
  ...open,
  properties: {
    schemas: listOf(text),
    totalResults: count,
    startIndex: count,
    itemsPerPage: count,
    Resources: listOf(open),
  },
});

/** The parameters of a list. */
export const LIST_PARAMETERS = [
  ['filter', 'a filter (RFC 7644 section 3.4.2.2)'],
  ['sortBy', 'the attribute that orders the list'],
  ['sortOrder', 'ascending or descending'],
  ['startIndex', 'the place of the first object, from 1'],
  ['count', 'the most objects of the page'],
].map(([name, description]) => ({ name, in: 'query', description, schema: text }));

/** The parameters that choose attributes. */
export const SHOWN_PARAMETERS = [
  ['attributes', 'the attributes to show, separated by commas'],
  ['excludedAttributes', 'the attributes to leave out'],
].map(([name, description]) => ({ name, in: 'query', description, schema: text }));
