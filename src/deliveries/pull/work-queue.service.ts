import { Injectable, Logger } from '@nestjs/common';
import type { Permission } from '../../base/rights/permissions.js';
import { Config } from '../../base/config/config.js';
import { Database, type Transaction } from '../../database/database.js';
import { ReadBarrier } from '../../journal/read-barrier.js';
import { TaskEnds, type Verdict } from '../../process/tasks/task-end.js';
import { missingPermission, notFound, tooManyRequests } from '../../base/errors/api-errors.js';
import { isNamed } from '../../resources/names.js';
import { isId } from '../../resources/uri.js';
import type { AuditContext } from '../../security/audit.service.js';
import type { Caller } from '../../security/caller.js';
import { decisionOf } from '../events/confirmations.js';
import { byIndex, deliveryColumns, dueSql, noneLeasedSql } from '../events/due-deliveries.js';
import { reportFailed } from '../events/endpoint-reports.js';
import { endpoints } from '../endpoints/endpoint.resource.js';
import type { LongCall } from './long-call.js';
import { presentEvent, type StoredDelivery, type TaskEvent } from '../events/event.js';
import { reason } from '../../base/errors/reason.js';

/** Polling intervals of a waiting call in milliseconds: short after a change of a task, else long. */
const SOON = 25;
const SELDOM = 500;

/** How long the short interval lasts, in milliseconds, until the change has become a delivery. */
const LIVELY = 200;

/** Most waiting calls of one account in one process. */
const MAX_WAITING = 20;

/** An endpoint of the mode pull. */
export interface Queue {
  id: string;
  reference: string;
  content: string;
  /** Whether workers confirm or refuse decisions. */
  confirms: boolean;
}

/** A delivery that a worker has leased. */
export interface Leased {
  id: string;
  queue: Queue;
  retries: number;
  /** The end of the lease, as a timestamp of the API. */
  leasedUntil: string;
  event: TaskEvent;
  delivery: StoredDelivery;
}

/** What a worker asks for. */
export interface FetchOrder {
  worker: string;
  limit: number;
  /** Seconds, by the id of the queue. */
  leases: Map<string, number>;
  /** Milliseconds. */
  wait: number;
}

/**
 * The queue of deliveries that workers fetch. One worker leases a delivery; when the lease lapses, the server offers it
 * again with one retry less (docs/api-contract.md#fetching-deliveries).
 */
@Injectable()
export class WorkQueue {
  private readonly logger = new Logger(WorkQueue.name);
  private readonly source: string;
  private readonly waiting = new Map<string, number>();
  private lastChange = -Infinity;

  constructor(
    private readonly database: Database,
    private readonly barrier: ReadBarrier,
    private readonly ends: TaskEnds,
    config: Config,
  ) {
    const { PUBLIC_URL: url, BASE_PATH: path } = config.env;
    this.source = `${url?.replace(/\/$/, '') ?? ''}${path}/api/v2`;
    barrier.subscribe({
      changed: (changes) => {
        if (changes.some(({ kind }) => kind === 'tasks')) this.lastChange = performance.now();
      },
      reset: () => (this.lastChange = performance.now()),
    });
  }

  /**
   * The endpoint that a caller empties.
   * @param name its id or its reference
   * @throws ApiError 403 for callers without the permission to work; 404 unless it has the mode
   * pull and belongs to the caller or to no account
   */
  async find(caller: Caller, name: string): Promise<Queue> {
    const isWanted = isId(name) ? 'p.id = $3::text::bigint' : isNamed(endpoints, 'p', '$3::text');
    requireWorker(caller);
    const [row] = await this.database.query<Queue>({
      text: `SELECT id::text, reference, content, confirms FROM endpoints p WHERE ${isWanted} AND ${isFor('$1', '$2')}`,
      values: [caller.rights.permits(FOR_OTHERS), caller.id, name],
    });
    if (!row) throw notFound();
    return row;
  }

  /**
   * Leases deliveries; waits for them when there are none.
   * @param call checks the caller again after each wait: accounts sign out, lose their role, or call from an address
   * that is no longer allowed
   * @throws ApiError 429 when too many calls of the account wait; 401 and 403 when it may no longer fetch
   */
  async fetch(
    caller: Caller,
    queues: Queue[],
    order: FetchOrder,
    { callerAgain, end }: LongCall,
  ): Promise<Leased[]> {
    const deadline = performance.now() + order.wait;
    const first = await this.lease(caller, queues, order);
    if (first.length > 0 || order.wait === 0 || end.aborted) return first;
    const others = this.waiting.get(caller.id) ?? 0;
    if (others >= MAX_WAITING)
      throw tooManyRequests(1, reason('too-many-fetches', { max: MAX_WAITING }));
    this.waiting.set(caller.id, others + 1);
    const stopFollowing = this.barrier.follow(SOON);
    try {
      for (;;) {
        if (!(await this.news(deadline, end))) return [];
        const current = await callerAgain();
        requireWorker(current);
        const leased = await this.lease(current, queues, order);
        if (leased.length > 0) return leased;
      }
    } finally {
      stopFollowing();
      const left = this.waiting.get(caller.id)! - 1;
      if (left === 0) this.waiting.delete(caller.id);
      else this.waiting.set(caller.id, left);
    }
  }

  /**
   * Waits until the next poll.
   * @returns false at the deadline
   */
  private async news(deadline: number, end: AbortSignal): Promise<boolean> {
    const started = performance.now();
    for (;;) {
      const now = performance.now();
      if (end.aborted || now >= deadline) return false;
      if (now - started >= SELDOM) return true;
      if (now - started >= SOON && now - this.lastChange < LIVELY) return true;
      await pause(Math.min(SOON, deadline - now), end);
    }
  }

  /** Leases from one queue after another, each in a transaction of its own. */
  private async lease(caller: Caller, queues: Queue[], order: FetchOrder): Promise<Leased[]> {
    const all: Leased[] = [];
    try {
      for (const queue of queues) {
        const limit = order.limit - all.length;
        if (limit <= 0) break;
        const { leased, hasFailed } = await this.leaseFrom(queue, caller, { ...order, limit });
        all.push(...leased);
        if (hasFailed) await this.reportFailed(queue.id);
      }
    } catch (error) {
      // The worker gets the deliveries that it already holds.
      if (all.length === 0) throw error;
      this.logger.warn(`fetched from some queues only: ${String(error)}`);
    }
    return all;
  }

  private async leaseFrom(
    queue: Queue,
    { id: account, rights }: Caller,
    { worker, limit, leases }: FetchOrder,
  ): Promise<{ leased: Leased[]; hasFailed: boolean }> {
    let hasFailed = false;
    const rows = await byIndex(this.database, async (transaction) => {
      hasFailed = await lapse(transaction, queue.id);
      return transaction.query<StoredDelivery & { leasedUntil: string }>({
        text: LEASE,
        values: [
          queue.id,
          worker,
          leases.get(queue.id),
          limit,
          rights.permits(FOR_OTHERS),
          account,
        ],
      });
    });
    rows.sort((a, b) => Number(BigInt(a.id) - BigInt(b.id)));
    const leased = rows.map(({ leasedUntil, ...delivery }) => ({
      id: delivery.id,
      queue,
      retries: delivery.retries,
      leasedUntil,
      event: presentEvent(delivery, this.source, queue.content),
      delivery,
    }));
    return { leased, hasFailed };
  }

  /**
   * Completes deliveries and confirms their decisions.
   * @returns the ids of those that this worker had leased
   */
  async complete(
    queue: Queue,
    worker: string,
    ids: string[],
    auditContext: AuditContext,
  ): Promise<Set<string>> {
    const changes = `${DONE}, log = ${logged("'completed by ' || d.worker")}`;
    const awaited = new Set(await this.awaited(queue, ids));
    const others = ids.filter((id) => !awaited.has(id));
    const held = [queue.id, worker];
    const done =
      others.length > 0 ? await this.settle(changes, [...held, others]) : new Set<string>();
    const confirmed = await this.settleEach(
      changes,
      held,
      [...awaited],
      { says: 'confirmed' },
      auditContext,
    );
    return new Set([...done, ...confirmed]);
  }

  /** The deliveries among these whose decision a worker confirms or refuses (see `awaitedDecision`). */
  async awaited({ id, confirms }: Queue, ids: string[]): Promise<string[]> {
    const rows = await this.database.rows({
      text: `SELECT id::text FROM deliveries
        WHERE endpoint_id = $1 AND id = ANY ($2::bigint[]) AND coalesce((data->>'confirms')::boolean, $3)`,
      values: [id, ids, confirms],
    });
    return rows.map(([awaited]) => awaited as string);
  }

  /**
   * Refuses the decisions of `awaited` deliveries, which reopens their tasks.
   * @returns the ids of those that this worker had leased
   */
  refuse(
    { id }: Queue,
    worker: string,
    ids: string[],
    reason: string,
    auditContext: AuditContext,
  ): Promise<Set<string>> {
    return this.settleEach(
      `${DONE}, log = ${logged("'refused: ' || $4")}`,
      [id, worker, reason],
      ids,
      { says: 'refused', reason },
      auditContext,
    );
  }

  /**
   * @param retries the remaining retries; null for one less
   * @param delay seconds until the server offers it again
   */
  async fail(
    endpointId: string,
    worker: string,
    ids: string[],
    failure: { retries: number | null; delay: number; message: string | null },
  ): Promise<Set<string>> {
    const left = 'coalesce($4::integer, d.retries - 1)';
    const done = await this.settle(
      `status = CASE WHEN ${left} <= 0 THEN 'failed' ELSE 'waiting' END, retries = greatest(${left}, 0), worker = NULL,
        completion_date = CASE WHEN ${left} <= 0 THEN now() END,
        next_attempt = now() + make_interval(secs => $5::float8), log = ${logged("coalesce($6::text, 'failed at ' || d.worker)")}`,
      [endpointId, worker, ids, failure.retries, failure.delay, failure.message],
    );
    const failed = await this.database.rows({
      text: `SELECT FROM deliveries WHERE endpoint_id = $1 AND id = ANY ($2::bigint[]) AND status = 'failed' LIMIT 1`,
      values: [endpointId, [...done]],
    });
    if (failed.length > 0) await this.reportFailed(endpointId);
    return done;
  }

  /** In a transaction of its own: deliveries are locked after their endpoint, as its deletion does. */
  private reportFailed(endpointId: string): Promise<void> {
    return this.database.transaction((transaction) => reportFailed(transaction, endpointId));
  }

  /** @param lease seconds from now */
  extend(endpointId: string, worker: string, ids: string[], lease: number): Promise<Set<string>> {
    return this.settle('next_attempt = now() + make_interval(secs => $4::float8)', [
      endpointId,
      worker,
      ids,
      lease,
    ]);
  }

  /** Returns deliveries to the queue without a failure. */
  unlock(endpointId: string, worker: string, ids: string[]): Promise<Set<string>> {
    return this.settle(`status = 'waiting', worker = NULL, next_attempt = now()`, [
      endpointId,
      worker,
      ids,
    ]);
  }

  /** The queue and the worker of a leased delivery; undefined for one that is not leased. */
  async holderOf(id: string): Promise<{ endpointId: string; worker: string } | undefined> {
    const [row] = await this.database.query<{ endpointId: string; worker: string }>({
      text: `SELECT endpoint_id::text AS "endpointId", worker FROM deliveries WHERE id = $1 AND status = 'leased'`,
      values: [id],
    });
    return row;
  }

  /** Settles each delivery and its decision in a separate transaction, so that locks on tasks cannot deadlock. */
  private async settleEach(
    changes: string,
    [endpointId, worker, ...more]: string[],
    ids: string[],
    verdict: Verdict,
    auditContext: AuditContext,
  ): Promise<Set<string>> {
    const done = new Set<string>();
    for (const id of new Set(ids))
      await this.database.transaction(async (transaction) => {
        const [delivery] = await transaction.query<StoredDelivery>({
          text: `UPDATE deliveries d SET ${changes} ${HELD} RETURNING ${deliveryColumns('d')}`,
          values: [endpointId, worker, [id], ...more],
        });
        if (!delivery) return;
        const decision = decisionOf(delivery);
        if (decision) await this.ends.settle(transaction, decision, verdict, auditContext);
        done.add(id);
      });
    return done;
  }

  /** A lapsed lease still counts until another worker leases the delivery, because the work is done. */
  private async settle(changes: string, values: unknown[]): Promise<Set<string>> {
    const rows = await this.database.rows({
      text: `UPDATE deliveries d SET ${changes} ${HELD} RETURNING id::text`,
      values,
    });
    return new Set(rows.map(([id]) => id as string));
  }
}

const WORK: Permission = 'endpoints:work';
const FOR_OTHERS: Permission = 'endpoints:work-for-others';

/** @throws ApiError 403 */
function requireWorker({ rights }: Caller): void {
  if (!rights.permits(WORK)) throw missingPermission(WORK);
}

/** SQL of the deliveries that a worker holds. */
const HELD =
  "WHERE d.endpoint_id = $1 AND d.worker = $2 AND d.id = ANY ($3::bigint[]) AND d.status = 'leased'";

const DONE = "status = 'delivered', completion_date = now()";

/** SQL of whether an account may empty the endpoint `p`. */
const isFor = (worksForOthers: string, account: string): string =>
  `p.mode = 'pull' AND (${worksForOthers}::boolean OR p.account_id IS NULL OR p.account_id = ${account}::bigint)`;

/** Checks the endpoint again: while a call waits, an administrator may pause it or give it to another account. */
const LEASE = `
  UPDATE deliveries q SET status = 'leased', worker = $2, attempts = q.attempts + 1,
    next_attempt = now() + make_interval(secs => $3)
  WHERE q.id = ANY (ARRAY(
    SELECT d.id FROM deliveries d WHERE ${dueSql('$1')} AND d.status = 'waiting' AND ${noneLeasedSql}
      AND EXISTS (SELECT FROM endpoints p WHERE p.id = $1 AND p.status = 'active' AND ${isFor('$5', '$6')})
    ORDER BY d.next_attempt, d.id LIMIT $4 FOR UPDATE SKIP LOCKED))
  RETURNING ${deliveryColumns('q')}, q.next_attempt AS "leasedUntil"`;

/** SQL of the log of a delivery with one more entry. */
const logged = (message: string): string =>
  `(CASE WHEN jsonb_array_length(d.log) >= 20 THEN d.log - 0 ELSE d.log END) || jsonb_build_object(
    'date', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'duration', NULL, 'status', NULL, 'message', ${message})`;

/**
 * A lapsed lease costs a retry, so that a delivery which keeps crashing its worker fails in the end.
 * @returns whether a delivery has failed for good
 */
async function lapse(transaction: Transaction, endpointId: string): Promise<boolean> {
  const rows = await transaction.rows({
    text: `UPDATE deliveries d SET retries = retries - 1,
        status = CASE WHEN retries <= 1 THEN 'failed' ELSE 'waiting' END,
        completion_date = CASE WHEN retries <= 1 THEN now() END, worker = NULL,
        log = ${logged("'the lease of ' || d.worker || ' has lapsed'")}
      WHERE endpoint_id = $1 AND status IN ('waiting', 'leased') AND status = 'leased' AND next_attempt <= now()
      RETURNING status`,
    values: [endpointId],
  });
  return rows.some(([status]) => status === 'failed');
}

function pause(milliseconds: number, end: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      end.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    end.addEventListener('abort', finish, { once: true });
  });
}
