import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fieldNames } from './support/call.js';
import { idOf, uriOf } from './support/id-of.js';
import { startTestServer, type TestServer } from './support/test-server.js';

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

  it('show what the caller sees now; what is hidden for a while comes back', async () => {
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
    expect(hidden.text.replace(id, '999')).toBe(none.text);
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
