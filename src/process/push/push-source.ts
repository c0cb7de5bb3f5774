import { Bindings } from '../../database/bindings.js';
import type { Reader, Transaction } from '../../database/database.js';
import { invalidField, missingPermission } from '../../base/errors/api-errors.js';
import { isWithin } from '../../base/rights/permissions.js';
import { isNamed } from '../../resources/names.js';
import { LISTED } from '../../resources/resource.js';
import { idIn, uriOf } from '../../resources/uri.js';
import { sqlViewer } from '../../resources/visibility.js';
import type { Caller } from '../../security/caller.js';
import { sources } from '../tasks/source.resource.js';
import { reason } from '../../base/errors/reason.js';

/** The source that pushes. */
export interface PushSource {
  id: string;
  /** As whom it closes tasks. */
  serviceAccountId: string | null;
  fallbackGroupId: string | null;
  /** Percentage of its open tasks that a snapshot may cancel. */
  brake: number;
}

const PUSH = 'sources:push';

/** The first half of the advisory lock of pushes; the second is of the source. */
const LOCK = 2_026_112_4;

/**
 * Serializes the pushes of one source and keeps the source unchanged meanwhile. The lock on the row is shared with
 * calls that write a single task: they already hold the task for which a push may wait.
 * @throws ApiError 400, 403 as `findSource`
 */
export async function lockSource(
  transaction: Transaction,
  caller: Caller,
  { id }: PushSource,
): Promise<PushSource> {
  await transaction.rows({
    text: 'SELECT pg_advisory_xact_lock($1, hashtext($2))',
    values: [LOCK, id],
  });
  return findSource(transaction, caller, uriOf(sources.ref.uri, id), `FOR SHARE OF ${LISTED}`);
}

/**
 * Finds a source by its reference, URI or id.
 * @throws ApiError 400 when the caller sees no such source
 */
export async function findSource(
  reader: Reader,
  caller: Caller,
  name: string,
  lock = '',
): Promise<PushSource> {
  const { bind, values } = new Bindings();
  const viewer = sqlViewer(caller, bind);
  const isByName = isNamed(sources, LISTED, bind(name));
  const conditions = [
    `(${isByName} OR ${LISTED}.id = ${bind(idIn(name, sources.ref.uri) ?? null)}::bigint)`,
    ...sources.conditionsFor(viewer),
  ];
  const isPusher = [
    String(caller.rights.permits(PUSH)),
    ...(isWithin(caller.limit, PUSH) ? [`${LISTED}.service_account_id = ${bind(caller.id)}`] : []),
    ...sources.within(PUSH, viewer, LISTED),
  ].join(' OR ');
  const [source] = await reader.query<PushSource & { mayPush: boolean | null }>({
    text: `SELECT ${LISTED}.id::text, ${LISTED}.fallback_group_id::text AS "fallbackGroupId",
        ${LISTED}.service_account_id::text AS "serviceAccountId", ${LISTED}.snapshot_brake AS brake,
        (${isPusher}) AS "mayPush"
      FROM sources ${LISTED} WHERE ${conditions.join(' AND ')}
      ORDER BY ${isByName} DESC LIMIT 1 ${lock}`,
    values,
  });
  if (!source)
    throw invalidField('source', reason('unknown-name', { noun: 'source', value: name }));
  if (source.mayPush !== true) throw missingPermission(PUSH);
  return source;
}
