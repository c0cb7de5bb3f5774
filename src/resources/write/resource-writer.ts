import { Injectable } from '@nestjs/common';
import { Bindings } from '../../database/bindings.js';
import { Database, type Transaction } from '../../database/database.js';
import { Housekeeping } from '../../database/housekeeping.js';
import {
  conflict,
  forEveryItem,
  missingPermission,
  notFound,
} from '../../base/errors/api-errors.js';
import { applyPatch } from '../../base/json-patch/apply-patch.js';
import type { PatchOperation } from '../../base/json-patch/parse-patch.js';
import { ANY } from '../../base/rights/permissions.js';
import { AuditService } from '../../security/audit.service.js';
import { type Detailed, ResourceReader } from '../resource-reader.js';
import { requireConditions } from './preconditions.js';
import { LISTED } from '../resource.js';
import { isId, uriOf } from '../uri.js';
import { sqlViewer } from '../visibility.js';
import { changedAttributes } from './changed-attributes.js';
import { check } from './check.js';
import { EXPIRED_KEYS, recall, remember, repeatableOf } from './idempotency.js';
import {
  type Authority,
  COMPLETE,
  mayWrite,
  mayWriteSome,
  requireMayChange,
  requireMayDelete,
  type WriteAction,
} from './may-write.js';
import { managedColumns, requireProvider, takesOver } from './managed.js';
import { parseBody } from './parse-body.js';
import { checkDocument, checkTarget, preparing, replacesAll, writtenBy } from './patch-targets.js';
import type { Attempt, Change, PendingWrite, RowChange, Values } from './pending-write.js';
import { resolveNames } from './resolve-names.js';
import { deleteRow, insertRow, updateRow } from './store.js';
import type { WriteHooks } from './write-hooks.js';
import { withoutWriteOnly, writeOnlyIn, writeOnlyWritten } from './write-only.js';
import { reason } from '../../base/errors/reason.js';

/**
 * Writes any resource from its definition and its hooks, in one audited transaction. The steps: parse the
 * body (after applying a patch), check, find the changed attributes, store. The access rule of a route authorizes the
 * caller before the body is parsed; under the lock of the row the writer decides again.
 */
@Injectable()
export class ResourceWriter {
  constructor(
    private readonly database: Database,
    private readonly reader: ResourceReader,
    private readonly audit: AuditService,
    housekeeping: Housekeeping,
  ) {
    housekeeping.register('idempotency_keys', EXPIRED_KEYS);
  }

  /**
   * Decides before the body is parsed whether the caller may write at all: every row, or as the owner of
   * this one.
   * @param attempt without an id for callers who create
   * @throws ApiError 403, or 404 when the row does not exist for the caller
   */
  async authorize(attempt: Attempt, action: WriteAction, hooks: WriteHooks): Promise<void> {
    const { resource, caller, id } = attempt;
    if (mayWrite(attempt, action)) return;
    if (id === undefined && (hooks.mayCreate?.(caller) || mayWriteSome(attempt, action))) return;
    if (id === undefined || !(hooks.isOwner || mayWriteSome(attempt, action)))
      throw missingPermission(resource.permission(action));
    const { representation } = await this.reader.get(resource, caller, id);
    await this.authority({ ...attempt, id }, action, hooks, representation);
  }

  /**
   * What lets the caller write a row.
   * @throws ApiError 403 when nothing does
   */
  private async authority(
    attempt: Attempt & { id: string },
    action: WriteAction,
    hooks: WriteHooks,
    before: Values,
    transaction?: Transaction,
  ): Promise<Authority> {
    if (mayWrite(attempt, action)) return COMPLETE;
    const { resource, caller, id } = attempt;
    const granted = await this.granted(attempt, action, transaction);
    const sees = (): Promise<boolean> => this.reader.isOwn(resource, caller, id, transaction);
    const isOwner = (await hooks.isOwner?.(caller, before, sees)) ?? false;
    const isDeletion = action === 'delete';
    const mayAsOwner = isOwner && (!isDeletion || hooks.ownerMayDelete === true);
    if (!mayAsOwner && !(isDeletion ? granted.has(ANY) : granted.size > 0))
      throw missingPermission(resource.permission(action));
    return { isOwner, granted };
  }

  /** The attributes that the caller's roles let write in a row; `*` for all. */
  private granted(
    { resource, caller, id }: Attempt & { id: string },
    action: WriteAction,
    transaction?: Transaction,
  ): Promise<ReadonlySet<string>> {
    const permission = resource.permission(action);
    return this.reader.granted(resource, caller, { permission, id }, transaction);
  }

  /**
   * Decides the same for a deletion.
   * @throws ApiError 403, 404
   */
  async authorizeDeletion(attempt: Attempt & { id: string }, hooks: WriteHooks): Promise<void> {
    requireMayDelete(attempt, hooks);
    await this.authorize(attempt, 'delete', hooks);
  }

  /**
   * Creates a row from a body of POST; answers a repeated call with the same Idempotency-Key as the first time.
   * @throws ApiError 400 naming every bad attribute, 403, 409 when a unique value is taken, 409 and 422 for the key
   */
  async create(change: Change, hooks: WriteHooks, body: unknown): Promise<Detailed> {
    const { resource, caller } = change;
    await this.authorize({ resource, caller }, 'create', hooks);
    const prepared = await hooks.prepare?.(change, writeOnlyIn(resource, body));
    const repeatable = repeatableOf(change, body);
    return this.run(hooks, async (transaction) => {
      const known = repeatable && (await recall(transaction, repeatable));
      if (known) return known;
      const created = await this.insert(change, hooks, { transaction, body, prepared });
      if (repeatable) await remember(transaction, repeatable, created);
      return created;
    });
  }

  /**
   * Creates a row in the transaction of another write, which calls it from its `afterWrite`: both are stored, or
   * neither. The caller must be allowed to do both; `prepare` and `afterCommit` do not run.
   * @throws ApiError 400 naming every bad attribute, 409 when a unique value is taken
   */
  async createWithin(
    { transaction }: Pick<PendingWrite, 'transaction'>,
    change: Change,
    hooks: WriteHooks,
    body: unknown,
  ): Promise<Detailed> {
    try {
      return await this.insert(change, hooks, { transaction, body, prepared: undefined });
    } catch (error) {
      throw constraintError(error, hooks) ?? error;
    }
  }

  /**
   * Replaces a row by a body of PUT.
   * @throws ApiError 400, 403, 404, 409, 412
   */
  async replace(change: RowChange, hooks: WriteHooks, body: unknown): Promise<Detailed> {
    const prepared = await hooks.prepare?.(change, writeOnlyIn(change.resource, body));
    return this.run(hooks, async (transaction) => {
      const before = await this.lock(change, transaction, 'FOR NO KEY UPDATE');
      return this.update(change, hooks, { transaction, before, body, prepared, isPut: true });
    });
  }

  /**
   * Replaces a row in a transaction that writes other rows too: all are stored, or none. The caller must be allowed
   * to write all; `prepare` and `afterCommit` do not run.
   * @throws ApiError 400, 404, 409, 412
   */
  async replaceWithin(
    { transaction }: Pick<PendingWrite, 'transaction'>,
    change: RowChange,
    hooks: WriteHooks,
    body: unknown,
  ): Promise<Detailed> {
    try {
      const before = await this.lock(change, transaction, 'FOR NO KEY UPDATE');
      const replacement = { transaction, before, body, prepared: undefined, isPut: true };
      return await this.update(change, hooks, replacement);
    } catch (error) {
      throw constraintError(error, hooks) ?? error;
    }
  }

  /**
   * Sets values of a row in such a transaction; the others stay. A null clears a value.
   * @throws ApiError 400, 404, 409
   */
  async assignWithin(
    { transaction }: Pick<PendingWrite, 'transaction'>,
    change: RowChange,
    hooks: WriteHooks,
    values: Values,
  ): Promise<Detailed> {
    try {
      const before = await this.lock(change, transaction, 'FOR NO KEY UPDATE');
      const body = { ...before.representation, ...values };
      const replacement = { transaction, before, body, prepared: undefined, isPut: false };
      return await this.update(change, hooks, replacement);
    } catch (error) {
      throw constraintError(error, hooks) ?? error;
    }
  }

  /**
   * Changes a row by a JSON Patch document (RFC 6902): applies the patch to its detailed representation,
   * then treats the result like a body of PUT.
   * @throws ApiError 400 naming the operation, 403, 404, 409 for a failed test, 412
   */
  async patch(
    change: RowChange,
    hooks: WriteHooks,
    operations: PatchOperation[],
  ): Promise<Detailed> {
    const { resource } = change;
    // A role with a scope is known only under the lock of the row, and of write-only attributes the hooks know more.
    if (!mayWrite(change, 'change') && !mayWriteSome(change, 'change')) {
      const names = operations.flatMap(writtenBy).filter((name) => !resource.writeOnly.has(name));
      requireMayChange(resource, OWNER, names);
    }
    forEveryItem(operations, (operation) => checkTarget(resource, operation));
    const written = writeOnlyWritten(resource, operations);
    const shown = withoutWriteOnly(resource, operations);
    const prepared = await hooks.prepare?.(change, written);
    return this.run(hooks, async (transaction) => {
      const before = await this.lock(change, transaction, 'FOR NO KEY UPDATE');
      const document = applyPatch(before.representation, shown, preparing(resource));
      checkDocument(document, operations);
      const body = { ...document, ...written };
      const isPut = operations.some(replacesAll);
      const after = await this.update(change, hooks, {
        transaction,
        before,
        body,
        prepared,
        isPut,
      });
      return after === before ? { ...before, warnings: [NO_CHANGE] } : after;
    });
  }

  /**
   * Deletes a row and its dependent rows.
   * @returns warnings about what went with it
   * @throws ApiError 403, 404, 409 naming the objects that still refer to it, 412
   */
  async delete(change: RowChange, hooks: WriteHooks): Promise<string[]> {
    requireMayDelete(change, hooks);
    return this.run(hooks, (transaction) => this.deleteWithin({ transaction }, change, hooks));
  }

  /** The same in a transaction that writes other rows too; `afterCommit` does not run. */
  async deleteWithin(
    { transaction }: Pick<PendingWrite, 'transaction'>,
    change: RowChange,
    hooks: WriteHooks,
  ): Promise<string[]> {
    const { resource, caller, id } = change;
    const { representation: before } = await this.lock(change, transaction, 'FOR UPDATE');
    await this.authority(change, 'delete', hooks, before, transaction);
    requireProvider(change, before);
    await hooks.checkDelete?.(caller, before, transaction, change.provider);
    const warnings = (await hooks.warnOfDeletion?.(before, transaction)) ?? [];
    await deleteRow(resource, id, transaction);
    await this.record({ change, transaction }, 'delete', id, audited(hooks, { before }));
    return warnings;
  }

  private async insert(
    change: Change,
    hooks: WriteHooks,
    { transaction, body, prepared }: Omit<Replacement, 'before' | 'isPut'>,
  ): Promise<Detailed> {
    const { resource, caller } = change;
    const parsed = parseBody(resource, await resolveNames(resource, body, caller, transaction));
    const pending = complete(
      { ...parsed, change, transaction, before: undefined, prepared },
      hooks,
    );
    const write = await check(pending, hooks);
    const id = await insertRow(resource, write.values, transaction, managedColumns(change));
    await hooks.afterWrite?.(write, id);
    const isInScope = async () =>
      (await this.granted({ ...change, id }, 'create', transaction)).has(ANY);
    if (!mayWrite(change, 'create') && !hooks.mayCreate?.(caller) && !(await isInScope()))
      throw missingPermission(resource.permission('create'));
    const after = await this.written(write, hooks, id);
    await this.record(write, 'create', id, audited(hooks, { after: after.representation }));
    return after;
  }

  /** Changes a row. Checks the caller's permissions again under the lock, before links are looked up. */
  private async update(
    change: RowChange,
    hooks: WriteHooks,
    { transaction, before, body, prepared, isPut }: Replacement,
  ): Promise<Detailed> {
    const { resource, caller, id } = change;
    const { representation } = before;
    const authority = await this.authority(change, 'change', hooks, representation, transaction);
    const named = await resolveNames(resource, body, caller, transaction);
    const parsed = parseBody(resource, named, representation, isPut);
    const pending = complete(
      { ...parsed, change, transaction, before: representation, prepared },
      hooks,
    );
    const names = changedAttributes(pending);
    requireMayChange(resource, authority, names);
    requireProvider(change, representation, names);
    const write = await check(pending, hooks);
    if (names.length === 0 && !takesOver(change, representation)) return before;
    const changed = pick(write.values, names);
    await updateRow(resource, id, changed, transaction, managedColumns(change));
    await hooks.afterWrite?.(write, id);
    // No role moves a row out of its scope.
    if (authority !== COMPLETE) {
      const granted = await this.granted(change, 'change', transaction);
      requireMayChange(resource, { ...authority, granted }, names);
    }
    const after = await this.written(write, hooks, id);
    const states = { before: representation, after: after.representation };
    await this.record(write, 'update', id, audited(hooks, states));
    return after;
  }

  /** The stored object, even if its writer no longer sees it, with a warning for the writer. */
  private async written(write: PendingWrite, hooks: WriteHooks, id: string): Promise<Detailed> {
    const { change, transaction } = write;
    const after = await this.reader.getWritten(change.resource, change.caller, id, transaction);
    return { ...after, warnings: (await hooks.warn?.(write, id)) ?? [] };
  }

  /**
   * Locks a row that the caller sees, so that no concurrent change is lost.
   * @param strength FOR NO KEY UPDATE allows concurrent writes of rows that refer to this one, e.g. at a sign-in; FOR
   * UPDATE is for a deletion
   * @throws ApiError 404, 412
   */
  async lock(
    { resource, caller, id, ...conditions }: RowChange,
    transaction: Transaction,
    strength: 'FOR UPDATE' | 'FOR NO KEY UPDATE',
  ): Promise<Detailed> {
    if (!isId(id)) throw notFound();
    const { bind, values } = new Bindings();
    const restrictions = [
      `${LISTED}.id = ${bind(id)}`,
      ...resource.conditionsForOne(sqlViewer(caller, bind)),
    ];
    const [row] = await transaction.rows({
      text: `SELECT ${LISTED}.revision FROM ${resource.ref.table} ${LISTED} WHERE ${restrictions.join(' AND ')} ${strength}`,
      values,
    });
    if (!row) throw notFound();
    requireConditions(conditions, Number(row[0]));
    return this.reader.get(resource, caller, id, transaction);
  }

  private async run<T>(
    hooks: WriteHooks,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    try {
      const result = await this.database.transaction(work);
      await hooks.afterCommit?.();
      return result;
    } catch (error) {
      throw constraintError(error, hooks) ?? error;
    }
  }

  private record(
    { change, transaction }: Pick<PendingWrite, 'change' | 'transaction'>,
    action: 'create' | 'update' | 'delete',
    id: string,
    states: { before?: unknown; after?: unknown },
  ): Promise<void> {
    const objectUri = uriOf(change.resource.ref.uri, id);
    return this.audit.record(transaction, change.auditContext, { action, objectUri, ...states });
  }
}

/** What an owner may write without any role. */
const OWNER: Authority = { isOwner: true, granted: new Set() };

/** The warning about a patch that changes nothing. */
const NO_CHANGE = 'the patch changes nothing';

/** The new content of a locked row. */
interface Replacement {
  transaction: Transaction;
  before: Detailed;
  /** The body of a PUT, or the result of a patch. */
  body: unknown;
  prepared: unknown;
  /** Whether the body replaces the whole object, as with a PUT or a patch of the whole document. */
  isPut: boolean;
}

const complete = (write: PendingWrite, hooks: WriteHooks): PendingWrite => ({
  ...write,
  values: hooks.complete?.(write) ?? write.values,
});

/** The API error of a violated constraint; undefined for any other error. */
function constraintError(error: unknown, hooks: WriteHooks): Error | undefined {
  const { constraint, code } = error as { constraint?: unknown; code?: unknown };
  if (typeof constraint !== 'string') return undefined;
  const known = hooks.constraints?.[constraint];
  if (known) return known();
  const attribute = /_(reference|login)_key$/.exec(constraint)?.[1];
  return code === '23505' && attribute ? conflict(reason('taken', { attribute })) : undefined;
}

interface States {
  before?: Values;
  after?: Values;
}

/** The states of a write for the audit trail: the changed attributes, without private states. */
function audited(hooks: WriteHooks, { before, after }: States): States {
  const states = before && after ? onlyChanged(before, after) : { before, after };
  const isKept = (state: Values | undefined) => state && hooks.isPrivate?.(state) !== true;
  return {
    ...(isKept(before) && { before: states.before! }),
    ...(isKept(after) && { after: states.after! }),
  };
}

/** The attributes of two states that differ. */
export function onlyChanged(before: Values, after: Values): { before: Values; after: Values } {
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return { before: pick(before, names), after: pick(after, names) };
}

const pick = (values: Values, names: string[]): Values =>
  Object.fromEntries(names.map((name) => [name, values[name]]));
