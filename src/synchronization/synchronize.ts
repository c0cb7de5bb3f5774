import type { Config } from '../base/config/config.js';
import { reason } from '../base/errors/reason.js';
import { DedicatedConnection } from '../database/dedicated-connection.js';
import { findReferrers } from '../database/referrers.js';
import { type LdapSettings, mappingOf } from '../directory/ldap-settings.js';
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
import { applyGroups, applyPeople, PEOPLE_TABLE } from './apply-entries.js';
import { applyPhotos, PHOTOS_TABLE, stagePhotos } from './apply-photos.js';
import { type Directory, findDirectory } from './directory.js';
import { type RunChange, type RunContext, type Skipped } from './run-context.js';
import { noCounts, type RunCounts } from './run-counts.js';
import { Braked, cookieOf, lockProvider, RunFailed, RunRecord, RunRefused } from './run-records.js';
import { ChangeReader, type Cookie } from './cookie.js';
import { BINARY, bindOf, DirectoryUnreadable, LdapConnection } from './ldap-connection.js';
import {
  groupAttributes,
  personAttributes,
  placeAttributes,
  rangedMembers,
  readGroup,
  readPerson,
  normalDn,
} from './read-entry.js';

/** Rows sent together. */
const BATCH = 1_000;

/** Most entries of a page with pictures, which are in memory together. */
const PICTURES = 50;

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
  /** Reads everything, not only what has changed since the last run; the default. */
  isFull?: boolean;
  /** Deactivates people however many they are. */
  withoutBrake?: boolean;
  /** Called with the id of the run once it has begun. */
  started?: (id: string) => void;
  /** Called with the number of entries read. */
  progress?: (read: number) => void;
  /** Ends the run without a change. */
  signal?: AbortSignal;
}

/** Most changes that a dry run lists. */
const MAX_CHANGES = 10_000;

/** Longest name of an entry in a change, in characters: a DN can be long. */
const MAX_NAME = 300;

/** A session that reads one directory, and what it knows of it. */
interface Reading {
  session: DedicatedConnection;
  settings: LdapSettings;
  provider: string;
  record: RunRecord;
  progress: (read: number) => Promise<void>;
  counts: RunCounts;
}

/**
 * Compares a whole directory, or what has changed in it since the last run, with the people and groups that its provider
 * manages, and writes the differences in one transaction (docs/ldap.md). Nothing is written when nothing has changed, when
 * the directory could not be read to its end, or when the brake holds. One run of a provider works at a time; what a killed
 * one had read is gone, and the next one begins anew.
 * @throws RunRefused before the run has begun, RunFailed with the reason afterwards
 */
export async function synchronize(config: Config, options: RunOptions): Promise<Run> {
  const { provider, signal } = options;
  return DedicatedConnection.on(config, async (session) => {
    const { reference, settings, password, ...directory } = await readableDirectory(
      session,
      config,
      provider,
    );
    if (!(await lockProvider(session, provider))) throw new RunRefused(reason('run-at-work'));
    const close = (): void => void session.client.end();
    signal?.addEventListener('abort', close);
    const isDryRun = options.isDryRun || directory.isDryRun;
    const { isFull = true } = options;
    const record = await RunRecord.begin(session, provider, { isDryRun, isFull });
    const cookie = isFull ? undefined : await cookieOf(session, provider);
    options.started?.(record.id);
    try {
      const auditContext = { actor: `ldap:${reference}` };
      const reading: Reading = {
        ...{ session, provider, record, settings, counts: noCounts() },
        progress: async (read) => {
          options.progress?.(read);
          await record.note(read);
        },
      };
      const found = await read(reading, { password, cookie });
      if (found.isFull && !isFull) await record.becomesFull();
      const changes = await apply(reading, { ...options, ...found, isDryRun, auditContext });
      const { isIncomplete } = found;
      return { id: record.id, counts: reading.counts, isIncomplete, changes };
    } catch (error) {
      const isExpected = error instanceof RunFailed || error instanceof DirectoryUnreadable;
      const message = isExpected ? error.message : 'an unexpected error, which the log names';
      await record
        .end({ state: 'failed', error: message, brake: error instanceof Braked })
        .catch(() => undefined);
      throw error instanceof DirectoryUnreadable ? new RunFailed(message) : error;
    } finally {
      signal?.removeEventListener('abort', close);
    }
  });
}

/** @throws RunRefused when the provider cannot be read */
async function readableDirectory(
  session: DedicatedConnection,
  config: Config,
  provider: string,
): Promise<Directory> {
  const directory = await findDirectory(session, config, provider);
  if (!directory) throw new RunRefused(reason('no-ldap-settings'));
  if (!directory.isActive) throw new RunRefused(reason('provider-inactive'));
  return directory;
}

/** What a run has read. */
interface Found {
  /** Whether everything was read. */
  isFull: boolean;
  /** Whether the directory left out entries, or groups were not read: nobody counts as missing. */
  isIncomplete: boolean;
  hasGroups: boolean;
  cookie: Cookie | undefined;
}

/**
 * Reads the directory, or what has changed in it, into temporary tables.
 * @throws DirectoryUnreadable
 */
async function read(
  reading: Reading,
  { password, cookie }: { password: string | undefined; cookie: Cookie | undefined },
): Promise<Found> {
  const { session, settings } = reading;
  await session.run(`
    ${PEOPLE_TABLE};
    ${PHOTOS_TABLE};
    CREATE TEMP TABLE ldap_places (key text, dn text, number text);
    CREATE TEMP TABLE ldap_groups (line integer, key text, dn text, label text, number text);
    CREATE TEMP TABLE ldap_members (group_line integer, dn text, login text)`);
  const { groupsBase } = settings;
  return LdapConnection.on(settings, bindOf(settings, password), async (connection) => {
    const changes = await ChangeReader.of(connection, settings, cookie);
    const { filter } = changes;
    let isIncomplete = await readPeople(reading, connection, changes);
    const hasGroups =
      groupsBase !== null &&
      (filter === undefined || (await concernsGroups(reading, connection, filter)));
    if (hasGroups && filter !== undefined) await readPlaces(reading, connection);
    else await session.run('INSERT INTO ldap_places SELECT key, dn, number FROM ldap_people');
    if (hasGroups) isIncomplete = (await readGroups(reading, connection, changes)) || isIncomplete;
    await session.run(
      'ANALYZE ldap_people; ANALYZE ldap_photos (line); ANALYZE ldap_places; ANALYZE ldap_groups; ANALYZE ldap_members',
    );
    // What was left out has to be read again.
    const next = isIncomplete ? cookie : changes.next();
    return { isFull: filter === undefined, isIncomplete, hasGroups, cookie: next };
  });
}

/** @returns whether entries are missing */
async function readPeople(
  { session, settings, provider, counts, progress }: Reading,
  connection: LdapConnection,
  changes: ChangeReader,
): Promise<boolean> {
  const { peopleBase, peopleFilter } = settings;
  const { photo } = mappingOf(settings);
  const pageSize = photo === undefined ? settings.pageSize : Math.min(settings.pageSize, PICTURES);
  const buffers = photo === undefined ? BINARY : [...BINARY, photo];
  const attributes = [...personAttributes(settings), ...changes.attributes];
  const filter = both(peopleFilter, changes.filter);
  let isIncomplete = false;
  for await (const page of connection.search(peopleBase, {
    ...{ filter, attributes, pageSize, buffers },
  })) {
    isIncomplete ||= page.isIncomplete;
    const pictures: Parameters<typeof stagePhotos>[2] = [];
    const rows = page.entries.map((entry) => {
      changes.note(entry);
      const { key, values, primaryGroup, photo: picture, ...person } = readPerson(entry, settings);
      isIncomplete ||= key === null;
      const { login = null } = values;
      const line = ++counts.read;
      pictures.push({ line, key, photo: picture });
      return { ...person, key, login, number: primaryGroup, given: values, line };
    });
    await insert(session, 'ldap_people', rows);
    if (photo !== undefined) await stagePhotos(session, provider, pictures);
    await progress(counts.read);
  }
  return isIncomplete;
}

/** Reads where all people are: with a part of the tree that moves, the entries below do not change, and their DNs do. */
async function readPlaces(
  { session, settings }: Reading,
  connection: LdapConnection,
): Promise<void> {
  const { peopleBase, peopleFilter: filter, pageSize } = settings;
  const attributes = placeAttributes(settings);
  for await (const { entries } of connection.search(peopleBase, { filter, attributes, pageSize })) {
    const people = entries.map((entry) => readPerson(entry, settings));
    const rows = people.map(({ key, dn, primaryGroup }) => ({ key, dn, number: primaryGroup }));
    await insert(session, 'ldap_places', rows);
  }
}

const both = (filter: string, changed: string | undefined): string =>
  changed === undefined ? filter : `(&${filter}${changed})`;

/**
 * Whether groups have to be read: one has changed, or somebody is new or elsewhere whom an unchanged group may name. They
 * are then read as a whole, because groups contain each other.
 */
async function concernsGroups(
  { session, provider, settings }: Reading,
  connection: LdapConnection,
  changed: string,
): Promise<boolean> {
  const { groupsBase, groupsFilter, pageSize } = settings;
  const search = { filter: both(groupsFilter, changed), attributes: ['1.1'], pageSize };
  for await (const { entries } of connection.search(groupsBase!, search))
    if (entries.length > 0) return true;
  const moved = await session.rows({
    text: `SELECT 1 FROM ldap_people p WHERE NOT EXISTS (
        SELECT FROM users u JOIN directory_people d ON d.user_id = u.id
        WHERE u.managed_by_id = $1 AND u.external_id = p.key AND u.status = ${USER_STATUS.active} AND u.login = p.login
          AND d.dn = p.dn AND d.number IS NOT DISTINCT FROM p.number) LIMIT 1`,
    values: [provider],
  });
  return moved.length > 0;
}

/** @returns whether entries are missing */
async function readGroups(
  { session, settings, counts, progress }: Reading,
  connection: LdapConnection,
  changes: ChangeReader,
): Promise<boolean> {
  const { groupsBase, groupsFilter, pageSize } = settings;
  const attributes = [...groupAttributes(settings), ...changes.attributes];
  let isIncomplete = false;
  const search = { filter: groupsFilter, attributes, pageSize };
  for await (const page of connection.search(groupsBase!, search)) {
    isIncomplete ||= page.isIncomplete;
    const rows: object[] = [];
    let members: object[] = [];
    for (const entry of page.entries) {
      changes.note(entry);
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
    await progress(counts.read + counts.groups);
  }
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
async function apply(
  { session, provider, settings, record, counts }: Reading,
  {
    isDryRun,
    isFull,
    isIncomplete,
    hasGroups,
    cookie,
    withoutBrake,
    auditContext,
  }: RunOptions & Found & { auditContext: AuditContext },
): Promise<RunChange[]> {
  connectImportable();
  const changes = await session.transaction(async () => {
    const found: RunChange[] = [];
    const note = (change: RunChange): void => {
      if (found.length < MAX_CHANGES)
        found.push({ ...change, name: [...change.name].slice(0, MAX_NAME).join('') });
    };
    const skip = (skipped: Skipped): void => {
      counts.skipped++;
      note({ action: 'skip', ...skipped });
    };
    const written = (change: RunChange): void => {
      if (isDryRun) note(change);
    };
    const hasMissing = isFull && !isIncomplete;
    if (withoutBrake !== true) await brake(session, provider, { settings, hasMissing });
    const context = { session, provider, settings, isFull, auditContext, skip, written };
    const people = await applyPeople(context);
    const pictured = mappingOf(settings).photo === undefined ? 0 : await applyPhotos(context);
    const { created, updated, unchanged } = people;
    Object.assign(counts, {
      ...{ created, updated: updated + pictured, unchanged: unchanged - pictured },
    });
    await keepPlaces(context, hasMissing);
    if (hasMissing) {
      counts.deactivated = await deactivateMissing(context);
      const { deleted, archived } = await endGrace(context);
      Object.assign(counts, { deleted, archived });
    }
    await session.run(
      `DELETE FROM missing_people m USING users u, ldap_people p
        WHERE u.id = m.user_id AND u.managed_by_id = $1 AND p.key = u.external_id`,
      [provider],
    );
    if (hasGroups) Object.assign(counts, await applyGroups(context, { hasMissing, isIncomplete }));
    const hasChanged = Object.entries(counts).some(
      ([name, count]) => !['read', 'unchanged', 'skipped', 'groups'].includes(name) && count > 0,
    );
    if (hasChanged)
      await recordAudit(session, auditContext, {
        action: 'import',
        objectUri: uriOf(providers.ref.uri, provider),
        after: counts,
      });
    if (!isDryRun) await record.end({ state: 'done', counts, changes: found, cookie });
    return { keep: !isDryRun, result: found };
  });
  if (isDryRun) await record.end({ state: 'done', counts, changes });
  return changes;
}

/** People of the provider, as `u`, who are not in the directory. */
const MISSING = `u.managed_by_id = $1 AND NOT EXISTS (SELECT FROM ldap_people p WHERE p.key = u.external_id)`;
const LEAVES = `u.status IN (${USER_STATUS.active}, ${USER_STATUS.invited})`;

/** @throws Braked when too many people would be deactivated, or too many groups lose their members */
async function brake(
  session: DedicatedConnection,
  provider: string,
  { settings, hasMissing }: { settings: LdapSettings; hasMissing: boolean },
): Promise<void> {
  const { brakeCount, brakePercent, groupsBase } = settings;
  const count = async (text: string): Promise<[number, number]> => {
    const [row] = await session.rows({ text, values: [provider] });
    return row!.map(Number) as [number, number];
  };
  const check = ([leaving, all]: [number, number], what: string): void => {
    if (leaving > brakeCount || leaving * 100 > all * brakePercent)
      throw new Braked(
        `the brake holds: ${leaving} of ${all} ${what}, and at most ${brakeCount} or ${brakePercent} % may at once; nothing was changed`,
      );
  };
  const people = await count(
    `SELECT count(*) FILTER (WHERE ${hasMissing ? 'p.key IS NULL OR ' : ''}(p.given ->> 'status')::int = ${USER_STATUS.inactive}), count(*)
      FROM users u LEFT JOIN ldap_people p ON p.key = u.external_id WHERE u.managed_by_id = $1 AND ${LEAVES}`,
  );
  check(people, 'people would be deactivated');
  if (groupsBase === null || !hasMissing) return;
  const ofGroups = await count(
    `SELECT count(*) FILTER (WHERE l.key IS NULL), count(*)
      FROM groups g LEFT JOIN ldap_groups l ON l.key = g.external_id WHERE g.managed_by_id = $1`,
  );
  check(ofGroups, 'groups would lose their members');
}

/** Keeps where people are in the directory, by which later runs find members and managers whom they do not read. */
async function keepPlaces({ session, provider }: RunContext, hasMissing: boolean): Promise<void> {
  const managed = `u.id = d.user_id AND u.managed_by_id = $1`;
  // Somebody else may have the DN now.
  const former = `EXISTS (SELECT FROM ldap_places p WHERE md5(p.dn) = md5(d.dn) AND p.key <> u.external_id)`;
  const missing = `NOT EXISTS (SELECT FROM ldap_people p WHERE p.key = u.external_id)`;
  await session.run(
    `DELETE FROM directory_people d USING users u WHERE ${managed} AND (${hasMissing ? missing : former})`,
    [provider],
  );
  await session.run(
    `INSERT INTO directory_people AS d (user_id, dn, number)
      SELECT DISTINCT ON (u.id) u.id, p.dn, p.number FROM ldap_places p
      JOIN users u ON u.managed_by_id = $1 AND u.external_id = p.key ORDER BY u.id, p.dn
      ON CONFLICT (user_id) DO UPDATE SET dn = excluded.dn, number = excluded.number
      WHERE (d.dn, d.number) IS DISTINCT FROM (excluded.dn, excluded.number)`,
    [provider],
  );
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
