import type { IncomingMessage } from 'node:http';
import { invalid, type InvalidField } from '../base/errors/api-errors.js';
import { stateOf } from './request-state.js';
import { strictUtf8 } from './strict-utf8.js';
import { tokensInHeaders } from './token-headers.js';
import { type Reason, reason } from '../base/errors/reason.js';

/** Most query parameters of one request; more give 400, because a dropped filter would widen the result. */
const MAX_PARAMETERS = 64;

/** Longest value of a query parameter in characters. */
const MAX_VALUE = 2048;

/** The parameter that carries a token (docs/api-contract.md#tokens). */
export const TOKEN_PARAMETER = '_AuthenticationKey';

/** A parameter that makes every URL unique, so that no cache answers. */
const CACHE_BUSTER = '_';

/** The names that PHP and axios give to the items of the only array, the filters. */
const ITEM_OF_FILTERS = /^filters\[\d*\]$/;

/** Query parameters in the order of their first appearance, each with all its values. */
export type QueryParameters = Map<string, string[]>;

/**
 * The query parameters of a call of the main API, parsed once. It repairs nothing, unlike the framework's own parser,
 * which loses parameters after the 1,000th and turns bad UTF-8 into U+FFFD. Only parameters that clients add to every
 * call are dropped: a cache buster, and a token that is blank or that a header overrides.
 * @throws ApiError 400 naming every unreadable parameter
 */
export function queryOf(request: IncomingMessage): QueryParameters {
  const state = stateOf(request);
  if (!state.query) {
    const hasToken = tokensInHeaders(request).length > 0;
    const isRead = (name: string | undefined): boolean =>
      name !== CACHE_BUSTER && !(hasToken && name === TOKEN_PARAMETER);
    const query = parseQueryString(rawQuery(request.url ?? ''), { isRead });
    if (query.get(TOKEN_PARAMETER)?.every((value) => value.trim() === ''))
      query.delete(TOKEN_PARAMETER);
    state.query = query;
  }
  return state.query;
}

/**
 * The named query parameters of a call of navigation or search. It ignores all others, whatever their value, because
 * portals add their own parameters.
 * @param latin1 the names whose value may also be in Latin-1
 * @throws ApiError 400 naming every unreadable parameter among these
 */
export const portalQueryOf = (
  request: IncomingMessage,
  names: readonly string[],
  latin1: readonly string[] = [],
): QueryParameters =>
  parseQueryString(rawQuery(request.url ?? ''), {
    isRead: (name) => name !== undefined && names.includes(name),
    latin1,
  });

/** The faults of the names of parameters: unknown ones, and those with two different values. */
export function parameterFaults(
  query: QueryParameters,
  known: readonly string[],
  repeatable: readonly string[] = [],
): InvalidField[] {
  const unknown =
    known.length === 0 ? reason('no-parameters') : reason('unknown-parameter', { known });
  return [...query].flatMap(([name, values]) => {
    if (!known.includes(name)) return [{ name, reason: unknown }];
    return new Set(values).size > 1 && !repeatable.includes(name)
      ? [{ name, reason: reason('given-twice') }]
      : [];
  });
}

/** The value of a parameter; undefined for one that is missing, or has two different values and so is a fault. */
export function singleValue(query: QueryParameters, name: string): string | undefined {
  const [value, ...others] = new Set(query.get(name));
  return others.length === 0 ? value : undefined;
}

/** The part of a request target after its first question mark. */
export function rawQuery(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}

interface QuerySyntax {
  /** Whether a parameter counts; undefined means an unreadable name. */
  isRead?: (name: string | undefined) => boolean;
  /** Parameters whose value is read as Latin-1 when it is not UTF-8. */
  latin1?: readonly string[];
}

/**
 * Parses `a=1&b=2`. A plus sign stands for a blank, as the portals' forms send it.
 * @throws ApiError 400 for bad percent-encoding or UTF-8, NUL, more than 64 parameters, long values
 */
export function parseQueryString(
  raw: string,
  { isRead = () => true, latin1 = [] }: QuerySyntax = {},
): QueryParameters {
  const query: QueryParameters = new Map();
  const bad: InvalidField[] = [];
  const nameOf = (pair: string): string | undefined =>
    decode(pair.split('=', 1)[0]!)?.replace(ITEM_OF_FILTERS, 'filters');
  const pairs = raw.split('&').filter((pair) => pair !== '' && isRead(nameOf(pair)));
  if (pairs.length > MAX_PARAMETERS)
    throw invalid([
      { name: 'query', reason: reason('too-many-parameters', { max: MAX_PARAMETERS }) },
    ]);
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    const name = nameOf(pair);
    if (name === undefined) {
      bad.push({ name: 'query', reason: reason('bad-parameter-name') });
      continue;
    }
    const written = equals < 0 ? '' : pair.slice(equals + 1);
    const value = decode(written, latin1.includes(name));
    const fault = faultOf(value);
    if (value === undefined || fault !== undefined) bad.push({ name, reason: fault! });
    else query.set(name, [...(query.get(name) ?? []), value]);
  }
  if (bad.length > 0) throw invalid(bad);
  return query;
}

function faultOf(value: string | undefined): Reason | undefined {
  if (value === undefined) return reason('bad-percent-encoding');
  if (value.includes('\0')) return reason('nul-character');
  return value.length > MAX_VALUE ? reason('too-many-characters', { max: MAX_VALUE }) : undefined;
}

const utf8 = strictUtf8({ keepsMark: true });

function decode(text: string, latin1 = false): string | undefined {
  const blanked = text.replaceAll('+', ' ');
  if (!/[%\u0080-\uffff]/.test(blanked)) return blanked;
  if (/%(?![0-9a-fA-F]{2})/.test(blanked)) return undefined;
  const bytes = Buffer.from(
    blanked.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(parseInt(hex, 16)),
    ),
    // Node delivers request targets as Latin-1, one character per byte.
    'latin1',
  );
  try {
    return utf8.decode(bytes);
  } catch {
    return latin1 ? bytes.toString('latin1') : undefined;
  }
}

/**
 * The value of a parameter that is required, with one value that is not empty.
 * @throws ApiError 400 naming the parameter
 */
export function requiredParameter(request: IncomingMessage, name: string): string {
  const [value, ...others] = new Set(portalQueryOf(request, [name]).get(name));
  if (others.length > 0) throw invalid([{ name, reason: reason('given-twice') }]);
  if (!value) throw invalid([{ name, reason: reason('required') }]);
  return value;
}
