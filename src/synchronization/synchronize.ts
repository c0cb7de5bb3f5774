import type { Config } from '../base/config/config.js';
import { SecretBox } from '../base/encryption/secret-box.js';
import { DedicatedConnection } from '../database/dedicated-connection.js';
import { findReferrers } from '../database/referrers.js';
import type { LdapSettings } from '../directory/ldap-settings.js';
import { secretOf } from '../directory/provider-secrets.js';
import { userUri } from '../security/user-uri.js';
import {
  type AuditContext,
  type AuditLine,
  recordAudit,
  recordAuditLines,
} from '../security/audit.service.js';
import { USER_STATUS } from '../security/user-status.js';
import { uriOf } from '../resources/uri.js';
import { providers } from '../directory/provider.resource.js';
import { connectImportable } from '../transfer/importable-resources.js';
import { applyGroups, applyPeople } from './apply-entries.js';
import { type RunChange, type RunContext, type Skipped } from './run-context.js';
import { bindOf, DirectoryUnreadable, LdapConnection } from './ldap-connection.js';
import {
  groupAttributes,
  personAttributes,
  rangedMembers,
  readGroup,
  readPerson,
  normalDn,
} from './read-entry.js';

/** The first key of the advisory locks of providers; the second is the id. */
const LOCK = 2_026_112_801;

/** Rows sent together. */
const BATCH = 1_000;

/** What a run did, or would do. */
export interface RunCounts {
  read: number;
  created: number;
  updated: number;
  unchanged: number;
  deactivated: number;
  deleted: number;
  archived: number;
  skipped: number;
  groups: number;
  groupsCreated: number;
  groupsUpdated: number;
  groupsReleased: number;
  membersAdded: number;
  membersRemoved: number;
}

export interface Run {
  id: string;
  counts: RunCounts;
  /** Whether the directory referred to entries elsewhere, so that nobody could count as missing. */
  isIncomplete: boolean;
  /** People who could not be kept, with the reason; all changes of a dry run. */
  changes: RunChange[];
}

export interface RunOptions {
  /** The id of the provider. */
  provider: string;
  isDryRun: boolean;
  /** Deactivates people however many they are. */
  withoutBrake?: boolean;
  /** Called with the number of entries read. */
  progress?: (read: number) => void;
}

/** A run that changed nothing, with a message for administrators. */
export class RunFailed extends Error {}

/** Most changes that a dry run lists. */
const MAX_CHANGES = 10_000;

interface ProviderRow {
  reference: string;
  kind: string;
  active: boolean;
  dryRun: boolean;
  ldap: LdapSettings | null;
}

/** A session that reads one directory, and what it knows of it. */
interface Reading {
  session: DedicatedConnection;
  settings: LdapSettings;
  provider: string;
  progress: ((read: number) => void) | undefined;
  counts: RunCounts;
}

/**
 * Compares a whole directory with the people and groups that its provider manages, and writes the differences in one
 * transaction (docs/ldap.md). Nothing is written when nothing has changed, when the directory could not be read to its
 * end, or when the brake holds. One run of a provider works at a time; what a killed one had read is gone, and the next
 * one begins anew.
 * @throws RunFailed with the reason
 */
export async function synchronize(config: Config, options: RunOptions): Promise<Run> {
  const { provider } = options;
  return DedicatedConnection.on(config, async (session) => {
    const [row] = await session.query<ProviderRow>({
      text: 'SELECT reference, kind, active, dry_run AS "dryRun", ldap FROM providers WHERE id = $1',
      values: [provider],
    });
    if (row?.kind !== 'ldap' || !row.ldap) throw new RunFailed('the provider has no LDAP settings');
    if (!row.active) throw new RunFailed('the provider is not active');
    const [lock] = await session.rows({
      text: 'SELECT pg_try_advisory_lock($1, $2)',
      values: [LOCK, Number(provider)],
    });
    if (lock?.[0] !== true) throw new RunFailed('another run of this provider is at work');
    const password = await secretOf(session, new SecretBox(config.env.SECRETS_KEY), provider);
    const isDryRun = options.isDryRun || row.dryRun;
    const id = await begin(session, provider, isDryRun);
    try {
      const auditContext = { actor: `ldap:${row.reference}` };
      const reading: Reading = {
        ...{ session, provider, settings: row.ldap, progress: options.progress },
        counts: noCounts(),
      };
      const isIncomplete = await read(reading, password);
      const changes = await apply(reading, {
        ...options,
        ...{ isDryRun, isIncomplete, auditContext },
      });
      await end(session, id, { state: 'done', counts: reading.counts, error: null });
      return { id, counts: reading.counts, isIncomplete, changes };
    } catch (error) {
      const isExpected = error instanceof RunFailed || error instanceof DirectoryUnreadable;
      const message = isExpected ? error.message : 'an unexpected error, which the log names';
      await end(session, id, { state: 'failed', counts: null, error: message }).catch(
        () => undefined,
      );
      throw isExpected ? new RunFailed(message) : error;
    }
  });
}

/** Notes the beginning of a run. Who holds the lock knows that earlier ones without an end were killed. */
async function begin(
  session: DedicatedConnection,
  provider: string,
  isDryRun: boolean,
): Promise<string> {
  await session.run(
    `UPDATE provider_runs SET state = 'interrupted', end_date = now()
      WHERE provider_id = $1 AND state = 'running'`,
    [provider],
  );
  const [row] = await session.rows({
    text: 'INSERT INTO provider_runs (provider_id, dry_run) VALUES ($1, $2) RETURNING id::text',
    values: [provider, isDryRun],
  });
  return String(row![0]);
}

async function end(
  session: DedicatedConnection,
  id: string,
  { state, counts, error }: { state: string; counts: RunCounts | null; error: string | null },
): Promise<void> {
  await session.run(
    'UPDATE provider_runs SET end_date = now(), state = $2, counts = $3, error = $4 WHERE id = $1',
    [id, state, counts && JSON.stringify(counts), error],
  );
}

const noCounts = (): RunCounts => ({
  ...{ read: 0, created: 0, updated: 0, unchanged: 0, deactivated: 0, deleted: 0, archived: 0 },
  ...{ skipped: 0, groups: 0, groupsCreated: 0, groupsUpdated: 0, groupsReleased: 0 },
  ...{ membersAdded: 0, membersRemoved: 0 },
});

/**
 * Reads the directory into temporary tables.
 * @returns whether it is incomplete
 * @throws DirectoryUnreadable
 */
async function read(reading: Reading, password: string | undefined): Promise<boolean> {
  const { session, settings, counts, progress } = reading;
  await session.run(`
    CREATE TEMP TABLE ldap_people (line integer, key text, dn text, login text, manager text, number text, given jsonb);
    CREATE TEMP TABLE ldap_groups (line integer, key text, dn text, label text, number text);
    CREATE TEMP TABLE ldap_members (group_line integer, dn text, login text)`);
  const { peopleBase, peopleFilter, groupsBase, groupsFilter, pageSize } = settings;
  let isIncomplete = false;
  await LdapConnection.on(settings, bindOf(settings, password), async (connection) => {
    const people = { filter: peopleFilter, attributes: personAttributes(settings), pageSize };
    for await (const page of connection.search(peopleBase, people)) {
      isIncomplete ||= page.isIncomplete;
      const rows = page.entries.map((entry) => {
        const { key, values, primaryGroup, ...person } = readPerson(entry, settings);
        isIncomplete ||= key === null;
        const { login = null } = values;
        return { ...person, key, login, number: primaryGroup, given: values, line: ++counts.read };
      });
      await insert(session, 'ldap_people', rows);
      progress?.(counts.read);
    }
    if (groupsBase === null) return;
    const filter = { filter: groupsFilter, attributes: groupAttributes(settings), pageSize };
    for await (const page of connection.search(groupsBase, filter)) {
      isIncomplete ||= page.isIncomplete;
      const rows: object[] = [];
      let members: object[] = [];
      for (const entry of page.entries) {
        const group = readGroup(entry, settings);
        isIncomplete ||= group.key === null;
        const line = ++counts.groups;
        rows.push({ line, key: group.key, dn: group.dn, label: group.label, number: group.number });
        for (const dn of group.members) members.push({ group_line: line, dn });
        for (const login of group.logins) members.push({ group_line: line, login });
        for (let { next } = group; next !== undefined;) {
          const more = await connection.rangeOf(entry.dn, next.attribute, next.from);
          if (more === undefined)
            throw new DirectoryUnreadable(`${entry.dn} was removed while it was read`);
          const range = rangedMembers(more);
          for (const dn of range.values) members.push({ group_line: line, dn: normalDn(dn) });
          next = range.next;
        }
        if (members.length >= BATCH) {
          await insert(session, 'ldap_members', members);
          members = [];
        }
      }
      await insert(session, 'ldap_groups', rows);
      await insert(session, 'ldap_members', members);
      progress?.(counts.read + counts.groups);
    }
  });
  await session.run('ANALYZE ldap_people; ANALYZE ldap_groups; ANALYZE ldap_members');
  return isIncomplete;
}

async function insert(session: DedicatedConnection, table: string, rows: object[]): Promise<void> {
  if (rows.length > 0)
    await session.run(
      `INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1)`,
      [JSON.stringify(rows)],
    );
}

/** Writes the differences, or finds them and rolls back. */
function apply(
  { session, provider, settings, counts, progress }: Reading,
  {
    isDryRun,
    isIncomplete,
    withoutBrake,
    auditContext,
  }: RunOptions & { isIncomplete: boolean; auditContext: AuditContext },
): Promise<RunChange[]> {
  connectImportable();
  return session.transaction(async () => {
    const changes: RunChange[] = [];
    const note = (change: RunChange): void => {
      if (changes.length < MAX_CHANGES) changes.push(change);
    };
    const skip = (skipped: Skipped): void => {
      counts.skipped++;
      note({ action: 'skip', ...skipped });
    };
    const written = (change: RunChange): void => {
      if (isDryRun) note(change);
    };
    if (!isIncomplete && withoutBrake !== true) await brake(session, provider, settings);
    const context = { session, provider, settings, auditContext, skip, written };
    const people = await applyPeople(context);
    const { created, updated, unchanged } = people;
    Object.assign(counts, { created, updated, unchanged });
    progress?.(counts.read);
    if (!isIncomplete) {
      counts.deactivated = await deactivateMissing(context);
      const { deleted, archived } = await endGrace(context);
      Object.assign(counts, { deleted, archived });
    }
    await session.run(
      `DELETE FROM missing_people m USING users u, ldap_people p
        WHERE u.id = m.user_id AND u.managed_by_id = $1 AND p.key = u.external_id`,
      [provider],
    );
    if (settings.groupsBase !== null)
      Object.assign(counts, await applyGroups(context, isIncomplete));
    const hasChanged = Object.entries(counts).some(
      ([name, count]) => !['read', 'unchanged', 'skipped', 'groups'].includes(name) && count > 0,
    );
    if (hasChanged)
      await recordAudit(session, auditContext, {
        action: 'import',
        objectUri: uriOf(providers.ref.uri, provider),
        after: counts,
      });
    return { keep: !isDryRun, result: changes };
  });
}

/** People of the provider, as `u`, who are not in the directory. */
const MISSING = `u.managed_by_id = $1 AND NOT EXISTS (SELECT FROM ldap_people p WHERE p.key = u.external_id)`;
const LEAVES = `u.status IN (${USER_STATUS.active}, ${USER_STATUS.invited})`;

/** @throws RunFailed when too many people would be deactivated, or too many groups lose their members */
async function brake(
  session: DedicatedConnection,
  provider: string,
  { brakeCount, brakePercent, groupsBase }: LdapSettings,
): Promise<void> {
  const count = async (text: string): Promise<[number, number]> => {
    const [row] = await session.rows({ text, values: [provider] });
    return row!.map(Number) as [number, number];
  };
  const check = ([leaving, all]: [number, number], what: string): void => {
    if (leaving > brakeCount || leaving * 100 > all * brakePercent)
      throw new RunFailed(
        `the brake holds: ${leaving} of ${all} ${what}, and at most ${brakeCount} or ${brakePercent} % may at once; nothing was changed`,
      );
  };
  const people = await count(
    `SELECT count(*) FILTER (WHERE p.key IS NULL OR (p.given ->> 'status')::int = ${USER_STATUS.inactive}), count(*)
      FROM users u LEFT JOIN ldap_people p ON p.key = u.external_id WHERE u.managed_by_id = $1 AND ${LEAVES}`,
  );
  check(people, 'people would be deactivated');
  if (groupsBase === null) return;
  const ofGroups = await count(
    `SELECT count(*) FILTER (WHERE l.key IS NULL), count(*)
      FROM groups g LEFT JOIN ldap_groups l ON l.key = g.external_id WHERE g.managed_by_id = $1`,
  );
  check(ofGroups, 'groups would lose their members');
}

/** Deactivates people who are not in the directory; a trigger ends their sessions. */
async function deactivateMissing({
  session,
  provider,
  auditContext,
  written,
}: RunContext): Promise<number> {
  await session.run(
    `INSERT INTO missing_people (user_id)
      SELECT u.id FROM users u WHERE ${MISSING} AND NOT EXISTS (SELECT FROM missing_people m WHERE m.user_id = u.id)`,
    [provider],
  );
  const rows = await session.query<{ id: string; login: string; before: number }>({
    text: `UPDATE users t SET status = ${USER_STATUS.inactive}, revision = t.revision + 1, modification_date = now()
      FROM users u WHERE u.id = t.id AND ${LEAVES} AND ${MISSING} RETURNING t.id::text, t.login, u.status AS before`,
    values: [provider],
  });
  await recordAuditLines(
    session,
    rows.map(({ id, before }) => ({
      auditContext,
      entry: {
        action: 'update',
        objectUri: userUri(id),
        before: { status: before },
        after: { status: USER_STATUS.inactive },
      },
    })),
  );
  for (const { login } of rows)
    written({ action: 'deactivate', name: login, reason: 'is not in the directory' });
  return rows.length;
}

/** Deletes people whose grace is over; who is referred to is archived instead. */
async function endGrace({
  session,
  provider,
  settings,
  auditContext,
  written,
}: RunContext): Promise<{ deleted: number; archived: number }> {
  const due = await session.query<{ id: string; login: string; status: number }>({
    text: `SELECT u.id::text, u.login, u.status FROM users u JOIN missing_people m ON m.user_id = u.id
      WHERE ${MISSING} AND u.status <> ${USER_STATUS.archived}
        AND m.missing_since < now() - make_interval(days => $2) ORDER BY u.id`,
    values: [provider, settings.graceDays],
  });
  const counts = { deleted: 0, archived: 0 };
  const lines: AuditLine[] = [];
  for (const { id, login, status } of due) {
    const reason = `has not been in the directory for ${settings.graceDays} days`;
    const isReferredTo = (await findReferrers(session, 'users', id)).length > 0;
    const objectUri = userUri(id);
    if (isReferredTo) {
      await session.run(
        `UPDATE users SET status = ${USER_STATUS.archived}, revision = revision + 1, modification_date = now() WHERE id = $1`,
        [id],
      );
      counts.archived++;
      const states = { before: { status }, after: { status: USER_STATUS.archived } };
      lines.push({ auditContext, entry: { action: 'update', objectUri, ...states } });
    } else {
      await session.run('DELETE FROM users WHERE id = $1', [id]);
      counts.deleted++;
      lines.push({ auditContext, entry: { action: 'delete', objectUri, before: { login } } });
    }
    written({ action: isReferredTo ? 'archive' : 'delete', name: login, reason });
  }
  await recordAuditLines(session, lines);
  return counts;
}
