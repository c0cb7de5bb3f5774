import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { demoMigrations } from '../../migrations/demo/index.js';
import { functions, migrations } from '../../migrations/index.js';
import { type Config, loadConfig } from '../../src/base/config/config.js';
import { migrate, type MigrationPlan } from '../../src/database/migrate.js';
import { LATER } from '../support/later-migrations.js';
import { backUp } from '../../src/transfer/backup.js';
import { restore } from '../../src/transfer/restore.js';
import { runCommand } from '../support/command-line.js';
import { startServerProcess } from '../support/server-process.js';
import {
  createTestDatabase,
  superuser,
  sysadminPassword,
  type TestDatabase,
} from '../support/test-database.js';
import { DEMO_PASSWORD, send, startTestServer, type TestServer } from '../support/test-server.js';

const PLAN = { migrations, functions, demonstration: demoMigrations };

let server: TestServer;
let folder: string;
let archive: string;
let token: string;
let counts: Record<string, number>;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.signIn('alice.martin');
  folder = await mkdtemp(join(tmpdir(), 'process-platform-backup-'));
  archive = join(folder, 'backup.gz');
  counts = await backUpInto(archive);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const configOf = ({ connection }: Pick<TestDatabase, 'connection'>): Config =>
  loadConfig({ DEMO_DATA: 'false' }).withDatabase(connection);

async function backUpInto(
  path: string,
  key?: Buffer,
  from: Pick<TestDatabase, 'connection'> = server.database,
): Promise<Record<string, number>> {
  const pieces: Buffer[] = [];
  const rows = await backUp(configOf(from), {
    server: '1.2.3',
    key,
    write: (piece) => Promise.resolve(void pieces.push(piece)),
  });
  await writeFile(path, Buffer.concat(pieces));
  return rows;
}

const restoreInto = (
  database: Pick<TestDatabase, 'connection'>,
  options: {
    path?: string;
    key?: Buffer;
    force?: boolean;
    asSuperuser?: boolean;
    plan?: MigrationPlan;
  } = {},
) =>
  restore(configOf(database), {
    path: archive,
    plan: PLAN,
    force: false,
    asSuperuser: false,
    auditContext: { actor: 'test' },
    ...options,
  });

/** The content of a database as far as a backup holds it, as text. */
async function contentOf(database: TestDatabase): Promise<Record<string, unknown>> {
  const content: Record<string, unknown> = {};
  for (const table of Object.keys(counts))
    [content[table]] = await database.query(
      `SELECT count(*), md5(string_agg(t::text, '|' ORDER BY t::text)) FROM ${table} t ${table === 'audit' ? `WHERE action <> 'restore'` : ''}`,
    );
  return content;
}

/** Tables, columns, indexes, constraints, triggers. */
const schemaOf = (database: TestDatabase) =>
  database.query(
    `SELECT indexdef AS part FROM pg_indexes WHERE schemaname = 'public'
     UNION ALL SELECT conrelid::regclass::text || conname || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conname !~ '^PK_|demo_migrations'
     UNION ALL SELECT pg_get_triggerdef(oid) || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
     ORDER BY 1`,
  );

describe('backup and restore', () => {
  it('restores every row, key, index and trigger, and no session', async () => {
    const database = await createTestDatabase({ empty: true });
    expect(await restoreInto(database)).toEqual(counts);
    expect(await contentOf(database)).toEqual(await contentOf(server.database));
    const withoutHistories = (parts: { part?: string }[]) =>
      parts.filter(({ part }) => !/migrations/.test(String(part)));
    expect(withoutHistories(await schemaOf(database))).toEqual(
      withoutHistories(await schemaOf(server.database)),
    );
    expect(await database.query('SELECT FROM tokens')).toEqual([]);
    expect(await database.query('SELECT name FROM migrations ORDER BY id')).toEqual(
      migrations.map(({ name }) => ({ name })),
    );
    const [{ fresh } = {}] = await database.query<{ fresh: boolean }>(
      `INSERT INTO users (login, last_name, title) VALUES ('new', 'New', 'New') RETURNING id > (SELECT max(id) FROM groups) AS fresh`,
    );
    expect(fresh).toBe(true);
    const [line] = await database.query(
      `SELECT actor_login, after FROM audit WHERE action = 'restore'`,
    );
    expect(line).toEqual({
      actor_login: 'test',
      after: { date: expect.any(String), server: '1.2.3', rows: counts },
    });
    await database.drop();
  }, 120_000);

  it('restores lines of the audit trail into the parts of their months', async () => {
    const [source, database] = [
      await createTestDatabase(),
      await createTestDatabase({ empty: true }),
    ];
    await source.query(
      `INSERT INTO audit (date, actor_login, action) VALUES ('2020-05-05', 'past', 'sign-in')`,
    );
    const path = join(folder, 'past.backup');
    await backUpInto(path, undefined, source);
    await restoreInto(database, { path });
    const lines = `SELECT tableoid::regclass::text AS part FROM audit WHERE actor_login = 'past'`;
    expect(await database.query(lines)).toEqual([{ part: 'audit_2020_05' }]);
    await source.drop();
    await database.drop();
  }, 120_000);

  it('refuses a database that holds something, and replaces it when forced', async () => {
    const database = await createTestDatabase();
    await expect(restoreInto(database)).rejects.toThrow(
      'the database is not empty: restore into an empty one, or drop what it holds with --force',
    );
    await database.query(`INSERT INTO users (login, last_name, title) VALUES ('x', 'X', 'X')`);
    await restoreInto(database, { force: true });
    expect(await contentOf(database)).toEqual(await contentOf(server.database));
    await database.drop();
  }, 120_000);

  it('refuses a database that a server runs on', async () => {
    await expect(restoreInto(server.database, { force: true })).rejects.toThrow(
      'a server is running on this database: stop it first',
    );
  });

  it.each<[string, (path: string) => Promise<void>, RegExp]>([
    [
      'cut off',
      async (path) => truncate(path, 5000),
      /^the archive is damaged: unexpected end of file$/,
    ],
    [
      'no archive',
      (path) => writeFile(path, gzipSync('{}\n')),
      /^this is no archive of the format/,
    ],
    ['no gzip', (path) => writeFile(path, 'users'), /^the archive is damaged, or is none$/],
    [
      'without its end',
      (path) => edit(path, (text) => text.slice(0, text.lastIndexOf('{"rows"'))),
      /^the archive is not whole: it ends too early$/,
    ],
    [
      'without its digest',
      (path) => edit(path, (text) => text.slice(0, text.lastIndexOf('{"digest"'))),
      /^the archive is not whole: it ends too early$/,
    ],
    [
      'of the format without a digest',
      (path) =>
        edit(path, (text) =>
          text
            .replace('process-platform backup 2', 'process-platform backup 1')
            .slice(0, text.lastIndexOf('{"digest"')),
        ),
      /^the archive has no digest, because an early version wrote it \(1\.2\.3\): restore it with/,
    ],
    [
      'with an altered value',
      (path) => edit(path, (text) => text.replace('bruno.keller@', 'bruno.killer@')),
      /^the archive was changed since it was written$/,
    ],
    [
      'with the rows of two tables exchanged',
      (path) =>
        edit(path, (text) =>
          text
            .replace('{"table":"news",', '{"table":"?",')
            .replace('{"table":"faqs",', '{"table":"news",')
            .replace('{"table":"?",', '{"table":"faqs",'),
        ),
      /^the archive was changed since it was written$/,
    ],
    [
      'with more behind its end',
      (path) => edit(path, (text) => `${text}\n`),
      /^the archive goes on behind its end$/,
    ],
    [
      'with a migration of another build',
      (path) => forge(path, (text) => text.replace('"migrations":[', '"migrations":["Future1",')),
      /^the archive has migrations that this version \(\d+\.\d+\.\d+\) does not have \(Future1\): restore with the build that wrote it \(1\.2\.3\)$/,
    ],
    [
      'with SQL among its columns',
      (path) =>
        forge(path, (text) => withHeader(text, 'parameters', ['key', 'value', PLANTED_COLUMN])),
      /^the archive is damaged, or is none$/,
    ],
    [
      'with a program in place of a table',
      (path) => forge(path, (text) => text.replace('"table":"faqs"', `"table":"${PROGRAM}"`)),
      /^the archive is damaged, or is none$/,
    ],
    [
      'with SQL among its sequences',
      (path) =>
        forge(path, (text) => text.replace('"sequences":{', `"sequences":{"${PROGRAM}":"1",`)),
      /^the archive is damaged, or is none$/,
    ],
    [
      'with a table twice',
      (path) => forge(path, (text) => text.replace('"table":"faqs"', '"table":"audit"')),
      /^the archive holds the table audit twice$/,
    ],
  ])('refuses an archive that is %s, before it touches anything', async (_, spoil, message) => {
    const path = join(folder, 'spoilt.gz');
    await writeFile(path, await readFile(archive));
    await spoil(path);
    const database = await createTestDatabase();
    const before = await contentOf(database);
    await expect(restoreInto(database, { path, force: true })).rejects.toThrow(message);
    expect(await contentOf(database)).toEqual(before);
    await database.drop();
  });

  it('refuses an archive whose rows are fewer than it says', async () => {
    const path = join(folder, 'fewer.gz');
    await writeFile(path, await readFile(archive));
    await forge(path, (text) =>
      text.replace(/("groups":)(\d+)/, (_, name, n) => `${name}${+n + 1}`),
    );
    const database = await createTestDatabase({ empty: true });
    await expect(restoreInto(database, { path })).rejects.toThrow(
      /^groups: \d+ rows were written, \d+ were loaded$/,
    );
    const users = await database.query('SELECT login FROM users');
    expect(users).toEqual([{ login: 'sysadmin' }]);
    // Nor does a server take it for a new database.
    await expect(migrate(configOf(database), PLAN)).rejects.toThrow(
      /^a restore into this database was interrupted, so its data is missing/,
    );
    await restoreInto(database);
    expect(await migrate(configOf(database), PLAN)).toEqual([]);
    await database.drop();
  });

  it.each<[string, (text: string) => string, string]>([
    [
      'a table of the system',
      (text) => withHeader(text, 'faqs', ['rolname'], 'pg_authid'),
      'the archive holds a table that no backup writes: pg_authid',
    ],
    [
      'the table of the sessions',
      (text) => withHeader(text, 'faqs', ['user_id'], 'tokens'),
      'the archive holds a table that no backup writes: tokens',
    ],
    [
      'a column that the table lacks',
      (text) => withHeader(text, 'parameters', ['key', 'value', 'planted']),
      'parameters: the archive has other columns than the database',
    ],
    [
      'fewer tables than a backup writes',
      (text) => text.replace(/\{"table":"faqs".*?\n\\\.\n/s, '').replace(/"faqs":\d+,/, ''),
      'the archive lacks the table faqs',
    ],
  ])('keeps no row of an archive whose digest is right, but which names %s', async (...row) => {
    const [, change, message] = row;
    const path = join(folder, 'forged.gz');
    await writeFile(path, await readFile(archive));
    await forge(path, change);
    const database = await createTestDatabase({ empty: true });
    await expect(restoreInto(database, { path })).rejects.toThrow(message);
    expect(await database.query('SELECT login FROM users')).toEqual([{ login: 'sysadmin' }]);
    await database.drop();
  });

  it('refuses an archive in which any byte was changed, and touches nothing', async () => {
    const database = await createTestDatabase();
    const before = await contentOf(database);
    const path = join(folder, 'flipped.gz');
    const written = await readFile(archive);
    const content = gunzipSync(written);
    const refused = async (bytes: Buffer) => {
      await writeFile(path, bytes);
      await expect(restoreInto(database, { path, force: true })).rejects.toThrow(/archive/);
    };
    const change = fc.record({ at: fc.nat(), by: fc.integer({ min: 1, max: 255 }) });
    await fc.assert(
      fc.asyncProperty(change, ({ at, by }) =>
        refused(gzipSync(flipped(content, at, by), { level: 1 })),
      ),
      { numRuns: 40 },
    );
    await fc.assert(
      fc.asyncProperty(change, async ({ at, by }) => {
        const bytes = flipped(written, at, by);
        // A byte that gzip does not use, such as the date in its header, has no effect.
        fc.pre(!unpacksTo(content, bytes));
        await refused(bytes);
      }),
      { numRuns: 40 },
    );
    expect(await contentOf(database)).toEqual(before);
    await database.drop();
  }, 120_000);

  it('restores an archive that was written with a key only with this key', async () => {
    const [key, other] = ['k', 'o'].map((letter) => Buffer.from(letter.repeat(32)));
    const path = join(folder, 'keyed.gz');
    const forged = join(folder, 'forged.gz');
    await backUpInto(path, key);
    await writeFile(forged, await readFile(path));
    await forge(forged, (text) => text);
    const database = await createTestDatabase({ empty: true });
    for (const [options, message] of [
      [{ path }, 'the archive was written with a key: give it with --key-file'],
      [
        { path, key: other },
        'the archive was changed since it was written, or written with another key',
      ],
      [{ key }, 'the archive was written without a key: nothing says who wrote it'],
      [{ path: forged, key }, 'the archive was written without a key: nothing says who wrote it'],
    ] as const)
      await expect(restoreInto(database, options)).rejects.toThrow(message);
    expect(await restoreInto(database, { path, key })).toEqual(counts);
    await database.drop();
  }, 120_000);

  it('refuses to restore as a superuser unless that is asked for', async () => {
    const database = await createTestDatabase({ empty: true });
    const connection = { ...superuser(), database: database.connection.database };
    await expect(restoreInto({ connection })).rejects.toThrow(
      `the role ${connection.user} may run programs on the machine of the database: restore as the server's own role, or allow this one with --as-superuser`,
    );
    expect(await database.query(`SELECT to_regclass('users')::text AS made`)).toEqual([
      { made: null },
    ]);
    expect(await restoreInto({ connection }, { asSuperuser: true })).toEqual(counts);
    await database.drop();
  }, 120_000);

  it('restores a backup of an older version, which the newer one then migrates', async () => {
    const database = await createTestDatabase({ empty: true });
    const plan = { migrations: [...migrations, ...LATER], functions, demonstration: [] };
    expect(await restoreInto(database, { plan })).toEqual(counts);
    const triggers = () =>
      database.query('SELECT FROM pg_trigger WHERE tgname = $1', ['tasks_note_closing']);
    expect(await triggers()).toEqual([]);
    await migrate(configOf(database), plan);
    expect(await triggers()).toHaveLength(1);
    await database.drop();
  }, 120_000);

  it('adds no demonstration data to a restored database', async () => {
    const database = await createTestDatabase({ empty: true });
    const demo = loadConfig({ DEMO_DATA: 'true' }).withDatabase(database.connection);
    await migrate(demo, { migrations, functions, demonstration: [] });
    await database.query(`INSERT INTO users (login, last_name, title) VALUES ('x', 'X', 'X')`);
    expect(await migrate(demo, PLAN)).toEqual([]);
    await database.drop();
  });

  it('moves into an empty embedded installation, where people sign in', async () => {
    const env = { DATABASE_URL: '' };
    const done = await runCommand(['restore', archive, '--json'], { cwd: folder, env });
    expect([done.code, JSON.parse(done.out)]).toEqual([
      0,
      Object.entries(counts).map(([table, rows]) => ({ table, rows })),
    ]);
    const moved = await startServerProcess({ ...env, DEMO_DATA: 'true' }, { cwd: folder });
    const signIn = (login: string, password: string) =>
      send(moved.port, '/api/v2/authentication', { method: 'POST', body: { login, password } });
    expect((await signIn('bruno.keller', DEMO_PASSWORD)).status).toBe(200);
    expect((await signIn('sysadmin', sysadminPassword())).status).toBe(200);
    expect((await send(moved.port, '/api/v2/authentication', { token })).status).toBe(401);
    await moved.stop();

    const again = join(folder, 'again.gz');
    const saved = await runCommand(['backup', again, '--json'], { cwd: folder, env });
    expect(saved.code).toBe(0);
    expect(JSON.parse(saved.out)).toContainEqual({ table: 'users', rows: counts.users });
    expect((await readFile(again)).length).toBeGreaterThan(1000);
    const first = await readFile(again);
    const second = await runCommand(['backup', again], { cwd: folder, env });
    expect(second).toEqual({
      code: 1,
      out: '',
      error: `${again} exists: use another name, or replace it with --overwrite\n`,
    });
    expect((await readFile(again)).equals(first)).toBe(true);
    const replaced = await runCommand(['backup', again, '--overwrite'], { cwd: folder, env });
    expect(replaced.code).toBe(0);
    const refused = await runCommand(['restore', again], { cwd: folder, env });
    expect([refused.code, refused.out]).toEqual([1, '']);
  }, 300_000);

  it('holds no session and no invitation', () => {
    for (const table of ['tokens', 'invitations', 'mails', 'password_resets'])
      expect(counts).not.toHaveProperty(table);
  });
});

/** Names in an archive that would be SQL if they were not quoted. */
const PLANTED_COLUMN = 'modification_date) FROM STDIN; CREATE TABLE planted_by_archive(x int); --';
const PROGRAM = "(SELECT 1) TO PROGRAM 'id'; COPY parameters";

/** The text of an archive with other column names before the rows of a table. */
const withHeader = (text: string, table: string, columns: string[], name = table): string =>
  text
    .replace(
      new RegExp(`\\{"table":"${table}".*\n`),
      `${JSON.stringify({ table: name, columns })}\n`,
    )
    .replace(`"${table}":`, `"${name}":`);

/** Changes an archive and recomputes its digest, as a knowledgeable attacker would. */
async function forge(path: string, change: (text: string) => string): Promise<void> {
  await edit(path, (text) => {
    const changed = change(text.slice(0, text.lastIndexOf('{"digest"')));
    const digest = `sha256:${createHash('sha256').update(changed).digest('hex')}`;
    return `${changed}${JSON.stringify({ digest })}\n`;
  });
}

/** A copy of the bytes with one byte changed. */
function flipped(bytes: Buffer, at: number, by: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at % bytes.length]! ^= by;
  return changed;
}

function unpacksTo(content: Buffer, bytes: Buffer): boolean {
  try {
    return gunzipSync(bytes).equals(content);
  } catch {
    return false;
  }
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  const text = gunzipSync(await readFile(path)).toString();
  await writeFile(path, gzipSync(change(text)));
}
