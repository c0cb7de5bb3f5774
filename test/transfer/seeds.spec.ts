import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Config, loadConfig } from '../../src/base/config/config.js';
import { applySeeds } from '../../src/transfer/seeds.js';
import { query } from '../support/call.js';
import { runCommand } from '../support/command-line.js';
import { urlOf } from '../support/server-process.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const EXAMPLE = 'docs/examples/seeds';
const FILES = ['010-organizations-and-groups.json', '020-portal.json', '030-parameters.json'];

let server: TestServer;
let config: Config;
let admin: string;
let folder: string;
beforeAll(async () => {
  server = await startTestServer();
  config = loadConfig({}).withDatabase(server.database.connection);
  admin = await server.signIn('alice.martin');
});
afterAll(() => server.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'process-platform-seeds-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const apply = (from = folder) => applySeeds(config, from, { actor: 'test' });
const write = (name: string, content: unknown) =>
  writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
const states = (state: string) => FILES.map((file) => ({ file, state }));

async function found(path: string, filter: string): Promise<Record<string, unknown>> {
  const list = await server.call(path + query({ filters: filter }), { token: admin });
  const { uri } = (list.body as { uri: string }[])[0]!;
  return (await server.call(`/api/v2${uri}`, { token: admin })).body as Record<string, unknown>;
}

describe('own seeds', () => {
  it('create the objects of the example once', async () => {
    expect(await apply(EXAMPLE)).toEqual(states('applied'));
    expect(await found('/api/v2/directory/organizations', 'reference:eq:ACME-SALES')).toMatchObject(
      {
        manager: { reference: 'nora.lind' },
        parent: { reference: 'ACME' },
        userCount: 2,
      },
    );
    expect(await found('/api/v2/directory/users', 'login:eq:nora.lind')).toMatchObject({
      administrator: true,
      status: 2,
      groups: [{ reference: 'APPROVERS' }, { reference: 'EVERYBODY' }],
    });
    expect(await found('/api/v2/navigation/applications', 'reference:eq:LEAVE')).toMatchObject({
      view: { reference: 'LEAVE-MINE' },
      audience: [{ reference: 'EVERYBODY' }],
      categories: [{ reference: 'PEOPLE' }],
    });
    const [lifetime] = await server.database.query(
      `SELECT value FROM parameters WHERE key = 'security.Token.lifetime'`,
    );
    expect(lifetime).toEqual({ value: '28800' });
    expect(await apply(EXAMPLE)).toEqual(states('was applied before'));
    const seeded = await server.database.query(
      `SELECT actor_login, after FROM audit WHERE action = 'seed' ORDER BY id`,
    );
    expect(seeded).toEqual(FILES.map((file) => ({ actor_login: 'test', after: { file } })));
  });

  it('keep the changes of administrators, and survive migrations back and forth', async () => {
    await server.database.query(
      `UPDATE groups SET label = 'All of Acme' WHERE reference = 'EVERYBODY'`,
    );
    await cp(EXAMPLE, folder, { recursive: true });
    await write('040-more.json', { groups: [{ reference: 'EVERYBODY', description: 'New' }] });
    expect(await apply()).toEqual([
      ...states('was applied before'),
      { file: '040-more.json', state: 'applied' },
    ]);
    expect(await found('/api/v2/directory/groups', 'reference:eq:EVERYBODY')).toMatchObject({
      label: 'All of Acme',
      description: 'New',
    });
  });

  it('refuse a file that was applied with another content', async () => {
    await write('020-portal.json', { groups: [] });
    await expect(apply()).rejects.toThrow(
      '020-portal.json: was applied with another content; leave it as it was and add a file',
    );
  });

  it('name every mistake, and apply nothing of the file', async () => {
    await write('100-good.json', { groups: [{ reference: 'GOOD', label: 'Good' }] });
    await write('110-bad.json', {
      parameters: { 'security.Token.lifetime': 1, 'no.such': 2 },
      groups: [{ reference: 'LOST', label: 'Lost' }, { label: 7 }],
      users: [{ login: 'a b', lastName: 'x', organization: 'NOWHERE', password: 'x' }],
    });
    await expect(apply()).rejects.toThrow(
      [
        '110-bad.json: parameters: security.Token.lifetime: must be a whole number from 60 to 2592000',
        '110-bad.json: parameters: no.such: there is no such parameter',
        '110-bad.json: groups[1]: label: must be a string of at most 200 characters',
        '110-bad.json: groups[1]: reference: is required: it identifies the row',
        '110-bad.json: users[0]: password: unknown attribute; known: login, ',
      ].join('\n'),
    );
    const rows = await server.database.query(
      `SELECT reference FROM groups WHERE reference IN ('GOOD', 'LOST')`,
    );
    expect(rows).toEqual([{ reference: 'GOOD' }]);
  });

  it.each([
    ['[]', 'x.json: must be a JSON object'],
    ['{', /^x\.json: .*JSON/],
    ['{"passwords":[]}', /^x\.json: unknown kind passwords; known: parameters, organizations, /],
    ['{"users":{}}', 'x.json: users must be a list of JSON objects'],
  ])('refuse the file %s', async (content, message) => {
    await write('x.json', content);
    await expect(apply()).rejects.toThrow(message);
  });

  it('refuse a folder without any', async () => {
    await expect(apply()).rejects.toThrow(`there are no seeds (*.json) in ${folder}`);
  });

  it('are applied by the command line, whose folder can come from the environment', async () => {
    const env = { DATABASE_URL: urlOf(server.database.connection), SEEDS_FOLDER: EXAMPLE };
    const done = await runCommand(['seed', '--json'], { env });
    expect([done.code, JSON.parse(done.out)]).toEqual([
      0,
      FILES.map((seed) => ({ seed, state: 'was applied before' })),
    ]);
  }, 300_000);
});
