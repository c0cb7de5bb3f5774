import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fieldNames, query } from '../support/call.js';
import { idOf, uriOf } from '../support/id-of.js';
import { countStatements } from '../support/statements.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const WORKPLACE = '/navigation/workplace';
const NOT_FOUND = { code: 404, message: 'Not found' };

interface Entry {
  id: string;
  title: string;
  reference: string;
  type: string;
  updateCounterUrl: string;
}

let server: TestServer;
let alice: string, bruno: string, chloe: string;
beforeAll(async () => {
  server = await startTestServer();
  alice = await server.signIn('alice.martin');
  bruno = await server.signIn('bruno.keller');
  chloe = await server.signIn('chloe.lefevre');
});
afterAll(() => server.close());

const get = (path: string, token: string, headers = {}) => server.call(path, { token, headers });
const titles = (entries: Entry[]) => entries.map(({ title }) => title);
const categoriesOf = async (token: string) =>
  (await get(`${WORKPLACE}/categories`, token)).body as Entry[];
const appsOf = async (token: string, title: string) => {
  const category = (await categoriesOf(token)).find((one) => one.title === title)!;
  return (await get(`${WORKPLACE}/apps${query({ category: category.id })}`, token)).body as Entry[];
};
const countOf = async (token: string, applicationUri: string) =>
  (await get(`${WORKPLACE}/apps/indicator${query({ applicationUri })}`, token)).body as unknown;
const application = (reference: string) => uriOf(server, 'applications', reference);

describe('GET /navigation/workplace/categories', () => {
  it('Returns the service categories of the portal, adapted to the calling user’s context', async () => {
    const { status, body } = await get(`${WORKPLACE}/categories`, bruno);
    expect(status).toBe(200);
    const category = async (reference: string, title: string) => ({
      id: await uriOf(server, 'categories', reference),
      title,
      comparisonValue: title,
    });
    expect(body).toEqual([
      await category('EVERYDAY', 'Everyday'),
      await category('PEOPLE', 'People and careers'),
      await category('FINANCE', 'Finance'),
      await category('SALES', 'Customers and sales'),
    ]);
    expect(titles(await categoriesOf(alice))).toContain('IT services');
    expect(titles(await categoriesOf(chloe))).toEqual([
      'Au quotidien',
      'Ressources humaines',
      'Finances',
      'Services informatiques',
    ]);
  });

  it('takes the token in the query, and ignores parameters that it does not know', async () => {
    const path = `${WORKPLACE}/categories?_AuthenticationKey=${bruno}&_=1700000000`;
    expect((await server.call(path)).status).toBe(200);
  });

  it('follows the position, then the title', async () => {
    await server.database.query(`UPDATE categories SET position = 9 WHERE reference = 'EVERYDAY'`);
    expect(titles(await categoriesOf(bruno)).at(-1)).toBe('Everyday');
    await server.database.query(`UPDATE categories SET position = 0`);
    const sorted = titles(await categoriesOf(bruno));
    expect(sorted).toEqual([...sorted].sort());
    await server.database.query(`UPDATE categories SET position = id - 1`);
  });
});

describe('GET /navigation/workplace/apps', () => {
  it('Returns the services of one category, with exactly the interface’s fields', async () => {
    const [leave, ...others] = await appsOf(bruno, 'Everyday');
    const id = await idOf(server, 'applications', 'LEAVE');
    expect(leave).toEqual({
      id: `/navigation/applications/${id}`,
      title: 'Leave requests',
      reference: 'LEAVE',
      tileColor: 'green',
      type: 'PROCESS',
      link: `/workplace/applications/${id}`,
      icon: 'calendar-days',
      targetBlank: false,
      helpLinkJS: '/workplace/help/leave',
      keywords: 'holiday absence congés Urlaub',
      updateCounterUrl: `/navigation/workplace/views/count?applicationUri=%2Fnavigation%2Fapplications%2F${id}`,
      comparisonValue: 'Leave requests',
    });
    expect(titles(others)).toEqual([
      'Business travel',
      'Expense claims',
      'Staff directory',
      'Canteen menu',
      'Meeting rooms',
    ]);
    expect(others[3]).toMatchObject({ type: 'LINK', updateCounterUrl: '', helpLinkJS: '' });
  });

  it('shows a person the applications whose audience names the user, a group or an organization above', async () => {
    expect(titles(await appsOf(bruno, 'Customers and sales'))).toEqual([
      'Customer contracts',
      'Complaints',
      'Customer base',
    ]);
    expect(titles(await appsOf(bruno, 'People and careers'))).toContain('Hiring');
    expect(titles(await appsOf(chloe, 'Ressources humaines'))).toContain('Intégration');
    expect(titles(await appsOf(alice, 'People and careers'))).not.toContain('Hiring');
    expect(titles(await appsOf(alice, 'Finance'))).toContain('Purchase orders');
  });

  it('follows a change of membership and of activity in the next call', async () => {
    const join = `INSERT INTO group_members SELECT g.id, u.id FROM groups g, users u WHERE g.reference = 'HIRING' AND u.login = 'alice.martin'`;
    await server.database.query(join);
    expect(titles(await appsOf(alice, 'People and careers'))).toContain('Hiring');
    await server.database.query(
      `DELETE FROM group_members m USING groups g, users u WHERE m.group_id = g.id AND m.user_id = u.id AND g.reference = 'HIRING' AND u.login = 'alice.martin'`,
    );
    expect(titles(await appsOf(alice, 'People and careers'))).not.toContain('Hiring');
    await server.database.query(`UPDATE applications SET active = false WHERE reference = 'LEAVE'`);
    expect(titles(await appsOf(bruno, 'Everyday'))).not.toContain('Leave requests');
    expect(await countOf(bruno, await application('LEAVE'))).toEqual(NOT_FOUND);
    await server.database.query(`UPDATE applications SET active = true WHERE reference = 'LEAVE'`);
  });

  const expectNoCategory = async (category: string) => {
    const answer = await get(`${WORKPLACE}/apps${query({ category })}`, bruno);
    expect([answer.status, answer.body]).toEqual([404, NOT_FOUND]);
  };

  it.each(['/navigation/categories/999', '999', 'x', '/x', '0', '-1', "1'", '1;2'])(
    'answers one and the same 404 to the category %s',
    expectNoCategory,
  );

  it.each<[string, () => string | Promise<string>]>([
    ['one that the caller may not see', () => uriOf(server, 'categories', 'IT')],
    ['an application', () => application('LEAVE')],
    [
      'a URI with a slash behind it',
      async () => `${await uriOf(server, 'categories', 'EVERYDAY')}/`,
    ],
    [
      'an id with a leading zero',
      async () => `/navigation/categories/0${await idOf(server, 'categories', 'EVERYDAY')}`,
    ],
  ])('answers the same 404 to a category that is %s', async (_, category) =>
    expectNoCategory(await category()),
  );

  it('accepts an id wherever a URI is', async () => {
    const id = await idOf(server, 'categories', 'EVERYDAY');
    expect((await get(`${WORKPLACE}/apps?category=${id}`, bruno)).status).toBe(200);
  });

  it('answers 400 without category, with a blank one or two', async () => {
    for (const text of ['', '?category=', '?category=1&category=2', '?Category=1']) {
      const answer = await get(`${WORKPLACE}/apps${text}`, bruno);
      expect([answer.status, fieldNames(answer)]).toEqual([400, ['category']]);
    }
  });
});

describe('GET /navigation/workplace/apps/indicator', () => {
  it('Returns the indicator of one application: the rows of its view for the caller', async () => {
    expect(await countOf(bruno, await application('CANTEEN'))).toEqual({
      type: 'COUNTER',
      count: 0,
    });
    await server.database.query(
      `UPDATE applications SET view_id = NULL WHERE reference = 'ACCESS'`,
    );
    expect(await countOf(alice, await application('ACCESS'))).toEqual({
      type: 'COUNTER',
      count: 0,
    });
    let total = 0;
    for (const [token, login] of [
      [alice, 'alice.martin'],
      [bruno, 'bruno.keller'],
      [chloe, 'chloe.lefevre'],
    ] as const) {
      const [row] = await server.database.query<{ mine: number; ours: number }>(
        `SELECT count(*) FILTER (WHERE k.assignee_id = u.id)::int AS mine, count(*)::int AS ours
         FROM tasks k, users u WHERE u.login = $1 AND k.status = 'open'
           AND k.application_id = (SELECT id FROM applications WHERE reference = 'TRAVEL')
           AND (k.assignee_id = u.id OR k.group_id IN (SELECT group_id FROM group_members WHERE user_id = u.id))`,
        [login],
      );
      total += row!.ours;
      expect(await countOf(token, await application('TRAVEL'))).toEqual({
        type: 'COUNTER',
        count: row!.ours,
      });
    }
    expect(total).toBeGreaterThan(0);
  });

  it('counts by the filters of the view: @me and @mygroups stand for the caller', async () => {
    const [row] = await server.database.query<{ mine: number; ours: number }>(
      `SELECT count(*) FILTER (WHERE a.reference = 'LEAVE' AND k.assignee_id = u.id)::int AS mine,
        count(*) FILTER (WHERE a.reference = 'HIRING' AND k.group_id IN (SELECT group_id FROM group_members WHERE user_id = u.id))::int AS ours
       FROM tasks k JOIN applications a ON a.id = k.application_id, users u WHERE u.login = 'bruno.keller' AND k.status = 'open'`,
    );
    expect(await countOf(bruno, await application('LEAVE'))).toEqual({
      type: 'COUNTER',
      count: row!.mine,
    });
    expect(await countOf(bruno, await application('HIRING'))).toEqual({
      type: 'COUNTER',
      count: row!.ours,
    });
    expect(row!.mine + row!.ours).toBeGreaterThan(0);
  });

  it('shows a task that was created, assigned and closed in the next call', async () => {
    const uri = await application('LEAVE');
    const { count } = (await countOf(chloe, uri)) as { count: number };
    await server.database.query(
      `INSERT INTO tasks (title, application_id, assignee_id, reference)
       SELECT 'New', a.id, u.id, 'T-NEW' FROM applications a, users u WHERE a.reference = 'LEAVE' AND u.login = 'chloe.lefevre'`,
    );
    expect(await countOf(chloe, uri)).toEqual({ type: 'COUNTER', count: count + 1 });
    await server.database.query(`UPDATE tasks SET status = 'done' WHERE reference = 'T-NEW'`);
    expect(await countOf(chloe, uri)).toEqual({ type: 'COUNTER', count });
  });

  it('counts by the current view, in one statement after a change of tasks and in none before it', async () => {
    const uri = await application('LEAVE');
    const change = (set: string) =>
      server.database.query(
        `UPDATE views v SET ${set} FROM applications a WHERE v.id = a.view_id AND a.reference = 'LEAVE'`,
      );
    const mine = async (condition: string): Promise<unknown> => {
      const [row] = await server.database.query<{ count: number }>(
        `SELECT count(*)::int FROM tasks k JOIN users u ON k.assignee_id = u.id
           OR k.group_id IN (SELECT group_id FROM group_members WHERE user_id = u.id)
         WHERE u.login = 'bruno.keller' AND ${condition}`,
      );
      return { type: 'COUNTER', count: row!.count };
    };
    const applicationCalled = (reference: string) =>
      `(SELECT id FROM applications WHERE reference = '${reference}')`;
    const leave = `k.application_id = ${applicationCalled('LEAVE')}`;
    const counted = async (expected: unknown): Promise<number> =>
      countStatements(async () => expect(await countOf(bruno, uri)).toEqual(expected));

    const [before] = await server.database.query<{
      id: string;
      filters: string[];
      sorter: string | null;
    }>(
      `SELECT v.id, v.filters, v.sorter FROM views v JOIN applications a ON v.id = a.view_id AND a.reference = 'LEAVE'`,
    );
    await change(`filters = '{status:eq:done}'`);
    const touchTasks = () =>
      server.database.query(
        `UPDATE tasks SET title = title WHERE assignee_id = (SELECT id FROM users WHERE login = 'bruno.keller')`,
      );
    /** After a change of the view, after one of tasks, and after none. */
    const countedThrice = async (expected: unknown): Promise<number[]> => {
      const first = await counted(expected);
      await touchTasks();
      return [first, await counted(expected), await counted(expected)];
    };
    expect(await countedThrice(await mine(`${leave} AND k.status = 'done'`))).toEqual([3, 1, 0]);
    await change(`filters = '{status:eq:done,title:starts:a}', filter_mode = 'or'`);
    const either = await mine(`${leave} AND (k.status = 'done' OR k.title ILIKE 'a%')`);
    expect(await countedThrice(either)).toEqual([3, 1, 0]);
    await change(`filter_mode = 'and'`);
    const both = await mine(`${leave} AND k.status = 'done' AND k.title ILIKE 'a%'`);
    expect(await countedThrice(both)).toEqual([3, 1, 0]);

    await change(`filters = '{}', application_id = ${applicationCalled('TRAVEL')}`);
    const others = await mine(`k.application_id = ${applicationCalled('TRAVEL')}`);
    await change(`application_id = ${applicationCalled('LEAVE')}`);
    const own = await mine(leave);
    expect(own).not.toEqual(others);
    expect(await countedThrice(own)).toEqual([3, 1, 0]);
    await change(`application_id = ${applicationCalled('TRAVEL')}`);
    expect(await countedThrice(others)).toEqual([3, 1, 0]);
    await change(`application_id = ${applicationCalled('LEAVE')}`);

    const asked = () => get(`${WORKPLACE}/apps/indicator${query({ applicationUri: uri })}`, bruno);
    // A count does not depend on the order, but an invalid sorter makes the whole view invalid.
    for (const unreadable of [`sorter = 'nothing'`, `filters = '{nothing:eq:1}'`]) {
      await change(`filters = '{}', sorter = NULL`);
      expect(await countedThrice(own)).toEqual([3, 1, 0]);
      await change(unreadable);
      for (const _ of [1, 2]) {
        const { status, body } = await asked();
        expect([unreadable, status, (body as { message: string }).message]).toEqual([
          unreadable,
          409,
          expect.stringMatching(/^The view cannot be executed: .*'nothing'/),
        ]);
      }
    }
    // A caller who may not see the application gets no information about its view.
    const showing = (set: string) =>
      server.database.query(`UPDATE applications SET ${set} WHERE reference = 'LEAVE'`);
    await showing('active = false');
    const hidden = await asked();
    expect([hidden.status, hidden.body]).toEqual([404, NOT_FOUND]);
    await showing('active = true, view_id = NULL');
    expect(await counted({ type: 'COUNTER', count: 0 })).toBe(2);
    await showing(`view_id = ${before!.id}`);
    await server.database.query(`UPDATE views SET filters = $1, sorter = $2 WHERE id = $3`, [
      before!.filters,
      before!.sorter,
      before!.id,
    ]);
  });

  it('answers like updateCounterUrl, which takes applicationUri', async () => {
    for (const { id, updateCounterUrl, type } of await appsOf(bruno, 'Everyday')) {
      if (type !== 'PROCESS') continue;
      const counter = await server.call(`${updateCounterUrl}&_AuthenticationKey=${bruno}`);
      expect([counter.status, counter.body]).toEqual([200, await countOf(bruno, id)]);
    }
  });

  it('answers the same 404 to a hidden application as to an unknown one', async () => {
    for (const applicationUri of [
      await application('CONTRACTS'),
      await application('FLEET'),
      '/navigation/applications/999',
      'x',
      await uriOf(server, 'categories', 'EVERYDAY'),
    ])
      for (const path of ['apps/indicator', 'views/count']) {
        const answer = await get(`${WORKPLACE}/${path}${query({ applicationUri })}`, alice);
        expect([applicationUri, answer.status, answer.body]).toEqual([
          applicationUri,
          404,
          NOT_FOUND,
        ]);
      }
  });

  it('answers 400 without applicationUri', async () => {
    const answer = await get(`${WORKPLACE}/apps/indicator`, bruno);
    expect([answer.status, fieldNames(answer)]).toEqual([400, ['applicationUri']]);
  });
});

describe('conditional requests', () => {
  it('answer 304 until the caller would see something else, and stay private', async () => {
    const path = `${WORKPLACE}/apps/indicator${query({ applicationUri: await application('TRAVEL') })}`;
    const first = await get(path, bruno);
    expect(first.headers['cache-control']).toBe('private, no-cache');
    const etag = String(first.headers.etag);
    const again = await get(path, bruno, { 'If-None-Match': `"other", ${etag}` });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
    await server.database.query(
      `UPDATE tasks SET status = 'done' WHERE id = (SELECT k.id FROM tasks k JOIN users u ON u.id = k.assignee_id JOIN applications a ON a.id = k.application_id
        WHERE u.login = 'bruno.keller' AND a.reference = 'TRAVEL' AND k.status = 'open' LIMIT 1)`,
    );
    const changed = await get(path, bruno, { 'If-None-Match': etag });
    expect(changed.status).toBe(200);
    expect(changed.body.count).toBe(first.body.count - 1);
  });
});

describe('a call from a page of another origin', () => {
  it('names Origin and the token headers in Vary', async () => {
    const origin = 'https://portal.example';
    const other = await startTestServer({ CORS_ORIGINS: origin });
    const token = await other.signIn('bruno.keller');
    const photo = `/navigation${await uriOf(other, 'users', 'sysadmin')}/photo`;
    for (const path of [WORKPLACE, photo]) {
      const { status, headers } = await other.call(path, { token, headers: { Origin: origin } });
      expect([status, headers.vary]).toEqual([200, 'Origin, X-AUTHENTICATION-KEY, Authorization']);
      expect(headers['access-control-allow-origin']).toBe(origin);
    }
    await other.close();
  });
});

describe('GET /navigation/directory/users/{id}/photo', () => {
  it('is private, and answers 304 for a matching ETag', async () => {
    const path = `/navigation${await uriOf(server, 'users', 'sysadmin')}/photo`;
    const { headers } = await get(path, bruno);
    expect(headers['cache-control']).toBe('private, no-cache');
    const etag = String(headers.etag);
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get(path, bruno, { 'If-None-Match': tags });
      expect([tags, again.status, again.text]).toEqual([tags, 304, '']);
    }
    expect((await get(path, bruno, { 'If-None-Match': '"other"' })).status).toBe(200);
    await server.database.query(`UPDATE users SET title = 'Zoë Åberg' WHERE login = 'sysadmin'`);
    const renamed = await get(path, bruno, { 'If-None-Match': etag });
    expect([renamed.status, renamed.text]).toEqual([200, expect.stringContaining('>ZÅ</text>')]);
    await server.database.query(
      `UPDATE users SET title = 'System administrator' WHERE login = 'sysadmin'`,
    );
  });

  it('draws initials for a user without a photo', async () => {
    const photoOf = (uri: string) => `/navigation${uri}/photo?_AuthenticationKey=${bruno}`;
    const path = photoOf(await uriOf(server, 'users', 'sysadmin'));
    const answer = await server.call(path, { headers: { Accept: 'image/avif,image/webp,*/*' } });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/svg+xml']);
    expect(answer.text).toContain('>SA</text>');
    expect((await server.call(photoOf('/directory/users/999'))).status).toBe(404);
  });
});
