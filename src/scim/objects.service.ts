import { Injectable } from '@nestjs/common';
import { ApiError, excluded, notFound, stale } from '../base/errors/api-errors.js';
import { Rights } from '../base/rights/rights.js';
import { Bindings } from '../database/bindings.js';
import { Database, type Reader, type Transaction } from '../database/database.js';
import { Notifications } from '../database/notifications.js';
import { groups } from '../directory/group.resource.js';
import { accountOf, hasRights } from '../directory/hand-out.js';
import { users } from '../directory/user.resource.js';
import { UserRules } from '../directory/user.rules.js';
import { AS_IS, AS_LOGIN } from '../resources/name-rule.js';
import { folded, foldedValue } from '../resources/attributes/folded-text.js';
import { isId, uriOf } from '../resources/uri.js';
import type { RowChange } from '../resources/write/pending-write.js';
import { ResourceWriter } from '../resources/write/resource-writer.js';
import type { WriteHooks } from '../resources/write/write-hooks.js';
import { AuditService } from '../security/audit.service.js';
import { USER_STATUS } from '../security/user-status.js';
import { userUri } from '../security/user-uri.js';
import { parseFilter } from './filter.js';
import { compile } from './filter-sql.js';
import {
  GROUPS,
  type Kind,
  represent,
  type Represented,
  type Shown,
  USERS,
  wants,
} from './objects.js';
import {
  changeOfPatch,
  changeOfResource,
  type GroupChange,
  type MemberChange,
  operationsOf,
} from './patch.js';
import type { Provider } from './providers.service.js';
import type { ListQuery, ScimAnswer, ScimCall } from './scim-call.js';
import { badFilter, badValue, notOwn, taken } from './scim-errors.js';
import { listResponse, MAX_RESULTS, withoutUrn } from './schemas.js';
import { type UserValues, valuesOfPatch, valuesOfResource } from './user-mapping.js';

type Json = Record<string, unknown>;

/** Objects of a page without `count`. */
const DEFAULT_COUNT = 100;

/** About how many members a page of groups may have, and a page of users groups; one object may have more. */
const MAX_LISTED = 10_000;

/** What a provider may do while it writes; the permission `scim:provision` permits nothing elsewhere. */
const RIGHTS = Rights.of(
  JSON.stringify([{ permissions: ['users:*', 'groups:*', 'organizations:read'] }]),
);

/** What an archived user loses. */
const LOST = [
  ...['api_keys', 'passwords', 'identities', 'second_steps', 'recovery_codes'],
  ...['group_members', 'role_assignments'],
];

/** The first half of a PostgreSQL advisory lock; the second is a hash of the name of a new group. */
const NEW_GROUP = 20_261_128;

/**
 * Users and groups as SCIM shows and writes them (RFC 7644). Writes of users and of the texts of groups take the way of
 * every resource, with the same checks and the same audit; members are changes in SQL, because a group may be large.
 */
@Injectable()
export class ScimObjects {
  constructor(
    private readonly database: Database,
    private readonly writer: ResourceWriter,
    private readonly userRules: UserRules,
    private readonly audit: AuditService,
    private readonly notifications: Notifications,
  ) {}

  /**
   * A page of a list; one of several kinds lists all of the first before the second. A page whose objects have many members
   * ends before `count` (RFC 7644 section 3.4.2.4).
   * @throws ApiError 400
   */
  async list(provider: Provider, kinds: Kind[], query: ListQuery, shown: Shown): Promise<Json> {
    const start = Math.max(1, wholeIn('startIndex', query.startIndex) ?? 1);
    const count = Math.max(0, wholeIn('count', query.count) ?? DEFAULT_COUNT);
    let most = Math.min(MAX_RESULTS, count);
    const found: Json[] = [];
    let total = 0;
    for (const kind of kinds) {
      const page = { offset: Math.max(0, start - 1 - total), limit: most - found.length };
      const listed = await this.page(provider, kind, query, shown, page);
      found.push(...listed.rows);
      total += listed.count;
      if (listed.isCut) most = found.length;
    }
    return listResponse(found, total, start);
  }

  private async page(
    provider: Provider,
    kind: Kind,
    query: ListQuery,
    shown: Shown,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<{ rows: Json[]; count: number; isCut: boolean }> {
    const { bind, values } = new Bindings();
    const viewer = bind(provider.id);
    const conditions = [kind.visible(viewer)];
    if (query.filter !== undefined)
      conditions.push(compile(parseFilter(query.filter), kind.filterable(viewer), bind));
    const from = `FROM ${kind.from} WHERE ${conditions.join(' AND ')}`;
    const [total] = await this.database.query<{ count: string }>({
      text: `SELECT count(*) ${from}`,
      values,
      prepared: false,
    });
    const order = orderOf(kind, query, viewer);
    const rowsOf = (columns: string, most: number) =>
      this.database.query<Json>({
        text: `SELECT ${columns} ${from} ORDER BY ${order} LIMIT ${most} OFFSET ${offset}`,
        values,
        prepared: false,
      });
    const count = Number(total!.count);
    let fitting = limit;
    if (Math.min(limit, count - offset) > 1 && wants(shown, kind.list.attribute))
      fitting = countFitting(await rowsOf(`${kind.list.size} AS size`, limit)) ?? limit;
    const rows = limit === 0 ? [] : await rowsOf(columnsOf(kind, shown, viewer), fitting);
    return {
      rows: rows.map((row) => represent(kind, row, shown).body),
      count,
      isCut: fitting < limit,
    };
  }

  /** @throws ApiError 404 */
  get(provider: Provider, call: ScimCall): Promise<Represented> {
    return this.show(this.database, provider, call);
  }

  /**
   * Writes an object; a provider with a dry run gets the answer, and nothing stays.
   * @throws ApiError 400, 404, 409, 412
   */
  async write(provider: Provider, call: ScimCall): Promise<ScimAnswer> {
    const work = (transaction: Transaction): Promise<ScimAnswer> =>
      new Write(
        { ...call, caller: { ...call.caller, rights: RIGHTS } },
        provider,
        transaction,
        this.writer,
        call.kind === USERS ? this.userRules : {},
        this.audit,
        (id) => this.show(transaction, provider, { ...call, id }),
      ).run();
    if (provider.dryRun) return this.database.rehearse(work);
    const answer = await this.database.transaction(work);
    await this.notifications.waitUntilDelivered();
    return answer;
  }

  /** @throws ApiError 404 for an object that the provider does not see */
  private async show(
    reader: Reader,
    provider: Provider,
    { kind, id, shown }: ScimCall,
  ): Promise<Represented> {
    if (id === undefined || !isId(id)) throw notFound();
    const { bind, values } = new Bindings();
    const viewer = bind(provider.id);
    const [row] = await reader.query<Json>({
      text: `SELECT ${columnsOf(kind, shown, viewer)} FROM ${kind.from} WHERE t.id = ${bind(id)} AND ${kind.visible(viewer)}`,
      values,
    });
    if (!row) throw notFound();
    return represent(kind, row, shown);
  }
}

/** How many rows a page may have, at least one; undefined where all fit. */
function countFitting(rows: Json[]): number | undefined {
  let listed = 0;
  const over = rows.findIndex(({ size }) => (listed += Number(size)) > MAX_LISTED);
  return over === -1 ? undefined : Math.max(1, over);
}

/** The columns of a statement; what is expensive only where it is shown. */
function columnsOf({ columns, list }: Kind, shown: Shown, viewer: string): string {
  const all = { ...columns, list: wants(shown, list.attribute) ? list.sql(viewer) : 'NULL' };
  return Object.entries(all)
    .map(([name, sql]) => `${sql} AS "${name}"`)
    .join(', ');
}

/** The order of a list; the id makes it stable. */
function orderOf(kind: Kind, { sortBy, sortOrder }: ListQuery, viewer: string): string {
  if (sortBy === undefined || sortBy === '') return 't.id';
  const given = withoutUrn(sortBy);
  const name = { emails: 'emails.value', 'name.formatted': 'name.familyname' }[given] ?? given;
  const { columns } = kind.filterable(viewer);
  const column =
    name === 'emails.value' && kind === USERS
      ? 't.email'
      : Object.hasOwn(columns, name)
        ? columns[name]!.sql
        : undefined;
  if (column === undefined) throw badFilter(`'${sortBy}' cannot be sorted by`);
  const isText = name in columns && columns[name]!.type !== 'date' && columns[name]!.type !== 'id';
  const key = isText && columns[name]!.type !== 'boolean' ? `lower(${column})` : column;
  const direction =
    sortOrder?.toLowerCase() === 'descending' ? 'DESC NULLS FIRST' : 'ASC NULLS LAST';
  return `${key} ${direction}, t.id`;
}

function wholeIn(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (!/^-?\d{1,9}$/.test(text)) throw badValue(name, 'must be a whole number');
  return Number(text);
}

/** One write in its transaction. */
class Write {
  constructor(
    private readonly call: ScimCall,
    private readonly provider: Provider,
    readonly transaction: Transaction,
    private readonly writer: ResourceWriter,
    private readonly hooks: WriteHooks,
    private readonly audit: AuditService,
    private readonly show: (id: string) => Promise<Represented>,
  ) {}

  async run(): Promise<ScimAnswer> {
    const { method, kind } = this.call;
    if (kind === GROUPS) return this.runGroup();
    switch (method) {
      case 'POST':
        return this.answer(201, await this.createUser());
      case 'DELETE':
        return this.deleteUser();
      default:
        return this.answer(200, await this.changeUser(method));
    }
  }

  private async answer(status: number, id: string): Promise<ScimAnswer> {
    return { status, ...(await this.show(id)) };
  }

  private get change() {
    const { caller, auditContext, kind } = this.call;
    const resource = kind === USERS ? users : groups;
    return { resource, caller, auditContext, provider: this.provider.id };
  }

  private rowChange(id: string): RowChange {
    return { ...this.change, id };
  }

  private async create(values: Json): Promise<string> {
    const made = await this.writer.createWithin(this, this.change, this.hooks, values);
    return String(made.representation.id);
  }

  private async createUser(): Promise<string> {
    const values = await this.linked(valuesOfResource(this.call.body, false));
    const { login } = values;
    if (typeof login !== 'string') throw badValue('userName', 'is required');
    const body = { status: USER_STATUS.active, ...values, lastName: lastNameIn(values) };
    const former = await this.deletedUser(login, values.externalId);
    if (former === undefined) return this.create(body);
    const whole = { ...valuesOfResource({}, true), ...body };
    await this.writer.assignWithin(this, this.rowChange(former), this.hooks, whole);
    return former;
  }

  /**
   * A user of the provider that a DELETE has archived: who comes back has the same id. The external id says that it is the
   * same person, because a login may be given to another one.
   * @throws ApiError 409 for an archived user who is not shown to be the same
   */
  private async deletedUser(login: string, externalId: unknown): Promise<string | undefined> {
    const { bind, values } = new Bindings();
    const [row] = await this.transaction.query<{ id: string; externalId: string | null }>({
      text: `SELECT t.id::text, t.external_id AS "externalId" FROM users t
        WHERE ${AS_LOGIN.compare('t.login', 'eq', bind(login))}
        AND t.managed_by_id = ${bind(this.provider.id)} AND t.status = ${USER_STATUS.archived} FOR NO KEY UPDATE`,
      values,
    });
    if (row && (row.externalId === null || row.externalId !== externalId)) throw taken('userName');
    return row?.id;
  }

  private async changeUser(method: string): Promise<string> {
    const { body } = this.call;
    const isPut = method === 'PUT';
    const given = isPut ? valuesOfResource(body, true) : valuesOfPatch(operationsOf(body));
    if (isPut && typeof given.login !== 'string') throw badValue('userName', 'is required');
    const values = await this.linked(isPut ? { ...given, lastName: lastNameIn(given) } : given);
    const { id } = await this.lock();
    await this.writer.assignWithin(this, this.rowChange(id), this.hooks, values);
    return id;
  }

  /** Deletes a user; archives one who has rights here, to whom others refer, or whom nobody manages. */
  private async deleteUser(): Promise<ScimAnswer> {
    const { id, isOwn } = await this.lock();
    const account = await accountOf(this.transaction, id);
    if (!isOwn || hasRights(account!)) await this.archive(id);
    else
      try {
        await this.writer.deleteWithin(this, this.rowChange(id), this.hooks);
      } catch (error) {
        if (!(error instanceof ApiError) || !error.details.references) throw error;
        await this.archive(id);
      }
    return { status: 204 };
  }

  /** Archives a user, who loses credentials, groups and roles as in a deletion: a restored one starts without them. */
  private async archive(id: string): Promise<void> {
    const status = USER_STATUS.archived;
    await this.writer.assignWithin(this, this.rowChange(id), this.hooks, { status });
    const [before] = await this.transaction.query<Json>({
      text: `WITH ${LOST.map((table) => `lost_${table} AS (DELETE FROM ${table} WHERE user_id = $1 RETURNING *)`).join(', ')}
        SELECT ARRAY(SELECT prefix FROM lost_api_keys) AS "apiKeys",
          ARRAY(SELECT group_id::text FROM lost_group_members) AS groups,
          ARRAY(SELECT reference FROM lost_role_assignments) AS "roleAssignments"`,
      values: [id],
    });
    if (!Object.values(before!).some((lost) => (lost as unknown[]).length > 0)) return;
    const entry = { action: 'update', objectUri: userUri(id), before } as const;
    await this.audit.record(this.transaction, this.call.auditContext, entry);
  }

  /** The values with the organization as a link. */
  private async linked(values: UserValues): Promise<UserValues> {
    const { organization } = values;
    if (typeof organization !== 'string') return values;
    const { bind, values: bound } = new Bindings();
    const name = bind(organization);
    const isReference = AS_IS.compare('o.reference', 'eq', name);
    const rows = await this.transaction.rows({
      text: `SELECT o.id, ${isReference} FROM organizations o
        WHERE ${isReference} OR ${folded('o.label')} = ${foldedValue(name)} ORDER BY 2 DESC LIMIT 2`,
      values: bound,
    });
    const [one, other] = rows;
    if (!one) throw badValue('department', `names no organization: '${organization}'`);
    if (one[1] !== true && other)
      throw badValue('department', `names several organizations: '${organization}'`);
    return { ...values, organization: { id: String(one[0]) } };
  }

  /**
   * Locks the row and checks the conditions of the call.
   * @throws ApiError 404, 412
   */
  private async lock(): Promise<{ id: string; isOwn: boolean }> {
    const { kind, id, ifMatch, ifNoneMatch } = this.call;
    if (id === undefined || !isId(id)) throw notFound();
    const { bind, values } = new Bindings();
    const [row] = await this.transaction.rows({
      text: `SELECT t.revision, t.managed_by_id IS NOT NULL FROM ${kind.table} t
        WHERE t.id = ${bind(id)} AND ${kind.visible(bind(this.provider.id))} FOR NO KEY UPDATE`,
      values,
    });
    if (!row) throw notFound();
    const revision = String(row[0]);
    if (ifMatch !== undefined && !namesRevision(ifMatch, revision)) throw stale();
    if (ifNoneMatch !== undefined && namesRevision(ifNoneMatch, revision)) throw excluded();
    return { id, isOwn: row[1] === true };
  }

  private async runGroup(): Promise<ScimAnswer> {
    const { method, body } = this.call;
    if (method === 'POST') {
      const id = await this.createGroup(changeOfResource(body));
      return this.answer(201, id);
    }
    if (method === 'DELETE') {
      const { id, isOwn } = await this.lock();
      if (!isOwn) throw notOwn('group');
      await this.writer.deleteWithin(this, this.rowChange(id), this.hooks);
      return { status: 204 };
    }
    const isPut = method === 'PUT';
    const change = isPut ? changeOfResource(body) : changeOfPatch(operationsOf(body));
    const { id, isOwn } = await this.lock();
    const { values } = change;
    if ('label' in values && values.label === null) throw badValue('displayName', 'is required');
    if (typeof values.label === 'string') await this.requireNewName(values.label, id);
    if (Object.keys(values).length > 0)
      await this.writer.assignWithin(this, this.rowChange(id), this.hooks, values);
    await this.changeMembers(id, change.members, isOwn || Object.keys(values).length > 0);
    return isPut ? this.answer(200, id) : { status: 204 };
  }

  private async createGroup({ values, members }: GroupChange): Promise<string> {
    const { label } = values;
    if (typeof label !== 'string') throw badValue('displayName', 'is required');
    await this.requireNewName(label);
    const id = await this.create(values);
    await this.changeMembers(id, members, true);
    return id;
  }

  /** Clients find groups by their names, so a provider sees no two with the same. */
  private async requireNewName(label: string, id = '0'): Promise<void> {
    await this.transaction.execute({
      text: 'SELECT pg_advisory_xact_lock($1, hashtext(lower($2)))',
      values: [NEW_GROUP, label],
    });
    const { bind, values } = new Bindings();
    const name = {
      kind: 'compare',
      attribute: 'displayName',
      operator: 'eq',
      value: label,
    } as const;
    const viewer = bind(this.provider.id);
    const same = compile(name, GROUPS.filterable(viewer), bind);
    const [row] = await this.transaction.rows({
      text: `SELECT 1 FROM groups t WHERE ${GROUPS.visible(viewer)} AND ${same} AND t.id <> ${bind(id)} LIMIT 1`,
      values,
    });
    if (row) throw taken('displayName');
  }

  /** Applies the changes in their order under the lock of the group, which becomes one of the provider. */
  private async changeMembers(id: string, changes: MemberChange[], isOwn: boolean): Promise<void> {
    const added: string[] = [];
    const removed: string[] = [];
    for (const { op, ids } of changes) {
      if (op !== 'add') removed.push(...(await this.removeMembers(id, ids, op)));
      if (op !== 'remove') added.push(...(await this.addMembers(id, ids)));
    }
    if (added.length + removed.length === 0 && (isOwn || changes.length === 0)) return;
    await this.transaction.execute({
      text: `UPDATE groups SET revision = revision + 1, modification_date = now(), managed_by_id = $2 WHERE id = $1`,
      values: [id, this.provider.id],
    });
    await this.recordMembers(id, 'add-member', added);
    await this.recordMembers(id, 'remove-member', removed);
  }

  private async removeMembers(id: string, ids: string[], op: 'remove' | 'set'): Promise<string[]> {
    const { bind, values } = new Bindings();
    const group = bind(id);
    const listed = `${bind(ids)}::bigint[]`;
    const those = op === 'remove' ? `x.user_id = ANY (${listed})` : `x.user_id <> ALL (${listed})`;
    const rows = await this.transaction.rows({
      text: `DELETE FROM group_members x USING users u WHERE x.group_id = ${group} AND u.id = x.user_id AND ${USERS.visible(bind(this.provider.id), 'u')} AND ${those} RETURNING x.user_id`,
      values,
    });
    return rows.map(([member]) => String(member));
  }

  /** @throws ApiError 400 for an id of neither a member nor a user whom the provider sees */
  private async addMembers(id: string, ids: string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const { bind, values } = new Bindings();
    const found = await this.transaction.rows({
      text: `SELECT t.id FROM users t WHERE t.id = ANY (${bind(ids)}::bigint[]) AND (${USERS.visible(bind(this.provider.id))}
          OR EXISTS (SELECT FROM group_members x WHERE x.group_id = ${bind(id)} AND x.user_id = t.id)) FOR KEY SHARE`,
      values,
    });
    const known = new Set(found.map(([member]) => String(member)));
    const unknown = ids.find((member) => !known.has(member));
    if (unknown !== undefined) throw badValue('members', `names no user: '${unknown}'`);
    const rows = await this.transaction.rows({
      text: 'INSERT INTO group_members (group_id, user_id) SELECT $1, unnest($2::bigint[]) ON CONFLICT DO NOTHING RETURNING user_id',
      values: [id, [...known]],
    });
    return rows.map(([member]) => String(member));
  }

  private async recordMembers(
    id: string,
    action: 'add-member' | 'remove-member',
    members: string[],
  ): Promise<void> {
    if (members.length === 0) return;
    const uris = members.map(userUri);
    const after = uris.length === 1 ? { member: uris[0] } : { members: uris };
    const objectUri = uriOf(groups.ref.uri, id);
    await this.audit.record(this.transaction, this.call.auditContext, { action, objectUri, after });
  }
}

/** SCIM requires no last name, and a user here has one. */
const lastNameIn = ({ lastName, title, login }: UserValues): unknown => lastName ?? title ?? login;

/** Whether a condition names a version: its revision, whatever was shown of the object. */
const namesRevision = (header: string, revision: string): boolean =>
  header.split(',').some((tag) => {
    const [, given] = /"(\d+)(?:-[^"]*)?"/.exec(tag) ?? [];
    return tag.trim() === '*' || given === revision;
  });
