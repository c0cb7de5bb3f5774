import { type Component, namedSchema } from '../resources/openapi/component.js';
import { SEARCH_FAILURE } from '../resources/openapi/responses.js';
import { atLeast, listOf, text } from '../resources/openapi/schemas.js';
import { MATCHES } from './match.js';
import type { SearchDescription } from './search-description.js';
import { SEARCHES } from './searches.js';

export const SEARCH_NAME = namedSchema('SearchName', { enum: [...SEARCHES.keys()] });

/** A record of a search, e.g. `UserRecord`. */
const recordSchema = ({ resource, record }: SearchDescription): Component =>
  namedSchema(
    `${resource.schemaName}Record`,
    atLeast(
      Object.fromEntries(Object.entries(record).map(([name, { schema = text }]) => [name, schema])),
    ),
  );

/** A record of any search. */
const RECORD = namedSchema('SearchRecord', { anyOf: [...SEARCHES.values()].map(recordSchema) });

/** The envelope of every answer with the status 200 (docs/api-contract.md#search-envelope). */
export const SEARCH_ENVELOPE = namedSchema('SearchEnvelope', {
  oneOf: [
    atLeast(
      {
        type: { const: 'success' },
        data: listOf(RECORD),
        template: text,
        searchIndexBottom: text,
        searchIndexTop: text,
      },
      ['searchIndexBottom', 'searchIndexTop'],
    ),
    SEARCH_FAILURE,
  ],
});

const SECTION = namedSchema(
  'SearchSection',
  atLeast({
    searchName: SEARCH_NAME,
    match: { enum: [...MATCHES] },
    data: listOf(RECORD),
    searchIndexBottom: text,
    searchIndexTop: text,
  }),
);

/** The envelope of the search over everything (docs/api-contract.md#search-of-everything). */
export const WORKPLACE_SEARCH_ENVELOPE = namedSchema('WorkplaceSearchEnvelope', {
  oneOf: [
    atLeast({
      type: { const: 'success' },
      data: listOf(SECTION),
      template: text,
    }),
    SEARCH_FAILURE,
  ],
});

/** The envelope of suggested names (docs/api-contract.md#suggestions). */
export const SUGGESTIONS_ENVELOPE = namedSchema('SuggestionsEnvelope', {
  oneOf: [
    atLeast({ type: { const: 'success' }, data: listOf(text), template: text }),
    SEARCH_FAILURE,
  ],
});
