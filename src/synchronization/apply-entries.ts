import { recordRows } from '../transfer/import.js';
import type { ImportableResource } from '../transfer/importable-resources.js';
import { parseRow } from '../transfer/parse-row.js';
import type { FileRecord } from '../transfer/records.js';
import { type Counts, Staging } from '../transfer/staging.js';
import { groups } from '../directory/group.resource.js';
import { users } from '../directory/user.resource.js';
import { completeUser } from '../directory/user.rules.js';
import { type AuditLine, recordAuditLines } from '../security/audit.service.js';
import { USER_STATUS } from '../security/user-status.js';
import { userUri } from '../security/user-uri.js';
import { groupUri, type RunContext } from './run-context.js';

/** Entries checked and sent together. */
const BATCH = 1_000;

type Values = Record<string, unknown>;

/** A row that the provider manages with the key `name`. */
const managedBy = (table: string, provider: string, name: string): string =>
  `SELECT t.id FROM ${table} t WHERE t.external_id = ${name} AND t.managed_by_id = ${provider}`;

/** A row with the key `name` that nobody manages, as `t`; the index of sort orders finds it. */
const released = (table: string, name: string): string =>
  `SELECT t.id FROM ${table} t WHERE fold(t.external_id COLLATE "C") = fold(${name} COLLATE "C") AND t.external_id = ${name}
    AND t.managed_by_id IS NULL`;

/** The first row of these statements, in their order: each finds its rows by an index, which an OR would not. */
const firstOf = (...selects: string[]): string =>
  `SELECT coalesce(${selects.map((select) => `(${select} ORDER BY t.id LIMIT 1)`).join(', ')})`;

/** Accounts that a provider never takes over, as `t`: their rights would be those of whom it names so. */
const PROTECTED = `(t.sysadmin OR t.service OR EXISTS (SELECT FROM role_assignments a WHERE a.user_id = t.id)
  OR EXISTS (SELECT FROM sources a WHERE a.service_account_id = t.id) OR EXISTS (SELECT FROM endpoints a WHERE a.account_id = t.id))`;

/** The row of a person with the key `name` and the login `login`. */
function rowOfPerson(
  { provider, settings }: RunContext,
  { name, login }: { name: string; login: string },
): string {
  const taken = `SELECT t.id FROM users t WHERE login_key(t.login) = login_key(${login}) AND t.managed_by_id IS NULL AND NOT ${PROTECTED}`;
  return firstOf(
    managedBy('users', provider, name),
    `${released('users', name)} AND NOT ${PROTECTED}`,
    ...(settings.takesOver ? [taken] : []),
  );
}

/** SQL of the temporary table of people that were read. */
export const PEOPLE_TABLE =
  'CREATE TEMP TABLE ldap_people (line integer, key text, dn text, login text, manager text, number text, given jsonb)';

/** Creates and updates people. */
export async function applyPeople(context: RunContext): Promise<Counts> {
  const { session, provider } = context;
  const kind: ImportableResource = {
    resource: users,
    key: 'externalId',
    also: [],
    columns: ['managed_by_id'],
    row: rowOfPerson(context, { name: 'g.name', login: `g.value ->> 'login'` }),
    complete: (values, created) => {
      const { title } = values;
      if (created || title === null) Object.assign(values, completeUser(values, created));
      return [];
    },
    // A login that another account has, or an earlier entry; and what decides who signs in to an account with roles. Bad
    // entries have no login here.
    faults: `
      SELECT s.line, 'login', 'taken', jsonb_build_object('attribute', 'login') FROM import_lines s
      JOIN users t ON login_key(t.login) = login_key(s.value ->> 'login') WHERE t.id IS DISTINCT FROM s.id
      UNION ALL
      SELECT line, 'login', 'taken', jsonb_build_object('attribute', 'login') FROM (
        SELECT line, min(line) OVER (PARTITION BY login_key(value ->> 'login')) AS first FROM import_lines
        WHERE value ->> 'login' IS NOT NULL) same
      WHERE line > first
      UNION ALL
      SELECT s.line, a.name, 'attributes-forbidden', jsonb_build_object('attributes', jsonb_build_array(a.name))
      FROM import_lines s JOIN users t USING (id) CROSS JOIN LATERAL (VALUES
        ('login', s.value ->> 'login' IS DISTINCT FROM t.login),
        ('email', s.value ->> 'email' IS DISTINCT FROM t.email),
        ('status', (s.value ->> 'status')::int = ${USER_STATUS.active} AND t.status <> ${USER_STATUS.active})) a (name, differs)
      WHERE s.value ? a.name AND a.differs AND ${PROTECTED}`,
  };
  const staging = new Staging(session, kind);
  await staging.create();
  const row = rowOfPerson(context, { name: 'p.key', login: 'p.login' });
  // Of the attributes of who is deactivated only the status is written: nothing of the entry may hold that up. The login
  // finds the row again.
  const given = `CASE WHEN (p.given ->> 'status')::int = ${USER_STATUS.inactive}
    THEN coalesce((SELECT jsonb_build_object('status', ${USER_STATUS.inactive}, 'login', t.login)
      FROM users t WHERE t.id = (${row}) AND t.status <> ${USER_STATUS.inactive}), p.given)
    ELSE p.given END AS given`;
  await stage(context, staging, kind, {
    rows: `SELECT p.line, p.key, p.login AS name, ${given}, (${row}) IS NULL AS created FROM ldap_people p WHERE p.line > $1 ORDER BY p.line LIMIT ${BATCH}`,
  });
  await staging.resolve();
  await noteFaults(context, staging, 'ldap_people', 'login');
  // A manager who is skipped stays the manager, and one whom an incremental run does not read is where an earlier one has
  // found them.
  const unread = `(SELECT d.user_id FROM directory_people d JOIN users u ON u.id = d.user_id AND u.managed_by_id = ${provider}
    WHERE md5(d.dn) = md5(p.manager) ORDER BY 1 LIMIT 1)`;
  const manager = `coalesce(${['m.id', 'k.id', ...(context.isFull ? [] : [unread])].join(', ')})`;
  await session.run(
    `UPDATE import_lines s SET value = s.value || jsonb_build_object('manager_id', ${manager}, 'managed_by_id', ${provider})
     FROM ldap_people p LEFT JOIN ldap_people b ON b.dn = p.manager LEFT JOIN import_lines m ON m.line = b.line
       LEFT JOIN users k ON m.id IS NULL AND k.managed_by_id = ${provider} AND k.external_id = b.key
     WHERE p.line = s.line`,
  );
  return write(context, staging, kind, 'ldap_people', 'login');
}

interface StagedEntry {
  line: number;
  key: string | null;
  name: string | null;
  given: Values;
  created: boolean;
}

async function stage(
  { session }: RunContext,
  staging: Staging,
  kind: ImportableResource,
  { rows, prepare }: { rows: string; prepare?: (entries: StagedEntry[]) => Promise<void> },
): Promise<void> {
  for (let last = 0; ;) {
    const entries = await session.query<StagedEntry>({ text: rows, values: [last] });
    if (entries.length === 0) return;
    last = entries.at(-1)!.line;
    await prepare?.(entries);
    await staging.add(
      entries.map(({ line, key, given, created }) => {
        const record: FileRecord = { line, given: { ...given, externalId: key }, faults: [] };
        return parseRow(kind, record, created);
      }),
    );
  }
}

/** Skips the entries that would be bad rows; those that exist stay as they are. */
async function noteFaults(
  { session, skip }: RunContext,
  staging: Staging,
  table: string,
  column: string,
): Promise<void> {
  for await (const { line, fields } of staging.faults()) {
    const [row] = await session.rows({
      text: `SELECT coalesce(${column}, dn) FROM ${table} WHERE line = $1`,
      values: [line],
    });
    const reason = fields.map(({ name, reason: why }) => `${name}: ${why.message}`).join('; ');
    skip({ name: String(row![0]), reason });
  }
  await staging.leaveOut();
}

async function write(
  { session, auditContext, written }: RunContext,
  staging: Staging,
  kind: ImportableResource,
  table: string,
  column: string,
): Promise<Counts> {
  const counts = await staging.write(true);
  await recordRows(session, staging, { kind, auditContext });
  const changed = await session.query<{ name: string; created: boolean }>({
    text: `SELECT p.${column} AS name, s.created FROM import_lines s JOIN ${table} p USING (line)
      WHERE s.created OR s.changed ORDER BY s.line LIMIT 10000`,
    values: [],
  });
  for (const { name, created } of changed)
    written(
      created
        ? { action: 'create', name, reason: 'is new in the directory' }
        : { action: 'update', name, reason: 'differs from the directory' },
    );
  return counts;
}

/** A text that can name a group in paths. */
const REFERENCE = /^[^\s/](?:[^/]{0,98}[^\s/])?$/u;

/**
 * Creates, updates and releases groups, and brings their members in step.
 * @param isIncomplete whether the directory left entries out: members may be in a group that was not read, so nobody is removed
 */
export async function applyGroups(
  context: RunContext,
  { hasMissing, isIncomplete }: { hasMissing: boolean; isIncomplete: boolean },
): Promise<Record<string, number>> {
  const { session, provider } = context;
  const row = (name: string): string =>
    firstOf(managedBy('groups', provider, name), released('groups', name));
  const kind: ImportableResource = {
    resource: groups,
    key: 'externalId',
    also: [],
    columns: ['managed_by_id'],
    row: row('g.name'),
  };
  const staging = new Staging(session, kind);
  await staging.create();
  const given = new Set<string>();
  await stage(context, staging, kind, {
    rows: `SELECT p.line, p.key, p.label AS name, jsonb_build_object('label', p.label) AS given, (${row('p.key')}) IS NULL AS created
      FROM ldap_groups p WHERE p.line > $1 ORDER BY p.line LIMIT ${BATCH}`,
    // A new group is named by its label, where no other is named so.
    prepare: async (entries) => {
      const fresh = entries.filter(({ created, name }) => created && REFERENCE.test(name ?? ''));
      const taken = await session.rows({
        text: 'SELECT reference FROM groups WHERE reference = ANY ($1)',
        values: [fresh.map(({ name }) => name)],
      });
      for (const [reference] of taken) given.add(String(reference));
      for (const entry of fresh) {
        if (given.has(entry.name!)) continue;
        given.add(entry.name!);
        entry.given.reference = entry.name;
      }
    },
  });
  await staging.resolve();
  await noteFaults(context, staging, 'ldap_groups', 'label');
  await session.run(
    `UPDATE import_lines SET value = value || jsonb_build_object('managed_by_id', ${provider})`,
  );
  const counts = await write(context, staging, kind, 'ldap_groups', 'label');
  const members = await applyMembers(context, isIncomplete);
  const groupsReleased = hasMissing ? await releaseMissing(context) : 0;
  const { created: groupsCreated, updated: groupsUpdated } = counts;
  return { groupsCreated, groupsUpdated, ...members, groupsReleased };
}

/**
 * Brings the members of groups in step. A member of a group within a group is one of the outer group too; UNION ends at a
 * group that contains itself.
 */
async function applyMembers(
  { session, provider, auditContext, written }: RunContext,
  isIncomplete: boolean,
): Promise<{ membersAdded: number; membersRemoved: number }> {
  await session.run(
    `CREATE TEMP TABLE ldap_wanted ON COMMIT DROP AS
     WITH RECURSIVE
       within AS (SELECT m.group_line AS outer_line, g.line FROM ldap_members m JOIN ldap_groups g ON g.dn = m.dn),
       reached AS (
         SELECT line AS outer_line, line FROM ldap_groups
         UNION SELECT r.outer_line, w.line FROM reached r JOIN within w ON w.outer_line = r.line),
       people AS MATERIALIZED (
         SELECT u.id, u.login, d.dn, d.number FROM directory_people d JOIN users u ON u.id = d.user_id AND u.managed_by_id = $1),
       direct AS (
         SELECT m.group_line, p.id FROM ldap_members m JOIN people p ON p.dn = m.dn
         UNION SELECT m.group_line, p.id FROM ldap_members m JOIN people p ON p.login = m.login
         UNION SELECT g.line, p.id FROM ldap_groups g JOIN people p ON p.number = g.number)
     SELECT DISTINCT t.id AS group_id, d.id AS user_id
     FROM reached r JOIN direct d ON d.group_line = r.line
       JOIN ldap_groups g ON g.line = r.outer_line JOIN groups t ON t.managed_by_id = $1 AND t.external_id = g.key`,
    [provider],
  );
  await session.run('ANALYZE ldap_wanted');
  const change = async (text: string, action: 'add-member' | 'remove-member'): Promise<number> => {
    const rows = await session.query<{ group: string; user: string }>({ text, values: [] });
    const lines: AuditLine[] = rows.map(({ group, user }) => ({
      auditContext,
      entry: { action, objectUri: groupUri(group), after: { member: userUri(user) } },
    }));
    await recordAuditLines(session, lines);
    for (const { group, user } of rows.slice(0, 10_000))
      written({ action: 'update', name: groupUri(group), reason: `${action} ${userUri(user)}` });
    return rows.length;
  };
  const remove = (): Promise<number> =>
    change(
      `DELETE FROM group_members m USING groups g WHERE g.id = m.group_id AND g.managed_by_id = ${provider}
       AND NOT EXISTS (SELECT FROM ldap_wanted w WHERE w.group_id = m.group_id AND w.user_id = m.user_id)
       AND EXISTS (SELECT FROM ldap_groups l WHERE l.key = g.external_id) RETURNING m.group_id::text AS group, m.user_id::text AS user`,
      'remove-member',
    );
  const membersRemoved = isIncomplete ? 0 : await remove();
  const membersAdded = await change(
    `INSERT INTO group_members (group_id, user_id)
     SELECT group_id, user_id FROM ldap_wanted w
     WHERE NOT EXISTS (SELECT FROM group_members m WHERE m.group_id = w.group_id AND m.user_id = w.user_id)
     RETURNING group_id::text AS group, user_id::text AS user`,
    'add-member',
  );
  return { membersAdded, membersRemoved };
}

/** Releases groups that the directory has no longer, without members: what refers to them stays. */
async function releaseMissing({
  session,
  provider,
  auditContext,
  written,
}: RunContext): Promise<number> {
  const missing = `g.managed_by_id = $1 AND NOT EXISTS (SELECT FROM ldap_groups l WHERE l.key = g.external_id)`;
  await session.run(
    `DELETE FROM group_members m USING groups g WHERE g.id = m.group_id AND ${missing}`,
    [provider],
  );
  const rows = await session.query<{ id: string; label: string }>({
    text: `UPDATE groups g SET managed_by_id = NULL, revision = revision + 1, modification_date = now()
      WHERE ${missing} RETURNING g.id::text, g.label`,
    values: [provider],
  });
  await recordAuditLines(
    session,
    rows.map(({ id }) => ({
      auditContext,
      entry: {
        action: 'update',
        objectUri: groupUri(id),
        before: { managedBy: provider },
        after: { managedBy: null, members: [] },
      },
    })),
  );
  for (const { label } of rows)
    written({ action: 'update', name: label, reason: 'released: it is not in the directory' });
  return rows.length;
}
