import type { Entry } from 'ldapts';
import type { Config } from '../base/config/config.js';
import { LOCK_TIMEOUT } from '../database/connection-options.js';
import { DedicatedConnection } from '../database/dedicated-connection.js';
import { isSecret, mappingOf } from '../directory/ldap-settings.js';
import { userUri } from '../security/user-uri.js';
import { connectImportable } from '../transfer/importable-resources.js';
import { applyPeople, PEOPLE_TABLE } from './apply-entries.js';
import { applyPhotos, PHOTOS_TABLE, stagePhotos } from './apply-photos.js';
import { BINARY, bindOf, LdapConnection, REQUEST_TIMEOUT } from './ldap-connection.js';
import type { Directory } from './directory.js';
import { type DirectoryPerson, personAttributes, readPerson } from './read-entry.js';
import type { RunChange, Skipped } from './run-context.js';

/** Most entries with one login. */
const MAX_ENTRIES = 20;

/** Most values of an attribute, and most characters of a value, that a test shows. */
const MAX_VALUES = 20;
const MAX_LENGTH = 2_000;

/** An attribute of an entry as the directory has it; binary values are in Base64. */
export interface RawAttribute {
  name: string;
  values: string[];
  isBinary: boolean;
  /** Whether it has further or longer values. */
  isCut: boolean;
  /** Whether the values are secret, and left out. */
  isSecret: boolean;
}

/** One entry with the login of a test. */
export interface TestedEntry {
  dn: string;
  attributes: RawAttribute[];
  /** What the mapping makes of it: attributes of a user, the key as `externalId`, the manager as its DN. */
  values: Record<string, unknown>;
  /** What a run would do with it. */
  action: RunChange['action'] | 'none';
  reason: string | null;
  /** The user that it is, or would become again. */
  user: string | null;
  /** The attributes that would change, before and after. */
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

/**
 * Finds the entries of a login, and what a run would do with each of them. Nothing is written.
 * @throws DirectoryUnreadable
 */
export async function testPerson(
  config: Config,
  { provider, settings, password }: Directory,
  login: string,
): Promise<TestedEntry[]> {
  const attribute = mappingOf(settings).login ?? 'uid';
  const wanted = { attribute, value: login };
  const found = await LdapConnection.on(
    settings,
    bindOf(settings, password),
    async (connection) => {
      const all = ['*', ...personAttributes(settings)];
      // As a run reads them, and again with the bytes of what is no text.
      const { photo = '' } = mappingOf(settings);
      const people = await connection.findPeople(settings, wanted, all, {
        ...{ buffers: [...BINARY, photo], sizeLimit: MAX_ENTRIES },
      });
      const entries = await connection.findPeople(settings, wanted, all, {
        ...{ buffers: binaryIn(people), sizeLimit: MAX_ENTRIES },
      });
      return entries.map((entry) => ({
        entry,
        person: readPerson(people.find(({ dn }) => dn === entry.dn) ?? entry, settings),
      }));
    },
    REQUEST_TIMEOUT,
  );
  const tested: TestedEntry[] = [];
  for (const { entry, person } of found) {
    const outcome = await outcomeOf(config, { provider, settings }, person);
    const { key, values, manager, photo } = person;
    tested.push({
      dn: entry.dn,
      attributes: rawAttributes(entry, mappingOf(settings).photo),
      values: { ...values, externalId: key, manager, ...(photo && { photo: sizeOf(photo) }) },
      ...outcome,
    });
  }
  return tested;
}

/** The attributes whose values are no UTF-8. */
function binaryIn(entries: Entry[]): string[] {
  const names = entries.flatMap((entry) =>
    Object.entries(entry).flatMap(([name, value]) =>
      [value].flat().some((one) => Buffer.isBuffer(one) || one.includes('\ufffd')) ? [name] : [],
    ),
  );
  return [...new Set([...BINARY, ...names])];
}

/** What a test says of a picture instead of its bytes. */
const sizeOf = ({ length }: string | Buffer): string => `${length} bytes`;

function rawAttributes(entry: Entry, photo: string | undefined): RawAttribute[] {
  return Object.entries(entry)
    .filter(([name, value]) => name !== 'dn' && [value].flat().length > 0)
    .map(([name, value]) => {
      const values = [value].flat();
      const hidden = isSecret(name);
      if (name.toLowerCase() === photo?.toLowerCase())
        return { name, values: values.map(sizeOf), isBinary: false, isCut: true, isSecret: false };
      const shown = values
        .slice(0, MAX_VALUES)
        .map((one) => (Buffer.isBuffer(one) ? one.toString('base64') : one));
      return {
        name,
        values: hidden ? [] : shown.map((one) => one.slice(0, MAX_LENGTH)),
        isBinary: values.some((one) => Buffer.isBuffer(one)),
        isCut: values.length > MAX_VALUES || shown.some((one) => one.length > MAX_LENGTH),
        isSecret: hidden,
      };
    });
}

/**
 * Lets a run see this entry alone, and takes back what it wrote. It does not know the manager's entry, so that it compares no
 * manager.
 */
function outcomeOf(
  config: Config,
  { provider, settings }: Pick<Directory, 'provider' | 'settings'>,
  { key, dn, values, manager, primaryGroup, photo }: DirectoryPerson,
): Promise<Pick<TestedEntry, 'action' | 'reason' | 'user' | 'before' | 'after'>> {
  connectImportable();
  return DedicatedConnection.on(config, (session) =>
    session.transaction(async () => {
      const changes: RunChange[] = [];
      // A test fails rather than wait for a run that holds the same rows.
      await session.run(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`);
      await session.run(`${PEOPLE_TABLE} ON COMMIT DROP; ${PHOTOS_TABLE} ON COMMIT DROP`);
      await session.run('INSERT INTO ldap_people VALUES (1, $1, $2, $3, $4, $5, $6)', [
        ...[key, dn, values.login ?? null, manager, primaryGroup],
        JSON.stringify(values),
      ]);
      const note = (change: RunChange): number => changes.push(change);
      const context = {
        ...{ session, provider, settings, isFull: true, auditContext: { actor: 'test' } },
        skip: (skipped: Skipped) => note({ action: 'skip', ...skipped }),
        written: note,
      };
      await applyPeople(context);
      const [user] = await session.rows({
        text: 'SELECT id FROM users WHERE external_id = $1 AND managed_by_id = $2',
        values: [key, provider],
      });
      const uri = user ? userUri(String(user[0])) : null;
      const [line] = await session.query<Partial<Pick<TestedEntry, 'before' | 'after'>>>({
        text: `SELECT before, after FROM audit WHERE object_uri = $1 AND actor_login = 'test'
          AND xmin = pg_current_xact_id()::xid ORDER BY id DESC LIMIT 1`,
        values: [uri],
      });
      const { manager: _before, ...before } = line?.before ?? {};
      const { manager: _after, ...after } = line?.after ?? {};
      const [change] = changes.splice(0);
      if (mappingOf(settings).photo !== undefined && change?.action !== 'skip') {
        await stagePhotos(session, provider, [{ line: 1, key, photo }]);
        await applyPhotos(context);
      }
      const [picture] = changes;
      const isNothing = change?.action !== 'create' && Object.keys(after).length === 0;
      const main = isNothing && change?.action !== 'skip' ? picture : change;
      if (picture?.action === 'update') after.photo = photo && sizeOf(photo);
      const isSame = !main || (main === picture && main.action === 'skip');
      const result = {
        action: isSame ? ('none' as const) : main.action,
        reason: main?.reason ?? null,
        user: change?.action === 'create' ? null : uri,
        before,
        after,
      };
      return { keep: false, result };
    }),
  );
}
