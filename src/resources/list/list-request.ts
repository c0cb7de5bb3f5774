import type { Request } from 'express';
import { invalid, type InvalidField } from '../../errors/api-errors.js';
import { type QueryParameters, queryOf } from '../../http/query-string.js';
import type { Listable } from './list-attribute.js';
import { type Filter, MAX_FILTERS, parseFilter } from './filters.js';
import { DEFAULT_PAGE_SIZE, parseRange, type Range, RANGE_RULE } from './range.js';
import { parseSorter, type SortKey } from './sorter.js';

/** How values are presented (docs/api-contract.md#responsemode). */
export type ResponseMode = 'machine' | 'user';

/** What a list was asked for, checked (docs/api-contract.md#lists). */
export interface ListRequest {
  range: Range;
  sorter: SortKey[];
  filters: Filter[];
  filterMode: 'and' | 'or';
  responseMode: ResponseMode;
  /** Prefer: count=exact (RFC 7240). */
  exactCount: boolean;
}

/** The first page of a list, for code that lists something itself. */
export const FIRST_PAGE: ListRequest = {
  range: { start: 0, count: DEFAULT_PAGE_SIZE },
  sorter: [],
  filters: [],
  filterMode: 'and',
  responseMode: 'machine',
  exactCount: false,
};

const SCALARS = ['range', 'sorter', 'filterMode', 'responseMode'] as const;
type Scalar = (typeof SCALARS)[number];

/** Parameters that every list knows. */
const LIST_PARAMETERS: readonly string[] = [...SCALARS, 'filters'];

/**
 * Reads range, sorter, filters, filterMode and responseMode together, so that all bad parameters of
 * a request come back at once.
 * @param known further parameters that the route reads itself
 * @throws ApiError 400 with one entry a bad parameter
 */
export function parseListRequest(
  request: Request,
  listable: Listable,
  known: readonly string[] = [],
): ListRequest {
  const query = queryOf(request);
  const bad: InvalidField[] = [];
  const scalar = (name: Scalar): string | undefined => scalarOf(query, name, bad);
  refuseUnknown(query, known, bad);
  const result = {
    range: rangeOf(scalar('range'), bad),
    sorter: sorterOf(scalar('sorter'), listable, bad),
    filters: filtersOf(query.get('filters') ?? [], listable, bad),
    filterMode: choice('filterMode', scalar('filterMode'), ['and', 'or'] as const, bad),
    responseMode: choice('responseMode', scalar('responseMode'), ['machine', 'user'] as const, bad),
    exactCount: prefersExactCount(request.headers.prefer),
  };
  if (bad.length > 0) throw invalid(bad);
  return result;
}

function refuseUnknown(
  query: QueryParameters,
  known: readonly string[],
  bad: InvalidField[],
): void {
  for (const name of query.keys())
    if (!LIST_PARAMETERS.includes(name) && !known.includes(name))
      bad.push({
        name,
        message: `unknown parameter; known: ${[...LIST_PARAMETERS, ...known].join(', ')}`,
      });
}

function scalarOf(query: QueryParameters, name: Scalar, bad: InvalidField[]): string | undefined {
  const values = query.get(name) ?? [];
  if (values.length > 1) bad.push({ name, message: 'given more than once' });
  return values.length === 1 ? values[0] : undefined;
}

function rangeOf(text: string | undefined, bad: InvalidField[]): Range {
  const range = text === undefined ? { start: 0, count: DEFAULT_PAGE_SIZE } : parseRange(text);
  if (!range) bad.push({ name: 'range', message: RANGE_RULE });
  return range ?? { start: 0, count: 1 };
}

function sorterOf(text: string | undefined, listable: Listable, bad: InvalidField[]): SortKey[] {
  const keys = text === undefined ? [] : parseSorter(text, listable);
  if (typeof keys !== 'string') return keys;
  bad.push({ name: 'sorter', message: keys });
  return [];
}

function filtersOf(texts: string[], listable: Listable, bad: InvalidField[]): Filter[] {
  if (texts.length > MAX_FILTERS) {
    bad.push({ name: 'filters', message: `at most ${MAX_FILTERS} filters` });
    return [];
  }
  return texts.flatMap((text) => {
    const filter = parseFilter(text, listable);
    if (typeof filter !== 'string') return [filter];
    bad.push({ name: 'filters', message: filter });
    return [];
  });
}

function choice<const T extends string>(
  name: Scalar,
  text: string | undefined,
  allowed: readonly [T, ...T[]],
  bad: InvalidField[],
): T {
  const found =
    text === undefined ? allowed[0] : allowed.find((value) => value === text.toLowerCase());
  if (found === undefined) bad.push({ name, message: `expected ${allowed.join(' or ')}` });
  return found ?? allowed[0];
}

function prefersExactCount(prefer: string | string[] | undefined): boolean {
  return String(prefer ?? '')
    .split(/[,;]/)
    .some((preference) => /^\s*count\s*=\s*"?exact"?\s*$/i.test(preference));
}
