import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { functions, migrations } from '../../migrations/index.js';
import { type Config, loadConfig } from '../../src/base/config/config.js';
import { migrate } from '../../src/database/migrate.js';
import { exportFile } from '../../src/transfer/export.js';
import { importFile, type Imported } from '../../src/transfer/import.js';
import { IMPORTABLE_RESOURCES } from '../../src/transfer/importable-resources.js';
import type { Format } from '../../src/transfer/records.js';
import { query } from '../support/call.js';
import { runCommand } from '../support/command-line.js';
import { urlOf } from '../support/server-process.js';
import { createTestDatabase } from '../support/test-database.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { translateTiles } from '../support/translate-tiles.js';

let server: TestServer;
let config: Config;
let admin: string;
beforeAll(async () => {
  server = await startTestServer();
  config = loadConfig({ DEMO_DATA: 'false' }).withDatabase(server.database.connection);
  admin = await server.signIn('alice.martin');
});
afterAll(() => server.close());

const kindOf = (name: string) =>
  IMPORTABLE_RESOURCES.find(({ resource }) => resource.name === name)!;
const auditContext = { actor: 'command line (test)' };

interface Outcome {
  imported: Imported;
  bad: { line: number; fields: { name: string; message: string }[] }[];
}

async function load(
  kind: string,
  text: string,
  {
    isDryRun = false,
    into = config,
    without,
    linesAtOnce,
  }: { isDryRun?: boolean; into?: Config; without?: string[]; linesAtOnce?: number } = {},
): Promise<Outcome> {
  const bad: Outcome['bad'] = [];
  const format: Format = text.startsWith('{') ? 'jsonl' : 'csv';
  const imported = await importFile(into, {
    kind: kindOf(kind),
    file: Readable.from([Buffer.from(text)]),
    format,
    isDryRun,
    without,
    ...(linesAtOnce !== undefined && { linesAtOnce }),
    auditContext,
    report: ({ line, fields }) =>
      void bad.push({
        line,
        fields: fields.map(({ name, reason }) => ({ name, message: reason.message })),
      }),
  });
  return { imported, bad };
}

async function save(kind: string, format: Format, from = config): Promise<string> {
  let text = '';
  const write = (piece: string) => Promise.resolve(void (text += piece));
  await exportFile(from, { kind: kindOf(kind), format, auditContext, write });
  return text;
}

const found = async (path: string, filter: string): Promise<Record<string, unknown>> => {
  const list = await server.call(path + query({ filters: filter }), { token: admin });
  const { uri } = (list.body as { uri: string }[])[0]!;
  return (await server.call(`/api/v2${uri}`, { token: admin })).body as Record<string, unknown>;
};
const userOf = (login: string) => found('/api/v2/directory/users', `login:eq:${login}`);
const counts = (created: number, updated = 0, unchanged = 0) => ({
  lines: created + updated + unchanged,
  created,
  updated,
  unchanged,
  bad: 0,
});

const USERS = `login,lastName,firstName,organization,manager,groups,phoneNumber
ivy.novak,Novak,Ivy,SALES,omar.haddad,everyone;sales-circle,+49 30 1
omar.haddad,Haddad,Omar,,,,
`;

describe('import', () => {
  beforeAll(async () => {
    await load('organizations', 'reference,label\nSALES,Imported sales\n');
    await load('groups', 'reference,label\neveryone,Everyone\nsales-circle,Sales circle\n');
  });

  it('commits after each number of lines, and keeps what came before a bad part', async () => {
    const lines = ['one', 'two', 'three', 'four', 'five'].map((name) => `parts.${name},${name},,`);
    const text = ['login,lastName,email,manager', ...lines].join('\n');
    const { imported, bad } = await load(
      'users',
      text.replace('parts.four,four,', 'parts.four,,'),
      {
        linesAtOnce: 2,
      },
    );
    expect(imported).toEqual({ ...counts(2), lines: 4, bad: 1 });
    expect(bad).toEqual([{ line: 5, fields: [{ name: 'lastName', message: 'is required' }] }]);
    expect((await load('users', text, { linesAtOnce: 2 })).imported).toEqual(counts(3, 0, 2));
  });

  it('creates users that link to one another, invited and without a password', async () => {
    expect((await load('users', USERS)).imported).toEqual(counts(2));
    const ivy = await userOf('ivy.novak');
    expect(ivy).toMatchObject({
      login: 'ivy.novak',
      title: 'Ivy Novak',
      locale: 'en',
      status: 2,
      administrator: false,
      phoneNumber: '+49 30 1',
      email: null,
      organization: { reference: 'SALES', label: 'Imported sales' },
      manager: { reference: 'omar.haddad', label: 'Omar Haddad' },
      groups: [{ reference: 'everyone' }, { reference: 'sales-circle' }],
    });
    await expect(server.signIn('ivy.novak')).rejects.toThrow('401');
    const [line] = await server.database.query(
      `SELECT actor_login, object_uri, after FROM audit WHERE action = 'import' ORDER BY id DESC LIMIT 1`,
    );
    expect(line).toEqual({
      actor_login: 'command line (test)',
      object_uri: '/directory/users',
      after: { lines: 2, created: 2, updated: 0, unchanged: 0 },
    });
  });

  it('writes nothing the second time', async () => {
    const before = await userOf('ivy.novak');
    expect((await load('users', USERS)).imported).toEqual(counts(0, 0, 2));
    expect(await userOf('ivy.novak')).toEqual(before);
  });

  it('changes the given attributes of a line, finds logins in any case, and leaves other attributes', async () => {
    const lines = [
      { login: 'IVY.NOVAK', firstName: 'Yvy', phoneNumber: null, groups: ['everyone'] },
      { login: 'omar.haddad', lastName: 'Haddad' },
    ].map((line) => `${JSON.stringify(line)}\n`);
    expect((await load('users', lines.join(''))).imported).toEqual(counts(0, 1, 1));
    expect(await userOf('ivy.novak')).toMatchObject({
      login: 'IVY.NOVAK',
      firstName: 'Yvy',
      lastName: 'Novak',
      title: 'Ivy Novak',
      phoneNumber: null,
      organization: { reference: 'SALES' },
      groups: [{ reference: 'everyone' }],
    });
  });

  it('reports every bad line with all that is wrong, and imports nothing', async () => {
    const text = [
      'login,lastName,email,status,organization,manager,groups,administrator',
      'good.one,One,,,,,,',
      '"bad one",,x,9,NOWHERE,nobody,none;everyone,perhaps',
      'good.one,Two,,,,,,',
      'sysadmin,Admin,,,,,,',
      ',Nameless,,,,,,',
      'short,line',
      '"two\nlines",Three,,,,,,',
      'GOOD.one,Four,,,,,,true',
    ].join('\n');
    const { imported, bad } = await load('users', text);
    expect(imported).toEqual({ lines: 8, bad: 7, created: 0, updated: 0, unchanged: 0 });
    expect(bad).toEqual([
      {
        line: 3,
        fields: [
          { name: 'lastName', message: 'is required' },
          { name: 'login', message: 'must not hold blanks or invisible characters' },
          { name: 'email', message: 'must be an e-mail address' },
          {
            name: 'status',
            message: 'must be 0, 1, 2 or 3',
          },
          { name: 'administrator', message: 'must be true or false' },
          { name: 'organization', message: "there is no organization 'NOWHERE'" },
          { name: 'manager', message: "there is no user 'nobody'" },
          { name: 'groups', message: "there is no group 'none'" },
        ],
      },
      { line: 4, fields: [{ name: 'login', message: 'is that of line 2' }] },
      {
        line: 5,
        fields: [{ name: 'login', message: 'is the system administrator, who is not imported' }],
      },
      { line: 6, fields: [{ name: 'login', message: 'is required' }] },
      { line: 7, fields: [{ name: 'line', message: 'has 2 cells, the header has 8' }] },
      {
        line: 8,
        fields: [{ name: 'login', message: 'must not hold blanks or invisible characters' }],
      },
      { line: 10, fields: [{ name: 'login', message: 'is that of line 2' }] },
    ]);
    const rows = await server.database.query(`SELECT FROM users WHERE login ILIKE 'good.one'`);
    expect(rows).toEqual([]);
  });

  it.each([
    ['users', '{"login":"a"', [{ name: 'line', message: 'is not valid JSON in UTF-8' }]],
    [
      'users',
      '{"login":"\\u0000"}',
      [{ name: 'login', message: 'the character NUL is not allowed' }],
    ],
    [
      'users',
      '{"login":"p.w","lastName":"x","password":"Some-Password-1"}',
      [{ name: 'password', message: expect.stringMatching(/^unknown attribute; known: login, /) }],
    ],
    [
      'applications',
      '{"reference":"X","title":"X","type":"PORTAL","audience":["everyone"]}',
      [
        { name: 'audience', message: 'must be a list such as user:…, group:…, organization:…' },
        { name: 'type', message: "must be 'PROCESS' or 'LINK'" },
      ],
    ],
    [
      'groups',
      '{"label":"No reference"}',
      [{ name: 'reference', message: 'is required: it identifies the row' }],
    ],
  ])('refuses a line of %s: %s', async (kind, text, fields) => {
    const { imported, bad } = await load(kind, text);
    expect([imported.bad, bad]).toEqual([1, [{ line: 1, fields }]]);
  });

  it.each([
    ['login,lastName,pasword\na,b,c\n', /^line 1: unknown columns pasword; known: login, /],
    ['login,login\na,b\n', /^line 1: the column login is there twice$/],
    ['login,lastName\na,"b\n', /^line 2: a quote is not closed$/],
  ])('stops at %j', async (text, message) => {
    await expect(load('users', text)).rejects.toThrow(message);
  });

  it('rolls a dry run back', async () => {
    const text = 'login,lastName\ndry.run,Run\n';
    expect((await load('users', text, { isDryRun: true })).imported).toEqual(counts(1));
    expect((await load('users', text, { isDryRun: true })).imported).toEqual(counts(1));
  });

  it('makes and moves organizations in any order, and refuses cycles', async () => {
    const tree = 'reference,label,parent\nC,C,B\nB,B,A\nA,A,\n';
    expect((await load('organizations', tree)).imported).toEqual(counts(3));
    const pathOf = async () =>
      (
        (await found('/api/v2/directory/organizations', 'reference:eq:C')).path as {
          reference: string;
        }[]
      ).map(({ reference }) => reference);
    expect(await pathOf()).toEqual(['A', 'B', 'C']);
    expect((await load('organizations', 'reference,parent\nB,\nA,B\nC,A\n')).imported).toEqual(
      counts(0, 3),
    );
    expect(await pathOf()).toEqual(['B', 'A', 'C']);
    const { bad } = await load('organizations', 'reference,parent\nB,C\n');
    expect(bad).toEqual([
      { line: 2, fields: [{ name: 'parent', message: 'would put the organization below itself' }] },
    ]);
  });

  it('makes tiles for an audience by names, and says which view they open', async () => {
    await load('categories', 'reference,title\nIMPORTED,Imported\n');
    const tile = {
      reference: 'TIME-OFF',
      title: 'Time off',
      type: 'PROCESS',
      categories: ['IMPORTED'],
      audience: ['group:everyone', 'user:ivy.novak', 'organization:SALES'],
    };
    expect((await load('applications', JSON.stringify(tile))).imported).toEqual(counts(1));
    const view = {
      reference: 'MINE',
      label: 'Mine',
      application: 'TIME-OFF',
      filters: ['assignee:eq:@me'],
    };
    expect((await load('views', JSON.stringify(view))).imported).toEqual(counts(1));
    const opens = JSON.stringify({ reference: 'TIME-OFF', view: 'MINE' });
    expect((await load('applications', opens)).imported).toEqual(counts(0, 1));
    expect((await load('applications', opens)).imported).toEqual(counts(0, 0, 1));
    const leave = await found('/api/v2/navigation/applications', 'reference:eq:TIME-OFF');
    expect(leave).toMatchObject({
      categories: [{ reference: 'IMPORTED' }],
      view: { reference: 'MINE' },
      audience: [{ label: 'Everyone' }, { label: 'Imported sales' }, { label: 'Ivy Novak' }],
    });
    const { bad } = await load('views', JSON.stringify({ ...view, filters: ['x:eq:1'] }));
    expect(bad[0]?.fields[0]?.name).toBe('filters');
  });
});

/** The demonstration has no sources. */
async function addTaskOfSource(): Promise<void> {
  const engine = {
    reference: 'ENGINE',
    label: 'Engine',
    serviceAccount: 'process.engine',
    applications: ['LEAVE'],
  };
  const other = { reference: 'OTHER', label: 'Another engine' };
  const both = [engine, other].map((source) => JSON.stringify(source)).join('\n');
  expect((await load('sources', both)).bad).toEqual([]);
  const task = {
    reference: 'OF-ENGINE',
    title: 'Of an engine',
    application: 'LEAVE',
    source: 'ENGINE',
    externalId: 'a-1',
    sourceVersion: 2 ** 40,
    variables: [{ name: 'days', label: 'Days', value: { at: [1, 'é'] } }],
    outcomes: [{ name: 'approve', translations: { fr: { label: 'Approuver' } } }],
  };
  expect((await load('tasks', JSON.stringify(task))).bad).toEqual([]);
}

describe('export', () => {
  it.each<Format>(['csv', 'jsonl'])(
    'round-trips everything as %s',
    async (format) => {
      await translateTiles(server.database);
      await addTaskOfSource();
      const database = await createTestDatabase({ empty: true });
      const empty = config.withDatabase(database.connection);
      await migrate(empty, { migrations, functions, demonstration: [] });
      for (const { resource } of IMPORTABLE_RESOURCES) {
        const text = await save(resource.name, format);
        const lines = text.trimEnd().split(/\r?\n/).length;
        expect(lines).toBeGreaterThan(1);
        expect(text).not.toMatch(/sysadmin|argon2/);
        const again = await load(resource.name, text);
        expect([resource.name, again.bad, again.imported.created, again.imported.updated]).toEqual([
          resource.name,
          [],
          0,
          0,
        ]);
      }
      const passes = [
        ...IMPORTABLE_RESOURCES.map(({ resource, mutual }) => ({
          resource,
          without: mutual ? [mutual] : [],
        })),
        ...IMPORTABLE_RESOURCES.filter(({ mutual }) => mutual).map(({ resource }) => ({
          resource,
          without: [],
        })),
      ];
      for (const { resource, without } of passes) {
        const { bad } = await load(resource.name, await save(resource.name, format), {
          into: empty,
          without,
        });
        expect([resource.name, bad]).toEqual([resource.name, []]);
      }
      for (const { resource } of IMPORTABLE_RESOURCES)
        expect(await save(resource.name, format, empty)).toBe(await save(resource.name, format));
      await database.drop();
    },
    120_000,
  );
});

describe('process-platform import and export', () => {
  const run = (args: string[], input = '') =>
    runCommand(args, { input, env: { DATABASE_URL: urlOf(server.database.connection) } });

  it('reports the result, and by the exit code whether it succeeded', async () => {
    const done = await run(
      ['import', 'groups', '-', '--format', 'csv', '--json'],
      'reference,label\nG,G\n',
    );
    expect([done.code, JSON.parse(done.out)]).toEqual([
      0,
      [{ kind: 'groups', lines: 1, created: 1, updated: 0, unchanged: 0, dryRun: false }],
    ]);
    const failed = await run(['import', 'groups', '-', '--format', 'csv'], 'reference,label\nH,\n');
    expect([failed.code, failed.out]).toEqual([1, '']);
    expect(failed.error).toMatch(
      /^importing groups: 1 in .* s\nline 2: label: is required\n1 of 1 lines are bad; nothing was imported\n$/,
    );
    const misused = await run(['import', 'passwords', 'x.csv']);
    expect([misused.code, misused.error]).toEqual([
      2,
      expect.stringMatching(/^there is no kind passwords; known: organizations, /),
    ]);
    const exported = await run(['export', 'groups', '--format', 'jsonl']);
    expect(exported.code).toBe(0);
    expect(exported.out).toContain(
      '{"reference":"G","label":"G","description":null,"externalId":null}\n',
    );
    const csv = await run(['export', 'groups', '--format', 'csv']);
    expect(csv.out).toContain('reference,label,description,externalId\r\n');
    const byDefault = await run(['export', 'groups']);
    expect([byDefault.code, byDefault.out]).toEqual([0, csv.out]);
    expect(await run(['import', 'groups', '-'])).toEqual({
      code: 2,
      out: '',
      error: 'the format is unknown: use --format csv or --format jsonl\n',
    });
  }, 300_000);
});
