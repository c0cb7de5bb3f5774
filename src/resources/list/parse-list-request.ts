import type { IncomingMessage } from 'node:http';
import type { InvalidField } from '../../base/errors/api-errors.js';
import { prefers } from '../../http/preferences.js';
import { parameterFaults, queryOf, singleValue } from '../../http/query-string.js';
import type { ResponseMode } from '../resource.js';
import { type FilterMode, type FilterTerm, MAX_FILTERS, parseFilter } from './filters.js';
import { DEFAULT_PAGE_SIZE, parseRange, type Range, RANGE_RULE } from './range.js';
import { DEFAULT_SORTER, parseSorter, type SortTerm } from './sorter.js';
import { reason } from '../../base/errors/reason.js';

/** The parsed parameters of a list; its attributes are not resolved yet (docs/api-contract.md#lists). */
export interface ListRequest {
  range: Range;
  sorter: SortTerm[];
  filters: FilterTerm[];
  filterMode: FilterMode;
  responseMode: ResponseMode;
  /** Prefer: count=exact (RFC 7240). */
  exactCount: boolean;
}

/** The first page of a list without filters, for lists that no request describes. */
export const FIRST_PAGE: ListRequest = {
  range: { start: 0, count: DEFAULT_PAGE_SIZE },
  sorter: DEFAULT_SORTER,
  filters: [],
  filterMode: 'and',
  responseMode: 'machine',
  exactCount: false,
};

const SCALARS = ['range', 'sorter', 'filterMode', 'responseMode'] as const;
type Scalar = (typeof SCALARS)[number];

/** The query parameters of every list. */
const LIST_PARAMETERS: readonly string[] = [...SCALARS, 'filters'];

/**
 * Step 1 of a list: parses its parameters.
 * @param bad gets an entry for each bad parameter
 */
export function parseListRequest(
  request: Pick<IncomingMessage, 'url' | 'headers'> & Parameters<typeof queryOf>[0],
  bad: InvalidField[],
): ListRequest {
  const query = queryOf(request);
  bad.push(...parameterFaults(query, LIST_PARAMETERS, ['filters']));
  const scalar = (name: Scalar): string | undefined => singleValue(query, name);
  const sorter = scalar('sorter');
  return {
    range: rangeOf(scalar('range'), bad),
    sorter: sorter === undefined ? DEFAULT_SORTER : parseSorter(sorter),
    filters: filtersOf(query.get('filters') ?? [], bad),
    filterMode: choice('filterMode', scalar('filterMode'), ['and', 'or'] as const, bad),
    responseMode: choice('responseMode', scalar('responseMode'), ['machine', 'user'] as const, bad),
    exactCount: prefers(request.headers.prefer, 'count=exact'),
  };
}

/** The range of a request; `bad` gets an entry for an invalid one. */
export function rangeOf(text: string | undefined, bad: InvalidField[]): Range {
  const range = text === undefined ? { start: 0, count: DEFAULT_PAGE_SIZE } : parseRange(text);
  if (!range) bad.push({ name: 'range', reason: RANGE_RULE });
  return range ?? { start: 0, count: 1 };
}

function filtersOf(texts: string[], bad: InvalidField[]): FilterTerm[] {
  if (texts.length <= MAX_FILTERS) return texts.map(parseFilter);
  bad.push({ name: 'filters', reason: reason('too-many-filters', { max: MAX_FILTERS }) });
  return [];
}

function choice<const T extends string>(
  name: Scalar,
  text: string | undefined,
  allowed: readonly [T, ...T[]],
  bad: InvalidField[],
): T {
  const found =
    text === undefined ? allowed[0] : allowed.find((value) => value === text.toLowerCase());
  if (found === undefined) bad.push({ name, reason: reason('not-one-of', { choices: allowed }) });
  return found ?? allowed[0];
}
