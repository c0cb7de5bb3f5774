import type { Request } from 'express';
import { invalid } from '../base/errors/api-errors.js';
import { parameterFaults, queryOf, singleValue } from '../http/query-string.js';
import type { Resource } from '../resources/resource.js';
import type { Caller } from '../security/caller.js';
import type { Cursor } from './cursor.js';
import type { CursorsService } from './cursors.service.js';
import { KINDS } from './kinds.js';
import { type Reason, reason } from '../base/errors/reason.js';

/** The parameters of the feed. */
const PARAMETERS = ['kinds', 'after', 'limit', 'wait'];

/** The number of objects of a page (docs/api-contract.md#changes). */
export const DEFAULT_LIMIT = 100;
export const MAX_LIMIT = 1_000;

/** The longest wait in seconds. */
export const MAX_WAIT = 60;

/** The parsed parameters of the feed. */
export interface FeedRequest {
  kinds: Resource[];
  cursor: Cursor | undefined;
  /** Undefined for a request without one. */
  limit: number | undefined;
  /** In seconds. */
  wait: number;
}

/**
 * Reads the parameters of the feed.
 * @throws ApiError 400 naming every bad one; 410 for a cursor of another database
 */
export async function parseFeedRequest(
  request: Request,
  caller: Caller,
  cursors: CursorsService,
): Promise<FeedRequest> {
  const query = queryOf(request);
  const bad = parameterFaults(query, PARAMETERS);
  const refuse = (name: string, why: Reason): undefined => void bad.push({ name, reason: why });
  const single = (name: string): string | undefined => singleValue(query, name);
  const kinds = kindsOf(single('kinds'), query.has('kinds'), refuse);
  const after = single('after');
  const limit = numberOf('limit', single('limit'), [1, MAX_LIMIT], refuse);
  const wait = numberOf('wait', single('wait'), [0, MAX_WAIT], refuse) ?? 0;
  const cursor =
    after === undefined
      ? undefined
      : await cursors.read(after).catch((error: unknown) => {
          // An invalid request gets 400 before 410.
          throw bad.length > 0 ? invalid(bad) : error;
        });
  if (after !== undefined) checkCursor(cursor, caller, kinds, refuse);
  if (bad.length > 0)
    throw invalid(bad.sort((a, b) => PARAMETERS.indexOf(a.name) - PARAMETERS.indexOf(b.name)));
  return { kinds, cursor, limit, wait };
}

type Refuse = (name: string, why: Reason) => undefined;

/** The kinds in the order of `KINDS`, so that a cursor fits them in any order. */
function kindsOf(text: string | undefined, isGiven: boolean, refuse: Refuse): Resource[] {
  if (!isGiven || text === '') refuse('kinds', reason('required'));
  if (text === undefined || text === '') return [];
  const names = text.split(',');
  const unknown = names.filter((name) => KINDS.every((resource) => resource.name !== name));
  const known = KINDS.map(({ name }) => name).join(', ');
  if (unknown.length > 0) refuse('kinds', reason('unknown-kind', { kinds: unknown, known }));
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) refuse('kinds', reason('repeated-kind', { kind: twice }));
  return KINDS.filter(({ name }) => names.includes(name));
}

function numberOf(
  name: string,
  text: string | undefined,
  [least, most]: [number, number],
  refuse: Refuse,
): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,4}$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  return refuse(name, reason('out-of-range', { least, most }));
}

/** @param kinds empty when they were invalid, which is then the only fault */
function checkCursor(
  cursor: Cursor | undefined,
  caller: Caller,
  kinds: Resource[],
  refuse: Refuse,
): void {
  if (!cursor) return refuse('after', reason('bad-cursor'));
  if (cursor.caller !== caller.id) return refuse('after', reason('cursor-of-another-caller'));
  const names = cursor.kinds.map((index) => KINDS[index]?.name);
  if (kinds.length > 0 && names.join() !== kinds.map(({ name }) => name).join())
    refuse('after', reason('cursor-of-other-kinds', { kinds: names.join(',') }));
}
