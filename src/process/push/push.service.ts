import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../database/database.js';
import { conflict, type InvalidField } from '../../errors/api-errors.js';
import { Bindings } from '../../database/bindings.js';
import { uriOf } from '../../resources/uri.js';
import {
  type AuditContext,
  type AuditLine,
  insertAuditLines,
} from '../../security/audit.service.js';
import type { Caller } from '../../security/caller.js';
import { OPEN, tasks } from '../task.resource.js';
import { KnownNames, type NamedKind } from './known-names.js';
import { namesIn, type ParsedItem, parseItem, type PushItem, readItem } from './push-item.js';
import type { PushRequest } from './push-request.js';
import { findSource, type PushSource } from './push-source.js';
import {
  cancelTasks,
  type Columns,
  endOf,
  insertTasks,
  lockTasks,
  missingTasks,
  readTasks,
  storeCandidates,
  storeUnknown,
  type StoredTask,
  updateTasks,
} from './store-items.js';

/** What became of one task (docs/api-contract.md#pushing-tasks). */
export interface PushResult {
  externalId: string | null;
  result: 'created' | 'updated' | 'unchanged' | 'stale' | 'refused';
  /** Null where there is no such task. */
  uri: string | null;
  fields: InvalidField[];
  /** Names of people and groups whom the server does not know. */
  unknown: string[];
}

/** The answer to a push. */
export interface Pushed extends Record<PushResult['result'] | 'cancelled', number> {
  stored: boolean;
  unknown: string[];
  results: PushResult[];
}

/** Who pushes for which source. */
interface Pusher {
  source: PushSource;
  caller: Caller;
  auditContext: AuditContext;
}

/** Ends a transaction that must store nothing, and carries what it found. */
class NotStored extends Error {
  constructor(
    readonly results: PushResult[],
    readonly cancelled: number,
  ) {
    super('not stored');
  }
}

/**
 * Stores the tasks that a source pushes, found by their external ids (docs/decisions/0037). Statements work on all tasks
 * of a call at once, and a task that the source has not changed costs no write.
 */
@Injectable()
export class TaskPush {
  constructor(private readonly database: Database) {}

  /** @throws ApiError 400, 403; 409 when a snapshot would cancel too many tasks */
  async push(caller: Caller, auditContext: AuditContext, request: PushRequest): Promise<Pushed> {
    const source = await findSource(this.database, caller, request.source);
    const pusher = { source, caller, auditContext };
    const results: PushResult[] = [];
    const items = readItems(request.items, results);
    const stored = await this.database.query<StoredTask>(
      readTasks(
        source.id,
        [...items.values()].map(({ externalId }) => externalId),
      ),
    );
    const changed = withoutUnchanged(items, byExternalId(stored), results);
    if (changed.size === 0 && (request.isPart || !request.snapshot))
      return summary(true, results, 0);
    try {
      const cancelled = await this.database.transaction((transaction) =>
        store(transaction, pusher, request, changed, [...results]),
      );
      return summary(true, cancelled.results, cancelled.cancelled);
    } catch (error) {
      if (!(error instanceof NotStored)) throw error;
      return summary(false, error.results, error.cancelled);
    }
  }

  /**
   * Cancels the open tasks of the source that a snapshot in parts does not contain.
   * @param present the external ids of the snapshot; null for an item that has none
   * @returns how many; with `dryRun` how many it would be
   * @throws ApiError 400, 403; 409 when these are too many
   */
  async finishSnapshot(
    caller: Caller,
    auditContext: AuditContext,
    request: PushRequest,
    present: ReadonlySet<string | null>,
  ): Promise<number> {
    const source = await findSource(this.database, caller, request.source);
    try {
      return await this.database.transaction(async (transaction) => {
        await lockTasks(transaction, source.id, []);
        const pusher = { source, caller, auditContext };
        const cancelled = await cancelMissing(transaction, pusher, request, present);
        if (request.dryRun) throw new NotStored([], cancelled);
        return cancelled;
      });
    } catch (error) {
      if (!(error instanceof NotStored)) throw error;
      return error.cancelled;
    }
  }
}

/** Items by their place in the request. */
type Items = Map<number, PushItem>;

function readItems(given: unknown[], results: PushResult[]): Items {
  const items: Items = new Map();
  const seen = new Set<string>();
  given.forEach((value, place) => {
    const item = readItem(value);
    if (Array.isArray(item)) return refuse(results, place, null, item);
    if (seen.has(item.externalId))
      return refuse(results, place, item.externalId, [
        { name: 'externalId', message: 'is given twice in this call' },
      ]);
    seen.add(item.externalId);
    items.set(place, item);
  });
  return items;
}

const byExternalId = (stored: StoredTask[]): Map<string, StoredTask> =>
  new Map(stored.map((task) => [task.externalId, task]));

const uriOfTask = (id: string): string => uriOf(tasks.ref.uri, id);

function refuse(
  results: PushResult[],
  place: number,
  externalId: string | null,
  fields: InvalidField[],
  uri: string | null = null,
): void {
  results[place] = { externalId, result: 'refused', uri, fields, unknown: [] };
}

const isStale = ({ sourceVersion }: PushItem, task: StoredTask): boolean =>
  sourceVersion !== undefined &&
  task.sourceVersion !== null &&
  sourceVersion < Number(task.sourceVersion);

/** What needs no further look: tasks of which the source says the same again, or something older. */
function settle(
  place: number,
  item: PushItem,
  task: StoredTask | undefined,
  digest: string,
  results: PushResult[],
): boolean {
  if (!task) return false;
  const stale = isStale(item, task);
  if (!stale && task.digest !== digest) return false;
  results[place] = {
    externalId: item.externalId,
    result: stale ? 'stale' : 'unchanged',
    uri: uriOfTask(task.id),
    fields: [],
    unknown: [],
  };
  return true;
}

function withoutUnchanged(
  items: Items,
  stored: Map<string, StoredTask>,
  results: PushResult[],
): Items {
  const rest: Items = new Map();
  for (const [place, item] of items)
    if (!settle(place, item, stored.get(item.externalId), item.digest, results))
      rest.set(place, item);
  return rest;
}

/** Stores the items that are left; throws `NotStored` at the end where nothing may be stored. */
async function store(
  transaction: Transaction,
  pusher: Pusher,
  request: PushRequest,
  items: Items,
  results: PushResult[],
): Promise<{ results: PushResult[]; cancelled: number }> {
  const { source, caller } = pusher;
  const externalIds = [...items.values()].map(({ externalId }) => externalId);
  const stored = byExternalId(await lockTasks(transaction, source.id, externalIds));
  const known = await learnNames(transaction, source, items);
  const writes: Write[] = [];
  for (const [place, item] of items) {
    const task = stored.get(item.externalId);
    const parsed = parseItem(item, task === undefined, known, source.fallbackGroupId);
    const digest = parsed.columns.source_digest as string;
    if (request.snapshot) parsed.columns.status ??= OPEN;
    if (settle(place, item, task, digest, results)) results[place]!.unknown = parsed.unknown;
    else if (parsed.faults.length > 0)
      refuse(results, place, item.externalId, parsed.faults, task ? uriOfTask(task.id) : null);
    else
      writes.push({
        place,
        item,
        task,
        parsed,
        columns: columnsOf(item, parsed.columns, task, caller),
      });
  }
  await write(transaction, pusher, writes, results);
  const present = new Set(results.map(({ externalId }) => externalId));
  const cancelled =
    request.snapshot && !request.isPart
      ? await cancelMissing(transaction, pusher, request, present)
      : 0;
  const isRefused = results.some(({ result }) => result === 'refused');
  if (request.dryRun || (request.allOrNone && isRefused))
    throw new NotStored(hideNew(results), cancelled);
  return { results, cancelled };
}

/** A task to be written. */
interface Write {
  place: number;
  item: PushItem;
  task: StoredTask | undefined;
  parsed: ParsedItem;
  columns: Columns;
}

/** A person who has taken a task of an unknown one keeps it, as long as it stays in the same group. */
function columnsOf(
  { given }: PushItem,
  columns: Columns,
  task: StoredTask | undefined,
  caller: Caller,
): Columns {
  const written = endOf(columns, task, caller.id);
  const isOfUnknown = isGiven(given.assignee) && written.assignee_id === null;
  const isTaken = isGiven(task?.assigneeId) && task?.groupId === written.group_id;
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
  const wanted: Record<NamedKind, Set<string>> = {
    users: new Set(),
    groups: new Set(),
    applications: new Set(),
  };
  for (const item of items.values())
    for (const [kind, name] of namesIn(item)) wanted[kind].add(name);
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
  for (const { place, item, task, parsed } of writes) {
    const { externalId } = item;
    const id = task?.id ?? ids.get(externalId);
    if (id === undefined) {
      refuse(results, place, externalId, [
        { name: 'externalId', message: 'is being written by another call' },
      ]);
      continue;
    }
    const uri = uriOfTask(id);
    const result = task ? 'updated' : 'created';
    results[place] = { externalId, result, uri, fields: [], unknown: parsed.unknown };
    const action = task ? 'update' : 'create';
    lines.push({ auditContext, entry: { action, objectUri: uri, after: item.given } });
  }
  await recordAll(transaction, lines);
}

async function recordAll(transaction: Transaction, lines: AuditLine[]): Promise<void> {
  if (lines.length === 0) return;
  const { bind, values } = new Bindings();
  await transaction.execute({ text: insertAuditLines(lines, bind), values });
}

/** @throws ApiError 409 when more tasks are missing than the source allows */
async function cancelMissing(
  transaction: Transaction,
  { source, caller, auditContext }: Pusher,
  { force, dryRun }: PushRequest,
  present: ReadonlySet<string | null>,
): Promise<number> {
  if (present.has(null))
    throw conflict('The snapshot has tasks without a readable externalId, and cancels nothing');
  const { open, missing } = await missingTasks(transaction, source.id, [...present] as string[]);
  if (!force && !dryRun && missing.length * 100 > open * source.brake)
    throw conflict(
      `The snapshot would cancel ${missing.length} of ${open} open tasks, more than ${source.brake} %: send force=true to cancel them`,
    );
  const cancelled = await cancelTasks(transaction, missing, caller.id);
  const after = { status: 'cancelled' };
  await recordAll(
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
  for (const { result } of results) counts[result]++;
  const unknown = [...new Set(results.flatMap((result) => result.unknown))].sort();
  return { stored, ...counts, cancelled, unknown, results };
}
