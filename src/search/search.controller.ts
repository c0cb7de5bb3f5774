import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { queryParameter } from '../resources/openapi/parameters.js';
import { SEARCH_ENVELOPE, SEARCH_NAME } from './search.schemas.js';
import { invalid, type InvalidField } from '../base/errors/api-errors.js';
import { AnyParameters } from '../http/request-format.guard.js';
import { portalQueryOf, type QueryParameters } from '../http/query-string.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { markersOf, parseCursor, type Cursor } from './cursor.js';
import type { SearchDescription } from './search-description.js';
import { searchableFields, SearchEngine, type SearchRecord } from './search-engine.js';
import { SEARCHES } from './searches.js';
import { MAX_QUERY, termsOf } from './search-text.js';
import type { Search } from './search-statements.js';
import { type Reason, reason } from '../base/errors/reason.js';

/** The parameters of a search. It ignores all others. */
const PARAMETERS = ['query', 'searchName', 'searchField', 'searchIndexBottom', 'searchIndexTop'];

/** Older portals send these in Latin-1, the ¤ of the markers too (docs/api-contract.md#markers). */
const LATIN1_PARAMETERS = ['query', 'searchIndexBottom', 'searchIndexTop'];

/** A success (docs/api-contract.md#search-envelope); `sendError` makes the envelope of an error. */
interface Envelope {
  type: 'success';
  data: SearchRecord[];
  template: '';
  searchIndexBottom?: string;
  searchIndexTop?: string;
}

/** Runs a named search (docs/api-contract.md#search). */
@Controller('navigation/search/workplace')
export class SearchController {
  constructor(private readonly engine: SearchEngine) {}

  @ApiOperation({
    operationId: 'search',
    tag: 'Search',
    summary: 'Run a named search; a page has up to 20 records',
    parameters: [
      queryParameter('query', 'the search text; empty or * finds everything', {
        required: true,
        example: 'martin',
      }),
      queryParameter('searchName', 'name of the search', {
        required: true,
        schema: SEARCH_NAME,
        example: 'workplace_searchUsers',
      }),
      queryParameter('searchField', 'quickSearch or a stored text of the record', {
        required: true,
        example: 'quickSearch',
      }),
      queryParameter('searchIndexBottom', 'marker of a previous call'),
      queryParameter('searchIndexTop', 'marker of a previous call'),
    ],
    answer: SEARCH_ENVELOPE,
  })
  @Get()
  @AnyParameters()
  async search(@Req() request: Request, @CurrentCaller() caller: Caller): Promise<Envelope> {
    const search = parseSearch(portalQueryOf(request, PARAMETERS, LATIN1_PARAMETERS));
    const { records, places } = await this.engine.find(search, caller);
    return {
      type: 'success',
      data: records,
      template: '',
      ...markersOf(search.description.index, places),
    };
  }
}

/**
 * Reads the parameters of a search.
 * @throws ApiError naming every bad one; on this path it becomes an error envelope
 */
function parseSearch(query: QueryParameters): Search {
  const bad: InvalidField[] = [];
  const refuse = (name: string, why: Reason): undefined => void bad.push({ name, reason: why });
  const single = (name: string): string | undefined => {
    const [value, ...others] = new Set(query.get(name));
    return others.length > 0 ? refuse(name, reason('given-twice')) : value;
  };
  const required = (name: string): string | undefined =>
    query.has(name) ? single(name) : refuse(name, reason('required'));
  const text = required('query');
  const name = required('searchName');
  const field = required('searchField');
  if (text !== undefined && [...text].length > MAX_QUERY)
    refuse('query', reason('too-many-characters', { max: MAX_QUERY }));
  const description = name === undefined ? undefined : SEARCHES.get(name);
  if (name !== undefined && !description)
    refuse('searchName', reason('unknown-search', { known: [...SEARCHES.keys()] }));
  if (description && field !== undefined && !searchableFields(description).includes(field))
    refuse('searchField', reason('unknown-search-field', { known: searchableFields(description) }));
  const after = description && placeOf(description, single, refuse);
  if (bad.length > 0 || text === undefined || !description || field === undefined)
    throw invalid(bad);
  return { description, terms: termsOf(text), field, after };
}

/**
 * A further page needs searchIndexTop; searchIndexBottom is optional and useless alone. Portals send blank markers
 * before they have any, so a blank one counts as missing.
 */
function placeOf(
  { index }: SearchDescription,
  single: (name: string) => string | undefined,
  refuse: (name: string, why: Reason) => undefined,
): Cursor | undefined {
  const bottom = single('searchIndexBottom')?.trim() || undefined;
  const top = single('searchIndexTop')?.trim() || undefined;
  const read = (name: string, marker: string): Cursor | undefined =>
    parseCursor(index, marker) ?? refuse(name, reason('bad-marker', { name: index }));
  if (bottom !== undefined) read('searchIndexBottom', bottom);
  if (top === undefined)
    return bottom === undefined ? undefined : refuse('searchIndexTop', reason('missing-marker'));
  return read('searchIndexTop', top);
}
