import type { Request } from 'express';
import { invalid } from '../../base/errors/api-errors.js';
import { parameterFaults, queryOf, singleValue } from '../../http/query-string.js';
import { reason } from '../../base/errors/reason.js';

/** The options of a push. */
const PUSH_PARAMETERS = ['source', 'allOrNone', 'dryRun', 'snapshot', 'force'];

/** Most tasks of one call (docs/api-contract.md#pushing-tasks). */
export const MAX_ITEMS = 1_000;

/** How a source pushes its tasks (docs/api-contract.md#pushing-tasks). */
export interface PushRequest {
  /** The reference, URI or id of the source. */
  source: string;
  /** Stores all tasks or none. */
  allOrNone: boolean;
  /** Answers what the push would do, and does nothing. */
  dryRun: boolean;
  /** The items are all open tasks of the source: the server cancels the others. */
  snapshot: boolean;
  /** Lets a snapshot cancel more tasks than the source allows. */
  force: boolean;
  items: unknown[];
  /** More items follow in another part, so the snapshot cancels nothing yet. */
  isPart: boolean;
}

/**
 * @param isStream whether the body is NDJSON
 * @throws ApiError 400 naming every bad parameter, or the body
 */
export function parsePushRequest(request: Request, body: unknown, isStream: boolean): PushRequest {
  const query = queryOf(request);
  const bad = parameterFaults(query, PUSH_PARAMETERS);
  const flag = (name: string): boolean => {
    const value = singleValue(query, name) ?? 'false';
    if (value !== 'true' && value !== 'false') bad.push({ name, reason: reason('not-a-boolean') });
    return value === 'true';
  };
  const source = query.get('source')?.[0] ?? '';
  if (source === '') bad.push({ name: 'source', reason: reason('required') });
  const flags = {
    allOrNone: flag('allOrNone'),
    dryRun: flag('dryRun'),
    snapshot: flag('snapshot'),
    force: flag('force'),
  };
  if (isStream && flags.allOrNone)
    bad.push({
      name: 'allOrNone',
      reason: reason('not-with-ndjson'),
    });
  if (!isStream && (!Array.isArray(body) || body.length > MAX_ITEMS))
    bad.push({ name: 'body', reason: reason('too-many-items', { max: MAX_ITEMS, noun: 'tasks' }) });
  if (bad.length > 0) throw invalid(bad);
  return { source, ...flags, items: isStream ? [] : (body as unknown[]), isPart: isStream };
}
