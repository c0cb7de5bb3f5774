import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../database/database.js';
import { findReferrers } from '../../database/referrers.js';
import { conflict, forbidden, invalid, notFound, stale } from '../../errors/api-errors.js';
import { applyPatch } from '../../json-patch/apply-patch.js';
import { badOperation, parsePatch, type PatchOperation } from '../../json-patch/operation.js';
import { Bindings } from '../../database/bindings.js';
import { LISTED } from '../list/list-query.js';
import { AuditService, type AuditContext } from '../../security/audit.service.js';
import { changedAttributes } from './changed-attributes.js';
import type { Attempt, PendingWrite } from './pending-write.js';
import { etagOf } from '../revision-etag.js';
import { checkReferences, storeLinks, storedColumns } from './link-store.js';
import { checkDepth } from './patch-targets.js';
import { parseBody } from './parse-body.js';
import { type Detailed, ResourceReader } from '../resource-reader.js';
import type { Resource } from '../resource.js';
import { isId, uriOf } from '../uri.js';

/** Who changes what, under which condition. */
export interface Change extends Attempt {
  auditContext: AuditContext;
  /** The header If-Match (RFC 9110 section 13.1.1). */
  ifMatch?: string;
}

type Values = Record<string, unknown>;

/** Writes any resource as its description and its rules say: one transaction, audited. */
@Injectable()
export class ResourceWriter {
  constructor(
    private readonly database: Database,
    private readonly reader: ResourceReader,
    private readonly audit: AuditService,
  ) {}

  /**
   * Decides, before the body is looked at, whether the caller may write at all: every row, or one of
   * which a part is the caller's own.
   * @param id of the row that is to be changed; undefined to create or delete
   * @throws ApiError 403, or 404 when the row does not exist for the caller
   */
  async authorize(attempt: Attempt, id?: string): Promise<void> {
    if (mayWrite(attempt)) return;
    if (id === undefined || !attempt.rules.isOwner) throw forbidden();
    const { representation } = await this.reader.get(attempt.resource, attempt.caller, id);
    requireOwner(attempt, representation);
  }

  /**
   * Creates a row from a body of POST.
   * @throws ApiError 400 naming every bad attribute, 403, 409 when it is taken
   */
  async create(change: Change, body: unknown): Promise<Detailed> {
    const { resource, rules, caller } = change;
    await this.authorize(change);
    const prepared = await prepare(change, undefined, secretsIn(change, body));
    return this.run(change, async (transaction) => {
      const read = parseBody(resource, rules, body);
      const draft = { ...change, ...read, transaction, id: undefined, before: undefined, prepared };
      rules.complete?.(draft);
      await this.check(draft, change);
      const id = await insertRow(resource, draft.values, transaction);
      await storeLinks(resource, id, draft.values, transaction);
      await rules.afterWrite?.({ ...draft, id });
      const after = await this.reader.get(resource, caller, id, transaction);
      await this.record(change, transaction, 'create', id, { after: after.representation });
      return after;
    });
  }

  /**
   * Replaces a row by a body of PUT.
   * @throws ApiError 400, 403, 404, 409, 412
   */
  async replace(change: Change, id: string, body: unknown): Promise<Detailed> {
    await this.authorize(change, id);
    const prepared = await prepare(change, id, secretsIn(change, body));
    return this.run(change, async (transaction) => {
      const before = await this.lock(change, id, transaction, 'FOR NO KEY UPDATE');
      return this.store(change, { id, before, body, prepared }, transaction);
    });
  }

  /**
   * Changes a row by a JSON Patch document (RFC 6902): its detailed representation is patched, the
   * result goes the way of PUT.
   * @throws ApiError 400 naming the operation, 403, 404, 409 for a failed test, 412
   */
  async patch(change: Change, id: string, body: unknown): Promise<Detailed> {
    await this.authorize(change, id);
    const operations = parsePatch(body);
    requireMayChange(change, operations.flatMap(writtenBy));
    for (const operation of operations) checkTarget(change, operation);
    const prepared = await prepare(change, id, secretsWritten(change, operations));
    const secrets = Object.keys(change.rules.secret ?? {});
    const blanks = Object.fromEntries(secrets.map((name) => [name, null]));
    return this.run(change, async (transaction) => {
      const before = await this.lock(change, id, transaction, 'FOR NO KEY UPDATE');
      const patched = applyPatch({ ...before.representation, ...blanks }, operations);
      return this.store(change, { id, before, body: patched, prepared }, transaction);
    });
  }

  /**
   * Deletes a row and what merely belongs to it.
   * @throws ApiError 403, 404, 409 saying what still refers to it, 412
   */
  async delete(change: Change, id: string): Promise<void> {
    const { resource, rules, caller } = change;
    await this.authorize(change);
    await this.run(change, async (transaction) => {
      const { representation: before } = await this.lock(change, id, transaction, 'FOR UPDATE');
      rules.checkDelete?.(caller, before);
      await refuseWhileReferred(resource, id, transaction);
      await transaction.rows({
        text: `DELETE FROM ${resource.ref.table} WHERE id = $1`,
        values: [id],
      });
      await this.record(change, transaction, 'delete', id, { before });
    });
  }

  /** Who may change what is decided again under the lock, before references are looked up. */
  private async store(
    change: Change,
    { id, before: { representation: before, revision }, body, prepared }: Replacement,
    transaction: Transaction,
  ): Promise<Detailed> {
    const { resource, rules, caller } = change;
    requireOwner(change, before);
    const read = parseBody(resource, rules, body, before);
    const draft = { ...change, ...read, transaction, id, before, prepared };
    rules.complete?.(draft);
    const names = Object.keys(changedAttributes(resource, rules, draft));
    requireMayChange(change, names);
    await this.check(draft, change);
    if (names.length === 0) return { representation: before, revision };
    const changed = Object.fromEntries(names.map((name) => [name, draft.values[name]]));
    await updateRow(resource, id, changed, transaction);
    await storeLinks(resource, id, changed, transaction);
    await rules.afterWrite?.({ ...draft, values: changed, id });
    const after = await this.reader.get(resource, caller, id, transaction);
    await this.record(change, transaction, 'update', id, onlyChanged(before, after.representation));
    return after;
  }

  /** Checks references and the resource's own rules; all that is wrong comes back together. */
  private async check(draft: PendingWrite, { resource, rules }: Change): Promise<void> {
    if (!draft.bad.some(({ name }) => name === 'body')) {
      await checkReferences(resource, draft);
      await rules.beforeWrite?.(draft);
    }
    if (draft.bad.length > 0) throw invalid(draft.bad);
  }

  /**
   * Locks a row that the caller sees, so that parallel changes add up.
   * @param strength FOR NO KEY UPDATE lets rows that refer to this one be written meanwhile, as by a
   * sign-in; FOR UPDATE is for a deletion
   */
  private async lock(
    { resource, caller, ifMatch }: Change,
    id: string,
    transaction: Transaction,
    strength: 'FOR UPDATE' | 'FOR NO KEY UPDATE',
  ): Promise<Detailed> {
    if (!isId(id)) throw notFound();
    const { bind, values } = new Bindings();
    const conditions = [
      `${LISTED}.id = ${bind(id)}`,
      ...resource.conditionsFor(caller).map((condition) => condition(bind)),
    ];
    const [row] = await transaction.rows({
      text: `SELECT ${LISTED}.revision FROM ${resource.ref.table} ${LISTED} WHERE ${conditions.join(' AND ')} ${strength}`,
      values,
    });
    if (!row) throw notFound();
    if (ifMatch !== undefined && !matches(ifMatch, etagOf(Number(row[0])))) throw stale();
    return this.reader.get(resource, caller, id, transaction);
  }

  private async run<T>(
    { rules }: Change,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    try {
      const result = await this.database.transaction(work);
      await rules.afterCommit?.();
      return result;
    } catch (error) {
      const { constraint, code } = error as { constraint?: unknown; code?: unknown };
      if (typeof constraint !== 'string') throw error;
      const known = rules.constraints?.[constraint];
      if (known) throw known();
      const attribute = /_(reference|login)_key$/.exec(constraint)?.[1];
      if (code === '23505' && attribute) throw conflict(`The ${attribute} is taken`);
      throw error;
    }
  }

  private record(
    { resource, auditContext }: Change,
    transaction: Transaction,
    action: 'create' | 'update' | 'delete',
    id: string,
    states: { before?: unknown; after?: unknown },
  ): Promise<void> {
    const objectUri = uriOf(resource.ref.uri, id);
    return this.audit.record(transaction, auditContext, { action, objectUri, ...states });
  }
}

/** What becomes of a row: the body of a PUT, or the result of a patch. */
interface Replacement {
  id: string;
  before: Detailed;
  body: unknown;
  prepared: unknown;
}

const mayWrite = ({ rules, caller }: Attempt): boolean =>
  rules.mayWrite?.(caller) ?? caller.administrator;

function requireOwner(attempt: Attempt, before: Values): void {
  if (!mayWrite(attempt) && !attempt.rules.isOwner?.(attempt.caller, before)) throw forbidden();
}

/**
 * An owner writes only the attributes that are writable by the owner.
 * @param names unknown and read-only ones among them are left to validation, secret ones to the rules
 */
function requireMayChange(attempt: Attempt, names: string[]): void {
  if (mayWrite(attempt)) return;
  const { attributes } = attempt.resource;
  const others = [...new Set(names)].filter((name) => {
    const { options, writable } = attributes.get(name) ?? {};
    return writable && options?.writableBy !== 'owner';
  });
  if (others.length > 0) throw forbidden(`You may not change: ${others.join(', ')}`);
}

/** What the rules do before the transaction. */
const prepare = ({ rules, caller }: Change, id: string | undefined, secrets: Values) =>
  rules.prepare?.(caller, id, secrets);

/** What a body gives for the secret attributes. */
function secretsIn({ rules }: Attempt, body: unknown): Values {
  if (typeof body !== 'object' || body === null) return {};
  const names = Object.keys(rules.secret ?? {}).filter((name) => Object.hasOwn(body, name));
  return Object.fromEntries(names.map((name) => [name, (body as Values)[name]]));
}

/** What a patch leaves in the secret attributes, which it can only add or replace. */
function secretsWritten(attempt: Attempt, operations: PatchOperation[]): Values {
  const written = operations
    .filter(({ tokens }) => tokens.length <= 1)
    .map(({ tokens: [name], value }) => (name === undefined ? value : { [name]: value }));
  return Object.assign({}, ...written.map((body) => secretsIn(attempt, body))) as Values;
}

/** The attributes that an operation writes; none where it replaces the whole document. */
function writtenBy({ op, tokens, fromTokens }: PatchOperation): string[] {
  const written = op === 'test' ? [] : [tokens[0], ...(op === 'move' ? [fromTokens![0]] : [])];
  return written.filter((name) => name !== undefined);
}

/** Refuses an operation on an attribute that is unknown, read-only, or secret and would be read. */
function checkTarget({ resource, rules }: Attempt, operation: PatchOperation): void {
  const { op, tokens, fromTokens } = operation;
  const secret = (name: string | undefined): boolean =>
    name !== undefined && Object.hasOwn(rules.secret ?? {}, name);
  for (const name of writtenBy(operation)) {
    if (secret(name)) continue;
    const attribute = resource.attributes.get(name);
    if (!attribute) throw badOperation(operation, `unknown attribute '${name}'`);
    if (!attribute.writable) throw badOperation(operation, `'${name}' is read-only`);
  }
  const isRead = op === 'test' || op === 'copy' || op === 'move' || op === 'remove';
  if (isRead && (secret(tokens[0]) || secret(fromTokens?.[0])))
    throw badOperation(operation, `'${tokens[0] ?? ''}' can only be added or replaced`);
  checkDepth(resource, operation);
}

async function insertRow(
  resource: Resource,
  values: Values,
  { manager }: Transaction,
): Promise<string> {
  const inserted = await manager
    .createQueryBuilder()
    .insert()
    .into(resource.definition.entity!)
    .values(storedColumns(resource, values))
    .returning('id')
    .execute();
  return (inserted.raw as { id: string }[])[0]!.id;
}

async function updateRow(
  resource: Resource,
  id: string,
  changed: Values,
  { manager }: Transaction,
): Promise<void> {
  await manager
    .createQueryBuilder()
    .update(resource.definition.entity!)
    .set({
      ...storedColumns(resource, changed),
      revision: () => 'revision + 1',
      modificationDate: () => 'now()',
    })
    .where('id = :id', { id })
    .execute();
}

async function refuseWhileReferred(
  resource: Resource,
  id: string,
  transaction: Transaction,
): Promise<void> {
  const referrers = await findReferrers(transaction, resource.ref.table, id);
  if (referrers.length === 0) return;
  const list = referrers.map(({ table, column, count }) => {
    const role = column.replace(/_id$/, '').replaceAll('_', ' ');
    return `${count} of ${table.replaceAll('_', ' ')} (as ${role})`;
  });
  throw conflict(`Still referred to by ${list.join(', ')}`);
}

/** Strong comparison (RFC 9110 section 13.1.1); `*` is any current representation. */
const matches = (ifMatch: string, etag: string): boolean =>
  ifMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim() === etag);

function onlyChanged(before: Values, after: Values): { before: Values; after: Values } {
  const names = Object.keys(after).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const pick = (from: Values): Values =>
    Object.fromEntries(names.map((name) => [name, from[name]]));
  return { before: pick(before), after: pick(after) };
}
