import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fieldNames } from '../support/call.js';
import { idOf, uriOf } from '../support/id-of.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

interface Ref {
  id: string;
  uri: string;
  reference: string;
  label: string;
}

const PATH = '/api/v2/directory/users/me/favourites';

let server: TestServer;
let bruno: string, alice: string;
/** Three applications for everybody. */
let leave: Ref, travel: Ref, expenses: Ref;
beforeAll(async () => {
  server = await startTestServer();
  bruno = await server.signIn('bruno.keller');
  alice = await server.signIn('alice.martin');
  leave = await refOf('LEAVE', 'Leave requests');
  travel = await refOf('TRAVEL', 'Business travel');
  expenses = await refOf('EXPENSES', 'Expense claims');
});
afterAll(() => server.close());

const put = (body: unknown, token = bruno) => server.call(PATH, { method: 'PUT', token, body });
const get = (token = bruno) => server.call(PATH, { token });
const refOf = async (reference: string, label: string): Promise<Ref> => {
  const id = await idOf(server, 'applications', reference);
  return { id, uri: `/navigation/applications/${id}`, reference, label };
};
const marked = async (token = bruno) => {
  const { body } = await server.call('/navigation/workplace', { token });
  const entries = (body as { applications: { reference: string; favourite: boolean }[] }[]).flatMap(
    ({ applications }) => applications,
  );
  return [
    ...new Set(entries.filter((one) => one.favourite).map(({ reference }) => reference)),
  ].sort();
};

describe('GET and PUT /api/v2/directory/users/me/favourites', () => {
  it('keep an order, take URIs, ids and objects, answer Refs, and are the caller’s own', async () => {
    expect((await get()).body).toEqual({ applications: [] });
    const set = await put({ applications: [expenses.uri, leave.id, { uri: travel.uri }] });
    expect([set.status, set.body]).toEqual([200, { applications: [expenses, leave, travel] }]);
    expect((await get()).body).toEqual(set.body);
    // The answer of the GET is a valid body.
    expect((await put(set.body)).body).toEqual(set.body);
    expect((await put({ applications: [leave, expenses] })).body).toEqual({
      applications: [leave, expenses],
    });
    expect((await get(alice)).body).toEqual({ applications: [] });
  });

  it('are marked in the workplace of the person, in every category', async () => {
    await put({ applications: [expenses.id, leave.id] });
    expect(await marked()).toEqual(['EXPENSES', 'LEAVE']);
    expect(await marked(alice)).toEqual([]);
    for (const body of [{ applications: [] }, { applications: null }, {}]) {
      await put({ applications: [travel.id] });
      expect((await put(body)).body).toEqual({ applications: [] });
    }
    expect(await marked()).toEqual([]);
  });

  it('show the tiles that the caller sees, and a hidden one returns to its place', async () => {
    await put({ applications: [leave.id, travel.id] });
    await server.database.query(`UPDATE applications SET active = false WHERE reference = 'LEAVE'`);
    expect((await get()).body).toEqual({ applications: [travel] });
    expect(await marked()).toEqual(['TRAVEL']);
    await server.database.query(`UPDATE applications SET active = true WHERE reference = 'LEAVE'`);
    expect((await get()).body).toEqual({ applications: [leave, travel] });
  });

  it('keep a hidden one in a PUT, after the new list', async () => {
    const setActive = (active: boolean) =>
      server.database.query(`UPDATE applications SET active = $1 WHERE reference = 'LEAVE'`, [
        active,
      ]);
    await put({ applications: [leave.id, travel.id] });
    await setActive(false);
    const answer = await put({ applications: [expenses.id] });
    expect([answer.status, answer.body]).toEqual([200, { applications: [expenses] }]);
    await setActive(true);
    expect((await get()).body).toEqual({ applications: [expenses, leave] });
  });

  it('keep a hidden one in its place when a PUT names it beside a new one', async () => {
    const setActive = (active: boolean) =>
      server.database.query(`UPDATE applications SET active = $1 WHERE reference = 'LEAVE'`, [
        active,
      ]);
    await put({ applications: [leave.id, travel.id] });
    await setActive(false);
    const answer = await put({ applications: [leave.id, travel.id, expenses.id] });
    await setActive(true);
    expect([answer.status, answer.body]).toEqual([200, { applications: [travel, expenses] }]);
    expect((await get()).body).toEqual({ applications: [leave, travel, expenses] });
  });

  it.each<[string, () => unknown]>([
    ['an unknown one', () => [leave.id, '/navigation/applications/999']],
    ['one for others', async () => [await uriOf(server, 'applications', 'INCIDENTS')]],
    ['an inactive one', async () => [await uriOf(server, 'applications', 'FLEET')]],
    ['one of another kind', async () => [await uriOf(server, 'categories', 'EVERYDAY')]],
    ['no link', () => ['x']],
    ['null', () => [null]],
    ['a number', () => [Number(leave.id)]],
    ['an id and a uri that disagree', () => [{ id: leave.id, uri: travel.uri }]],
    ['one twice', () => [leave.id, leave.uri]],
    ['no array', () => leave.id],
    ['too many', () => Array.from({ length: 101 }, (_, n) => String(n + 1))],
  ])('refuse %s naming the field, and change nothing', async (_, applications) => {
    await put({ applications: [travel.id] });
    const answer = await put({ applications: await applications() });
    expect([answer.status, fieldNames(answer)]).toEqual([400, ['applications']]);
    expect((await get()).body).toEqual({ applications: [travel] });
  });

  it('answer alike for an application of others and for one that does not exist', async () => {
    const id = await idOf(server, 'applications', 'INCIDENTS');
    const [hidden, none] = [
      await put({ applications: [id] }),
      await put({ applications: ['999'] }),
    ];
    expect(hidden.text.replaceAll(`/${id}"`, '/999"')).toBe(none.text);
    // The administrator can read it on the main API, but it is not among her tiles either.
    const crm = await put({ applications: [await idOf(server, 'applications', 'CRM')] }, alice);
    expect([crm.status, fieldNames(crm)]).toEqual([400, ['applications']]);
  });

  it('refuse other attributes and bodies, and callers without a token', async () => {
    expect(fieldNames(await put({ favourites: [] }))).toEqual(['favourites']);
    expect(fieldNames(await put([leave.id]))).toEqual(['body']);
    expect((await server.call(PATH)).status).toBe(401);
    expect((await server.call(PATH, { method: 'PUT', body: {} })).status).toBe(401);
    expect((await server.call(PATH, { method: 'DELETE', token: bruno })).status).toBe(405);
  });

  it('survive two changes at once', async () => {
    const answers = await Promise.all(
      [leave, travel, expenses, leave, travel, expenses].map(({ id }) =>
        put({ applications: [id] }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect((await get()).body.applications.length).toBe(1);
  });

  it('are deleted with the application and with the person, and are audited', async () => {
    const made = await server.call('/api/v2/navigation/applications', {
      method: 'POST',
      token: alice,
      body: { title: 'Short', type: 'LINK', link: '/x' },
    });
    await put({ applications: [travel.id, made.body.id] });
    const [line] = await server.database.query(
      `SELECT object_uri, before, after FROM audit WHERE action = 'set-favourites' ORDER BY id DESC LIMIT 1`,
    );
    expect(line!.object_uri).toMatch(/^\/directory\/users\/\d+$/);
    expect(line!.after).toEqual({ applications: [travel.uri, made.body.uri] });
    const lines = async () =>
      (await server.database.query(`SELECT id FROM audit WHERE action = 'set-favourites'`)).length;
    const written = await lines();
    await put({ applications: [travel.id, made.body.id] });
    expect(await lines()).toBe(written);
    const path = `/api/v2${made.body.uri as string}`;
    expect((await server.call(path, { method: 'DELETE', token: alice })).status).toBe(204);
    expect((await get()).body).toEqual({ applications: [travel] });
    await server.database.query(
      `INSERT INTO users (login, last_name, title, status) VALUES ('fan', 'Fan', 'Fan', 1)`,
    );
    await server.database.query(
      `INSERT INTO favourites SELECT id, $1::bigint, 1 FROM users WHERE login = 'fan'`,
      [leave.id],
    );
    const users = await server.call('/api/v2/directory/users?filters=login:eq:fan', {
      token: alice,
    });
    const fan = `/api/v2${users.body[0].uri as string}`;
    expect((await server.call(fan, { method: 'DELETE', token: alice })).status).toBe(204);
  });
});

describe('PUT and DELETE /navigation/workplace/favourites/{applicationId}', () => {
  const ONE = '/navigation/workplace/favourites';
  const NOT_FOUND = [404, { code: 404, message: 'Not found' }];
  const add = (id: string, token = bruno) => server.call(`${ONE}/${id}`, { method: 'PUT', token });
  const remove = (id: string, token = bruno) =>
    server.call(`${ONE}/${id}`, { method: 'DELETE', token });
  const listed = async (token = bruno): Promise<string[]> =>
    (await get(token)).body.applications.map(({ reference }: Ref) => reference);
  const setActive = (reference: string, active: boolean) =>
    server.database.query('UPDATE applications SET active = $2 WHERE reference = $1', [
      reference,
      active,
    ]);
  const lines = async () =>
    (await server.database.query(`SELECT id FROM audit WHERE action = 'set-favourites'`)).length;
  /** Applications for everybody, BULK-1 and so on. */
  const makeApplications = (count: number) =>
    server.database.query<{ id: string }>(
      `INSERT INTO applications (reference, title, type)
        SELECT 'BULK-' || n, 'Bulk ' || n, 'LINK' FROM generate_series(1, $1::integer) n
        RETURNING id::text`,
      [count],
    );
  beforeAll(async () => {
    // These tests write more than one person may in a minute.
    const token = await server.signIn('sysadmin');
    const path = '/api/v2/administration/parameters/com.platform.security.Throttle.writes';
    const answer = await server.call(path, { method: 'PUT', token, body: { value: 100_000 } });
    expect(answer.status).toBe(200);
  });
  beforeEach(async () => {
    await put({ applications: [] });
    await server.database.query(`DELETE FROM applications WHERE reference LIKE 'BULK-%'`);
  });

  it('appends one, removes one, and answers the list', async () => {
    for (const [answer, expected] of [
      [await add(expenses.id), [expenses]],
      [await add(leave.id), [expenses, leave]],
      [await add(travel.id), [expenses, leave, travel]],
      [await remove(leave.id), [expenses, travel]],
      [await add(leave.id), [expenses, travel, leave]],
    ] as const)
      expect([answer.status, answer.body]).toEqual([200, { applications: expected }]);
    expect((await get()).body).toEqual({ applications: [expenses, travel, leave] });
    expect(await marked()).toEqual(['EXPENSES', 'LEAVE', 'TRAVEL']);
    expect((await get(alice)).body).toEqual({ applications: [] });
  });

  it('takes the URI of an application in place of its id', async () => {
    expect((await add(encodeURIComponent(leave.uri))).body).toEqual({ applications: [leave] });
    expect((await remove(encodeURIComponent(leave.uri))).body).toEqual({ applications: [] });
  });

  it('changes nothing the second time, and audits only changes', async () => {
    await add(leave.id);
    await add(travel.id);
    const written = await lines();
    expect((await add(leave.id)).body).toEqual({ applications: [leave, travel] });
    expect(await lines()).toBe(written);
    expect((await remove(leave.id)).body).toEqual({ applications: [travel] });
    const [line] = await server.database.query(
      `SELECT object_uri, actor_login, before, after FROM audit
        WHERE action = 'set-favourites' ORDER BY id DESC LIMIT 1`,
    );
    expect(line).toEqual({
      object_uri: await uriOf(server, 'users', 'bruno.keller'),
      actor_login: 'bruno.keller',
      before: { applications: [leave.uri, travel.uri] },
      after: { applications: [travel.uri] },
    });
    expect((await remove(leave.id)).body).toEqual({ applications: [travel] });
    expect(await lines()).toBe(written + 1);
  });

  it.each<[string, () => string | Promise<string>]>([
    ['an unknown one', () => '999'],
    ['one for others', () => idOf(server, 'applications', 'INCIDENTS')],
    ['an inactive one', () => idOf(server, 'applications', 'FLEET')],
    ['an id with a leading zero', () => `0${leave.id}`],
    ['an id above 63 bits', () => '9223372036854775808'],
    ['the URI of another kind', () => encodeURIComponent('/navigation/categories/1')],
    ['the reference of a hidden one', () => 'INCIDENTS'],
    ['no reference', () => 'NO-SUCH'],
  ])('answers 404 to a PUT of %s, and changes nothing', async (_, application) => {
    await add(travel.id);
    const answer = await add(await application());
    expect([answer.status, answer.body]).toEqual(NOT_FOUND);
    expect(await listed()).toEqual(['TRAVEL']);
  });

  it('answers 404 to administrators too for applications that are not among their tiles', async () => {
    const answer = await add(await idOf(server, 'applications', 'CRM'), alice);
    expect([answer.status, answer.body]).toEqual(NOT_FOUND);
  });

  it('answers 404 to a PUT of one that the list keeps, but the caller does not see', async () => {
    await add(leave.id);
    await setActive('LEAVE', false);
    const answer = await add(leave.id);
    await setActive('LEAVE', true);
    expect([answer.status, answer.body]).toEqual(NOT_FOUND);
    expect(await listed()).toEqual(['LEAVE']);
  });

  it('keeps a hidden one in its place while others are added and removed', async () => {
    for (const { id } of [expenses, leave, travel]) await add(id);
    await setActive('LEAVE', false);
    expect((await remove(expenses.id)).body).toEqual({ applications: [travel] });
    expect((await add(expenses.id)).body).toEqual({ applications: [travel, expenses] });
    await setActive('LEAVE', true);
    expect(await listed()).toEqual(['LEAVE', 'TRAVEL', 'EXPENSES']);
  });

  it('removes a hidden one that the list keeps', async () => {
    await add(leave.id);
    await add(travel.id);
    await setActive('LEAVE', false);
    const answer = await remove(leave.id);
    await setActive('LEAVE', true);
    expect([answer.status, answer.body]).toEqual([200, { applications: [travel] }]);
    expect(await listed()).toEqual(['TRAVEL']);
  });

  it('answers a DELETE alike whether the application is hidden, unknown or not in the list', async () => {
    await add(travel.id);
    for (const id of [leave.id, await idOf(server, 'applications', 'INCIDENTS'), '999']) {
      const answer = await remove(id);
      expect([answer.status, answer.body]).toEqual([200, { applications: [travel] }]);
    }
    const answer = await remove('NO-SUCH');
    expect([answer.status, answer.body]).toEqual(NOT_FOUND);
  });

  it('answers 409 to a PUT when the list is full, until one is removed', async () => {
    const made = await makeApplications(100);
    const ids = made.map(({ id }) => id);
    const isFull = [
      409,
      { code: 409, message: 'There can be at most 100 favourites; remove one first' },
    ];
    await put({ applications: ids.slice(0, 99) });
    expect((await add(leave.id)).status).toBe(200);
    const refused = await add(travel.id);
    expect([refused.status, refused.body]).toEqual(isFull);
    // An application in the list changes nothing, and a hidden one causes no conflict.
    expect((await add(leave.id)).status).toBe(200);
    const unknown = await add('999');
    expect([unknown.status, unknown.body]).toEqual(NOT_FOUND);
    expect((await listed()).length).toBe(100);
    await remove(ids[0]!);
    expect((await add(travel.id)).status).toBe(200);
    expect((await listed()).slice(-2)).toEqual(['LEAVE', 'TRAVEL']);
  });

  it('counts only those that the caller sees, as the list does', async () => {
    const ids = (await makeApplications(100)).map(({ id }) => id);
    await put({ applications: ids });
    expect((await add(travel.id)).status).toBe(409);
    await setActive('BULK-7', false);
    expect((await add(travel.id)).status).toBe(200);
    expect((await add(leave.id)).status).toBe(409);
    expect((await listed()).length).toBe(100);
  });

  it('writes only the row that it adds or removes', async () => {
    await put({ applications: [expenses.id, leave.id] });
    const rows = () =>
      server.database.query(
        `SELECT application_id::text AS id, xmin::text FROM favourites
          WHERE application_id = ANY ($1::bigint[]) ORDER BY position`,
        [[expenses.id, leave.id]],
      );
    const before = await rows();
    expect(before).toHaveLength(2);
    await add(travel.id);
    expect(await rows()).toEqual(before);
    expect((await remove(expenses.id)).body).toEqual({ applications: [leave, travel] });
    expect(await rows()).toEqual(before.slice(1));
  });

  it('loses none of twenty different applications that are added at once', async () => {
    const ids = (await makeApplications(20)).map(({ id }) => id);
    const answers = await Promise.all(ids.map((id) => add(id, alice)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const kept = (await get(alice)).body.applications.map(({ id }: Ref) => id) as string[];
    expect(kept.sort()).toEqual([...ids].sort());
    const gone = await Promise.all(ids.map((id) => remove(id, alice)));
    expect(gone.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect((await get(alice)).body).toEqual({ applications: [] });
  });

  it('never exceeds the bound when twenty are added at once', async () => {
    const ids = (await makeApplications(115)).map(({ id }) => id);
    await put({ applications: ids.slice(0, 95) }, alice);
    const answers = await Promise.all(ids.slice(95).map((id) => add(id, alice)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(5).fill(200),
      ...Array<number>(15).fill(409),
    ]);
    expect((await listed(alice)).length).toBe(100);
  });

  it('takes the token only in the header, and ignores unknown parameters', async () => {
    for (const method of ['PUT', 'DELETE']) {
      const path = `${ONE}/${leave.id}`;
      expect((await server.call(path, { method })).status).toBe(401);
      const inQuery = `${path}?_AuthenticationKey=${bruno}`;
      expect((await server.call(inQuery, { method })).status).toBe(401);
      expect((await server.call(`${path}?_=1`, { method, token: bruno })).status).toBe(200);
    }
    const read = await server.call(`${ONE}/${leave.id}`, { token: bruno });
    expect([read.status, read.headers.allow]).toEqual([405, 'PUT, DELETE']);
  });
});
