import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { idOf } from '../support/id-of.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** Views: the indicator of a view counts exactly its records. */

let writing: WritingServer;
let server: WritingServer['server'];
let admin: WritingServer['admin'];
let bruno: WritingServer['bruno'];
let call: WritingServer['call'];
beforeAll(async () => {
  writing = await startWritingServer();
  ({ server, admin, bruno, call } = writing);
});
afterAll(() => writing.close());

/** The path of a view of the demonstration portal. */
const viewPath = async (reference: string): Promise<string> =>
  `/api/v2/process/views/${await idOf(server, 'views', reference)}`;

describe('a view', () => {
  it('answers the same count in the detailed view as the indicator does', async () => {
    const [row] = await server.database.query<{ view: string; uri: string }>(
      `SELECT view_id::text AS view, '/navigation/applications/' || id AS uri FROM applications WHERE reference = 'TRAVEL'`,
    );
    const { view, uri } = row!;
    for (const token of [admin, bruno]) {
      const { body } = await call('GET', `/api/v2/process/views/${view}`, undefined, { token });
      const path = `/navigation/workplace/apps/indicator?applicationUri=${uri}`;
      expect(body.count).toBe((await call('GET', path, undefined, { token })).body.count);
      expect(body.count).toBeGreaterThan(0);
    }
  });
});

describe('the view of a tile', () => {
  it('stays a view of its application when both are changed at the same time', async () => {
    const application = async (title: string) =>
      writing.create('/api/v2/navigation/applications', { title, type: 'PROCESS' });
    const [own, other] = [await application('Own'), await application('Other')];
    const view = await writing.create('/api/v2/process/views', {
      label: 'Parallel',
      application: own.uri,
    });
    const patch = async (uri: string, name: string, value: string | null) =>
      (await call('PATCH', `/api/v2${uri}`, [{ op: 'add', path: `/${name}`, value }])).status;
    for (let round = 0; round < 20; round++) {
      const statuses = await Promise.all([
        patch(own.uri, 'view', view.uri),
        patch(view.uri, 'application', other.uri),
      ]);
      expect(statuses.sort()).toEqual([200, 400]);
      expect(await patch(own.uri, 'view', null)).toBe(200);
      expect(await patch(view.uri, 'application', own.uri)).toBe(200);
    }
  });
});

describe('GET /api/v2/process/views/{id}/records', () => {
  it('lists exactly the tasks that indicator and detailed view count, for every view and person', async () => {
    const views = await server.database.query<{ id: string }>(
      'SELECT id::text FROM views ORDER BY id',
    );
    let rows = 0;
    for (const token of [admin, bruno, await server.signIn('chloe.lefevre')])
      for (const { id } of views) {
        const path = `/api/v2/process/views/${id}`;
        const view = await call('GET', path, undefined, { token });
        if (view.status === 404) continue;
        const listed = await call('GET', `${path}/records?range=0-500`, undefined, {
          token,
          headers: { Prefer: 'count=exact' },
        });
        expect([id, listed.body.length]).toEqual([id, view.body.count]);
        expect(listed.headers['x-total-count']).toBe(String(view.body.count));
        rows += listed.body.length as number;
      }
    expect(rows).toBeGreaterThan(50);
  });

  it('keeps the view’s order and filters; the request may sort and filter further', async () => {
    const path = `${await viewPath('TRAVEL-OPEN')}/records`;
    const all = await call('GET', path, undefined, { token: bruno });
    const keys = (all.body as { priority: number; status: string }[]).map(
      ({ priority }) => priority,
    );
    expect(keys).toEqual([...keys].sort((a, b) => b - a));
    const few = await call(
      'GET',
      `${path}?sorter=priority&filters=priority:lt:3&range=0-2`,
      undefined,
      { token: bruno },
    );
    expect(few.body.length).toBe(2);
    expect(few.body[0].priority).toBeLessThan(3);
    const words = await call(
      'GET',
      `${await viewPath('ONBOARDING-OPEN')}/records?range=0-1&responseMode=user`,
      undefined,
      {
        token: await server.signIn('chloe.lefevre'),
      },
    );
    expect(words.body[0]).toMatchObject({ status: 'ouverte', application: 'Intégration' });
    // The request's filters, combined by `or`, do not widen the filters of the view.
    const or = await call(
      'GET',
      `${path}?filterMode=or&filters=status:eq:done&filters=status:eq:cancelled`,
      undefined,
      { token: bruno },
    );
    expect(or.body).toEqual([]);
  });

  it('answers 404 for a view that the caller may not see, and 409 for one whose filters are invalid', async () => {
    const hidden = `${await viewPath('INCIDENTS-OPEN')}/records`;
    expect((await call('GET', hidden, undefined, { token: bruno })).status).toBe(404);
    await server.database.query(
      `UPDATE views SET filters = '{nothing:eq:x}' WHERE reference = 'EXPENSES-OPEN'`,
    );
    const path = await viewPath('EXPENSES-OPEN');
    const broken = await call('GET', `${path}/records`, undefined, {
      token: bruno,
    });
    expect([broken.status, broken.body.message]).toEqual([
      409,
      expect.stringMatching(/^The view cannot be executed: unknown attribute 'nothing'/),
    ]);
    expect((await call('GET', path, undefined, { token: bruno })).body.count).toBeNull();
    await server.database.query(
      `UPDATE views SET filters = '{status:eq:open}' WHERE reference = 'EXPENSES-OPEN'`,
    );
  });
});

describe('GET /api/v2/process/views/preview', () => {
  const preview = (parameters: string, token = admin) =>
    call('GET', `/api/v2/process/views/preview?${parameters}`, undefined, { token });

  it('counts the same for a person as a stored view with the same filters', async () => {
    const rows = await server.database.query<{
      id: string;
      application: string;
      filters: string[];
      mode: string;
    }>('SELECT id::text, application_id AS application, filters, filter_mode AS mode FROM views');
    let total = 0;
    for (const login of ['bruno.keller', 'alice.martin']) {
      const user = await idOf(server, 'users', login);
      const token = await server.signIn(login);
      for (const { id, application, filters, mode } of rows) {
        const stored = await call('GET', `/api/v2/process/views/${id}`, undefined, { token });
        if (stored.status === 404) continue;
        const all = filters.map((filter) => `&filters=${encodeURIComponent(filter)}`).join('');
        const { status, body } = await preview(
          `user=${user}&application=${application}&filterMode=${mode}${all}`,
        );
        expect([id, status, body]).toEqual([id, 200, { count: stored.body.count }]);
        total += body.count as number;
      }
    }
    expect(total).toBeGreaterThan(10);
  });

  it('tells what filters count only to who may read tasks', async () => {
    const write = (path: string, body: object) =>
      server.call(`/api/v2/directory/${path}`, { method: 'POST', token: admin, body });
    const permissions = ['workplaces:read'];
    const role = (await write('roles', { label: 'Sees workplaces', permissions })).body;
    await write('role-assignments', { user: 'sophie.bohm', role: role.uri });
    const token = await server.signIn('sophie.bohm');
    const named = `user=${await idOf(server, 'users', 'bruno.keller')}&application=1`;
    expect((await preview(named, token)).status).toBe(200);
    const { status, body } = await preview(`${named}&filters=title:contains:a`, token);
    expect([status, body.parameters]).toEqual([403, { permission: 'tasks:read' }]);
  });

  it('answers 400 naming the fault, and 404 for an unknown person or application', async () => {
    const user = await idOf(server, 'users', 'bruno.keller');
    const faultOf = async (parameters: string) => {
      const { status, body } = await preview(parameters);
      return [status, (body.fields as { name: string }[] | undefined)?.[0]?.name];
    };
    const named = `user=${user}&application=1`;
    expect(await faultOf('application=1')).toEqual([400, 'user']);
    expect(await faultOf(`user=${user}&application=x`)).toEqual([400, 'application']);
    expect(await faultOf(`${named}&filters=colour:eq:red`)).toEqual([400, 'filters']);
    expect(await faultOf(`${named}&filterMode=xor`)).toEqual([400, 'filterMode']);
    expect(await faultOf(named + '&filters=status:eq:open'.repeat(21))).toEqual([400, 'filters']);
    expect(await faultOf('user=999999&application=1')).toEqual([404, undefined]);
    expect(await faultOf(`user=${user}&application=999999`)).toEqual([404, undefined]);
    expect((await preview(named, bruno)).status).toBe(403);
  });
});
