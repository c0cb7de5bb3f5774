import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../database/database.js';
import {
  type InvalidField,
  type PresentedField,
  presentField,
} from '../../base/errors/api-errors.js';
import { uriOf } from '../../resources/uri.js';
import {
  type AuditContext,
  type AuditLine,
  recordAuditLines,
} from '../../security/audit.service.js';
import type { Caller } from '../../security/caller.js';
import { OPEN, tasks } from '../tasks/task.resource.js';
import { KnownNames, WantedNames } from './known-names.js';
import {
  digestOf,
  linksIn,
  type ParsedItem,
  parseItem,
  type PushItem,
  readItem,
} from './push-item.js';
import type { PushRequest } from './push-request.js';
import { findSource, lockSource, type PushSource } from './push-source.js';
import { Snapshot } from './snapshot.js';
import {
  type Columns,
  insertTasks,
  type KnownTask,
  lockTasks,
  readTasks,
  storeCandidates,
  storeUnknown,
  type StoredTask,
  updateTasks,
} from './store-items.js';
import { cancelTasks, endOfPush, isDecided } from '../tasks/task-end.js';
import { reason } from '../../base/errors/reason.js';

/** What became of one task (docs/api-contract.md#pushing-tasks). */
export interface PushResult {
  externalId: string | null;
  result: 'created' | 'updated' | 'unchanged' | 'stale' | 'refused';
  /** Null where there is no such task. */
  uri: string | null;
  fields: PresentedField[];
  /** Names of people and groups whom the server does not know, or who cannot sign in. */
  unknown: string[];
  /** Those of them that name a user who cannot sign in. */
  inactive: string[];
  /** The attributes of the item that the server ignores, because a person has closed the task. */
  ignored: string[];
}

/** The answer to a push. */
export interface Pushed extends Record<PushResult['result'] | 'cancelled', number> {
  stored: boolean;
  unknown: string[];
  inactive: string[];
  results: PushResult[];
}

/** Who pushes for which source. */
interface Pusher {
  source: PushSource;
  auditContext: AuditContext;
  /** The account that closes tasks for the source, even when an administrator pushes. */
  closerId: string;
}

const pusherOf = (source: PushSource, caller: Caller, auditContext: AuditContext): Pusher => ({
  source,
  auditContext,
  closerId: source.serviceAccountId ?? caller.id,
});

/** Rolls back a transaction that must store nothing, and carries its findings. */
class NotStored extends Error {
  constructor(
    readonly results: PushResult[],
    readonly cancelled: number,
  ) {
    super('not stored');
  }
}

/**
 * Stores the tasks that a source pushes, found by their external ids (docs/decisions/0037). Each statement works on all
 * tasks of a call, and a task that the source has not changed costs no write.
 */
@Injectable()
export class TaskPush {
  constructor(private readonly database: Database) {}

  /** Whether the caller may push tasks of any source; `push` asks whether of this one. */
  async mayPush(caller: Caller): Promise<boolean> {
    if (caller.rights.permitsSomewhere('sources:push')) return true;
    const own = await this.database.rows({
      text: 'SELECT 1 FROM sources WHERE service_account_id = $1 LIMIT 1',
      values: [caller.id],
    });
    return own.length > 0;
  }

  /** @throws ApiError 400, 403; 409 when a snapshot would cancel too many tasks */
  async push(caller: Caller, auditContext: AuditContext, request: PushRequest): Promise<Pushed> {
    const source = await findSource(this.database, caller, request.source);
    const results: PushResult[] = [];
    const items = readItems(request.items, results);
    // A snapshot reopens tasks cancelled in the meantime, so it reads under the lock.
    const changed = request.snapshot
      ? items
      : await this.withoutUnchanged(source.id, items, results);
    if (changed.size === 0 && (request.isPart || !request.snapshot))
      return summary(!storesNothing(request, results), results, 0);
    const snapshot =
      request.snapshot && !request.isPart
        ? await Snapshot.begin(this.database, source.id)
        : undefined;
    try {
      const stored = await this.database.transaction(async (transaction) => {
        const pusher = pusherOf(
          await lockSource(transaction, caller, source),
          caller,
          auditContext,
        );
        return store(transaction, pusher, request, changed, results.slice(), snapshot);
      });
      return summary(true, stored.results, stored.cancelled);
    } catch (error) {
      if (!(error instanceof NotStored)) throw error;
      return summary(false, error.results, error.cancelled);
    }
  }

  /**
   * Begins a snapshot in parts.
   * @throws ApiError 400, 403; 409 when the source has too many open tasks
   */
  async beginSnapshot(caller: Caller, request: PushRequest): Promise<Snapshot> {
    const { id } = await findSource(this.database, caller, request.source);
    return Snapshot.begin(this.database, id);
  }

  /**
   * Cancels the tasks that a snapshot in parts does not contain.
   * @returns how many; with `dryRun` how many it would be
   * @throws ApiError 400, 403; 409 when these are too many
   */
  async finishSnapshot(
    caller: Caller,
    auditContext: AuditContext,
    request: PushRequest,
    snapshot: Snapshot,
  ): Promise<number> {
    const source = await findSource(this.database, caller, request.source);
    try {
      return await this.database.transaction(async (transaction) => {
        const pusher = pusherOf(
          await lockSource(transaction, caller, source),
          caller,
          auditContext,
        );
        const cancelled = await cancelMissing(transaction, pusher, request, snapshot);
        if (request.dryRun) throw new NotStored([], cancelled);
        return cancelled;
      });
    } catch (error) {
      if (!(error instanceof NotStored)) throw error;
      return error.cancelled;
    }
  }

  /** Answers most pushes with one statement and without a lock. */
  private async withoutUnchanged(
    sourceId: string,
    items: Items,
    results: PushResult[],
  ): Promise<Items> {
    const externalIds = [...items.values()].map(({ externalId }) => externalId);
    const [found] = await Promise.all([
      this.database.query<KnownTask>(readTasks(sourceId, externalIds)),
      inSlices([...items.values()], digestOf),
    ]);
    const stored = byExternalId(found);
    const rest: Items = new Map();
    for (const [place, item] of items)
      if (!settle(place, item, stored.get(item.externalId), [digestOf(item)], results))
        rest.set(place, item);
    return rest;
  }
}

/** Items by their index in the request. */
type Items = Map<number, PushItem>;

function readItems(given: unknown[], results: PushResult[]): Items {
  const items: Items = new Map();
  const seen = new Set<string>();
  given.forEach((value, place) => {
    const item = readItem(value);
    if (Array.isArray(item)) return refuse(results, place, null, item);
    if (seen.has(item.externalId))
      return refuse(results, place, item.externalId, [
        { name: 'externalId', reason: reason('repeated-item') },
      ]);
    seen.add(item.externalId);
    items.set(place, item);
  });
  return items;
}

const byExternalId = <T extends KnownTask>(stored: T[]): Map<string, T> =>
  new Map(stored.map((task) => [task.externalId, task]));

const uriOfTask = (id: string): string => uriOf(tasks.ref.uri, id);

function refuse(
  results: PushResult[],
  place: number,
  externalId: string | null,
  fields: InvalidField[],
  uri: string | null = null,
): void {
  results[place] = {
    externalId,
    result: 'refused',
    uri,
    fields: fields.map(presentField),
    unknown: [],
    inactive: [],
    ignored: [],
  };
}

const isStale = ({ sourceVersion }: PushItem, task: KnownTask): boolean =>
  sourceVersion !== undefined &&
  task.sourceVersion !== null &&
  sourceVersion < Number(task.sourceVersion);

/** The results of items that need no further work: those the source repeats unchanged, and outdated ones. */
function settle(
  place: number,
  item: PushItem,
  task: KnownTask | undefined,
  digests: string[],
  results: PushResult[],
): boolean {
  if (!task) return false;
  const stale = isStale(item, task);
  if (!stale && !digests.some((digest) => digest === task.digest)) return false;
  results[place] = {
    externalId: item.externalId,
    result: stale ? 'stale' : 'unchanged',
    uri: uriOfTask(task.id),
    fields: [],
    unknown: [],
    inactive: [],
    ignored: [],
  };
  return true;
}

/** Stores the remaining items; throws `NotStored` at the end where nothing may be stored. */
async function store(
  transaction: Transaction,
  pusher: Pusher,
  request: PushRequest,
  items: Items,
  results: PushResult[],
  snapshot: Snapshot | undefined,
): Promise<{ results: PushResult[]; cancelled: number }> {
  const { source, closerId } = pusher;
  const externalIds = [...items.values()].map(({ externalId }) => externalId);
  const stored = byExternalId(await lockTasks(transaction, source.id, externalIds));
  const known = await learnNames(transaction, source, items);
  const context = { known, source, closerId, request, results };
  await inParts(
    [...items],
    ([place, item]) => writeOf(place, item, stored.get(item.externalId), context),
    (writes) => write(transaction, pusher, writes, results),
  );
  snapshot?.add(results);
  const cancelled = snapshot ? await cancelMissing(transaction, pusher, request, snapshot) : 0;
  if (storesNothing(request, results)) throw new NotStored(hideNew(results), cancelled);
  return { results, cancelled };
}

const storesNothing = ({ dryRun, allOrNone }: PushRequest, results: PushResult[]): boolean =>
  dryRun || (allOrNone && results.some(({ result }) => result === 'refused'));

/** Items processed without a pause. Meanwhile, PostgreSQL and other requests wait. */
const SLICE = 25;

/** Processes items in slices, so that PostgreSQL and other requests proceed in parallel. */
async function inSlices<T>(items: T[], work: (item: T) => unknown): Promise<void> {
  for (let start = 0; start < items.length; start += SLICE) {
    await setImmediate();
    items.slice(start, start + SLICE).forEach((item) => work(item));
  }
}

/** Items whose rows PostgreSQL writes while the next ones are checked. */
const PART = 125;

/**
 * Prepares the rows of some items at a time, while those of the items before are written.
 * @param prepare returns what is to be written of an item, if anything
 */
async function inParts<T, W>(
  items: T[],
  prepare: (item: T) => W | undefined,
  writeAll: (writes: W[]) => Promise<void>,
): Promise<void> {
  let writing = Promise.resolve();
  try {
    for (let start = 0; start < items.length; start += PART) {
      const writes: W[] = [];
      await inSlices(items.slice(start, start + PART), (item) => {
        const one = prepare(item);
        if (one !== undefined) writes.push(one);
      });
      writing = writing.then(() => writeAll(writes));
      // The caller awaits it at the end. Until then, Node must not report a failure as an unhandled rejection.
      writing.catch(() => undefined);
    }
  } finally {
    // The transaction must not end before its last statement.
    await writing;
  }
}

/** What an item is checked against, apart from its task. */
interface WriteContext {
  known: KnownNames;
  source: PushSource;
  closerId: string;
  request: PushRequest;
  results: PushResult[];
}

/** @returns how to write the task of an item; undefined where it is refused, or needs no write */
function writeOf(
  place: number,
  item: PushItem,
  task: StoredTask | undefined,
  { known, source, closerId, request, results }: WriteContext,
): Write | undefined {
  const parsed = parseItem(item, task, known, source.fallbackGroupId);
  const digest = parsed.columns.source_digest as string;
  const ignored = ignoredOf(item, task, closerId);
  const kept = ignored.length > 0 ? digestOfKept(digest, task!) : digest;
  if (request.snapshot) parsed.columns.status ??= OPEN;
  const digests = isOpenedAgain(request, parsed.columns, task, closerId) ? [] : [digest, kept];
  if (settle(place, item, task, digests, results)) {
    Object.assign(results[place]!, {
      unknown: parsed.unknown,
      inactive: parsed.inactive,
      ignored,
    });
    return undefined;
  }
  if (parsed.faults.length > 0) {
    refuse(results, place, item.externalId, parsed.faults, task ? uriOfTask(task.id) : null);
    return undefined;
  }
  parsed.columns.source_digest = `\\x${kept}`;
  const columns = columnsOf(item, parsed.columns, task, closerId);
  return { place, item, task, parsed, ignored, columns };
}

/** The attributes of an item that describe the end of a task. */
const END = ['status', 'outcome', 'comment'] as const;

/** The attributes of an item about the end of a task that a person has closed. */
const ignoredOf = (
  { given }: PushItem,
  task: StoredTask | undefined,
  closerId: string,
): string[] => (isDecided(task, closerId) ? END.filter((name) => Object.hasOwn(given, name)) : []);

/**
 * The digest of an item whose end is ignored. It differs from the plain digest, so that the same item counts as changed
 * once the person reopens the task.
 */
const digestOfKept = (digest: string, { status, closedById }: StoredTask): string =>
  hash('md5', digest + JSON.stringify([status, closedById]), 'hex');

/** Whether a snapshot contains a task that the source has closed. */
const isOpenedAgain = (
  { snapshot }: PushRequest,
  { status }: Columns,
  task: StoredTask | undefined,
  closerId: string,
): boolean =>
  snapshot &&
  status === OPEN &&
  task !== undefined &&
  task.status !== OPEN &&
  !isDecided(task, closerId);

/** A task to be written. */
interface Write {
  place: number;
  item: PushItem;
  task: StoredTask | undefined;
  parsed: ParsedItem;
  ignored: string[];
  columns: Columns;
}

/** A person who has claimed a task of an unknown assignee keeps it while it stays in the same group. */
function columnsOf(
  { given }: PushItem,
  columns: Columns,
  task: StoredTask | undefined,
  closerId: string,
): Columns {
  const written = endOfPush(columns, task, closerId);
  const isOfUnknown = isGiven(given.assignee) && written.assignee_id === null;
  const staysInGroup = written.group_id === undefined || task?.groupId === written.group_id;
  const isTaken = isGiven(task?.assigneeId) && staysInGroup;
  if (!isOfUnknown || !isTaken) return written;
  const { assignee_id: _nobody, ...rest } = written;
  return rest;
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Tasks that were not stored have no URI. */
const hideNew = (results: PushResult[]): PushResult[] =>
  results.map((result) => (result.result === 'created' ? { ...result, uri: null } : result));

async function learnNames(
  transaction: Transaction,
  source: PushSource,
  items: Items,
): Promise<KnownNames> {
  const wanted = new WantedNames();
  for (const item of items.values())
    for (const [kind, link] of linksIn(item)) wanted.add(kind, link);
  const known = new KnownNames();
  await known.learn(transaction, source.id, wanted);
  return known;
}

async function write(
  transaction: Transaction,
  { source, auditContext }: Pusher,
  writes: Write[],
  results: PushResult[],
): Promise<void> {
  const added = writes.filter(({ task }) => task === undefined);
  const ids = await insertTasks(
    transaction,
    source.id,
    added.map(({ columns }) => columns),
  );
  const changed = writes.flatMap(({ task, columns }) => (task ? [{ id: task.id, columns }] : []));
  await updateTasks(transaction, changed);
  await storeCandidates(
    transaction,
    writes.flatMap(({ item, task, parsed: { candidates } }) => {
      const id = task?.id ?? ids.get(item.externalId);
      return id && candidates ? [{ id, isNew: task === undefined, candidates }] : [];
    }),
  );
  await storeUnknown(
    transaction,
    writes.flatMap(({ item, task, parsed: { unknown } }) => {
      const id = task?.id ?? ids.get(item.externalId);
      return id === undefined ? [] : [{ id, isNew: task === undefined, unknown }];
    }),
  );
  const lines: AuditLine[] = [];
  for (const one of writes) {
    const { place, item, task, parsed, ignored } = one;
    const { externalId } = item;
    const id = task?.id ?? ids.get(externalId);
    if (id === undefined) {
      refuse(results, place, externalId, [
        { name: 'externalId', reason: reason('written-meanwhile') },
      ]);
      continue;
    }
    const uri = uriOfTask(id);
    const result = task ? 'updated' : 'created';
    const { unknown, inactive } = parsed;
    results[place] = { externalId, result, uri, fields: [], unknown, inactive, ignored };
    const action = task ? 'update' : 'create';
    lines.push({ auditContext, entry: { action, objectUri: uri, after: applied(one) } });
  }
  await recordAuditLines(transaction, lines);
}

/**
 * The attributes that the item has changed. They exclude the end of a task that a person has closed, and include the
 * status of a task that a snapshot reopens.
 */
function applied({ item, task, columns }: Write): Record<string, unknown> {
  const { status, outcome, comment, ...rest } = item.given;
  const given = { status, outcome, comment };
  const end = END.filter(
    (name) =>
      (given[name] !== undefined && Object.hasOwn(columns, name)) ||
      (name === 'status' && isGiven(columns.status) && columns.status !== (task?.status ?? OPEN)),
  );
  return { ...rest, ...Object.fromEntries(end.map((name) => [name, columns[name]])) };
}

async function cancelMissing(
  transaction: Transaction,
  { source, closerId, auditContext }: Pusher,
  request: PushRequest,
  snapshot: Snapshot,
): Promise<number> {
  const missing = await snapshot.tasksToCancel(transaction, source, request);
  if (missing.length === 0) return 0;
  const cancelled = await cancelTasks(transaction, missing, closerId);
  const after = { status: 'cancelled' };
  await recordAuditLines(
    transaction,
    cancelled.map((id) => ({
      auditContext,
      entry: { action: 'update', objectUri: uriOfTask(id), after },
    })),
  );
  return cancelled.length;
}

function summary(stored: boolean, results: PushResult[], cancelled: number): Pushed {
  const counts = { created: 0, updated: 0, unchanged: 0, stale: 0, refused: 0 };
  const uris = new Map(results.flatMap(({ externalId, uri }) => (uri ? [[externalId, uri]] : [])));
  for (const result of results) {
    counts[result.result]++;
    // A repeated item was rejected before the lookup of its task.
    result.uri ??= uris.get(result.externalId) ?? null;
  }
  const names = (kind: 'unknown' | 'inactive') =>
    [...new Set(results.flatMap((result) => result[kind]))].sort();
  const [unknown, inactive] = [names('unknown'), names('inactive')];
  return { stored, ...counts, cancelled, unknown, inactive, results };
}
