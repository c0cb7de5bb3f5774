import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { query } from '../support/call.js';
import { eventually } from '../support/eventually.js';
import { idOf } from '../support/id-of.js';
import { beginTransaction, waitsForLock } from '../support/locks.js';
import { type Call, startTestServer, type TestServer } from '../support/test-server.js';

interface Member {
  login: string;
  organization: { reference: string };
}

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.signIn('bruno.keller');
});
afterAll(() => server.close());

const call = (id: string, parameters: Record<string, string | string[]> = {}, options: Call = {}) =>
  server.call(`/api/v2/directory/organizations/${id}/members${query(parameters)}`, {
    token,
    ...options,
  });

async function membersOf(
  reference: string,
  parameters: Record<string, string | string[]> = {},
): Promise<Member[]> {
  const id = await idOf(server, 'organizations', reference);
  const { status, body } = await call(id, { range: '0-500', sorter: 'login', ...parameters });
  expect(status).toBe(200);
  return body as Member[];
}

const organizationsOf = (members: Member[]): string[] =>
  [...new Set(members.map(({ organization }) => organization.reference))].sort();

describe('GET /api/v2/directory/organizations/{id}/members', () => {
  it('lists the users of the organization and of all organizations below it', async () => {
    const members = await membersOf('SALES');
    expect(organizationsOf(members)).toEqual(['SALES-DACH', 'SALES-FR', 'SALES-UK']);
    const rows = await server.database.query<{ login: string }>(
      `SELECT u.login FROM users u JOIN organizations o ON o.id = u.organization_id
       WHERE o.reference LIKE 'SALES%' ORDER BY u.login`,
    );
    expect(members.map(({ login }) => login)).toEqual(rows.map(({ login }) => login));
  });

  it('lists only the members of a leaf of the tree', async () => {
    expect(organizationsOf(await membersOf('SALES-DACH'))).toEqual(['SALES-DACH']);
  });

  it('follows a move in the tree', async () => {
    const id = await idOf(server, 'organizations', 'COMMS');
    const before = await membersOf('SALES');
    const admin = await server.signIn('alice.martin');
    const move = async (to: string) => {
      const value = await idOf(server, 'organizations', to);
      const body = [{ op: 'replace', path: '/parent', value: `/directory/organizations/${value}` }];
      const path = `/api/v2/directory/organizations/${id}`;
      const { status } = await server.call(path, { method: 'PATCH', token: admin, body });
      expect(status).toBe(200);
    };
    await move('SALES-FR');
    expect(organizationsOf(await membersOf('SALES'))).toContain('COMMS');
    await move('HQ');
    expect(await membersOf('SALES')).toEqual(before);
  });

  it('follows a move to the top, also for one that is put below it meanwhile', async () => {
    const admin = await server.signIn('alice.martin');
    const root = await idOf(server, 'organizations', 'HQ');
    const parent = await idOf(server, 'organizations', 'COMMS');
    const { database } = server;
    await beginTransaction(server);
    await database.query(
      `INSERT INTO organizations (label, reference, parent_id) VALUES ('New below', 'NEW-BELOW', $1)`,
      [parent],
    );
    const path = `/api/v2/directory/organizations/${parent}`;
    const body = [{ op: 'replace', path: '/parent', value: null }];
    let isMoved = false;
    const moving = server
      .call(path, { method: 'PATCH', token: admin, body })
      .finally(() => (isMoved = true));
    await eventually(async () => expect(isMoved || (await waitsForLock(server))).toBe(true));
    await database.query('COMMIT');
    expect((await moving).status).toBe(200);
    const stored = await database.query(
      `SELECT path::text[] FROM organizations WHERE reference = 'NEW-BELOW'`,
    );
    const created = await idOf(server, 'organizations', 'NEW-BELOW');
    expect(stored).toEqual([{ path: [parent, created] }]);
    await database.query('DELETE FROM organizations WHERE id = $1', [created]);
    const back = [{ op: 'replace', path: '/parent', value: `/directory/organizations/${root}` }];
    expect((await server.call(path, { method: 'PATCH', token: admin, body: back })).status).toBe(
      200,
    );
  });

  it('takes the parameters of a list', async () => {
    const all = await membersOf('SALES');
    const text = all[3]!.login.slice(0, 3);
    const found = await membersOf('SALES', { filters: [`login:starts:${text}`], range: '0-2' });
    const logins = all.map(({ login }) => login).filter((login) => login.startsWith(text));
    expect(found.map(({ login }) => login)).toEqual(logins.slice(0, 2));
    const id = await idOf(server, 'organizations', 'SALES');
    const headers = { Prefer: 'count=exact' };
    const page = await call(id, { range: '0-1', filters: 'status:eq:1' }, { headers });
    const active = await membersOf('SALES', { filters: 'status:eq:1' });
    expect(page.headers['x-total-count']).toBe(String(active.length));
  });

  it.each(['999999', 'x', '1%20OR%201'])('answers 404 for the organization %s', async (id) => {
    expect((await call(id)).status).toBe(404);
  });
});
