import { namedSchema } from '../openapi/component.js';
import { SEARCH_FAILURE } from '../openapi/responses.js';
import { atLeast, listOf, text } from '../openapi/schemas.js';
import { MATCHES } from './match.js';

/** The envelope of every answer with the status 200 (docs/api-contract.md#search-envelope). */
export const SEARCH_ENVELOPE = namedSchema('SearchEnvelope', {
  oneOf: [
    SEARCH_FAILURE,
    atLeast(
      {
        type: { const: 'success' },
        data: listOf({ type: 'object' }),
        template: text,
        searchIndexBottom: text,
        searchIndexTop: text,
      },
      ['searchIndexBottom', 'searchIndexTop'],
    ),
  ],
});

const SECTION = namedSchema(
  'SearchSection',
  atLeast({
    searchName: text,
    match: { enum: [...MATCHES] },
    data: listOf({ type: 'object' }),
    searchIndexBottom: text,
    searchIndexTop: text,
  }),
);

/** The envelope of the search over everything (docs/api-contract.md#search-of-everything). */
export const WORKPLACE_SEARCH_ENVELOPE = namedSchema('WorkplaceSearchEnvelope', {
  oneOf: [
    SEARCH_FAILURE,
    atLeast({
      type: { const: 'success' },
      data: listOf(SECTION),
      template: text,
    }),
  ],
});
