import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fieldNames } from './support/call.js';
import { startTestServer, type TestServer } from './support/test-server.js';

const PATH = '/api/v2/directory/users/me/favourites';

let server: TestServer;
let bruno: string, alice: string;
beforeAll(async () => {
  server = await startTestServer();
  bruno = await server.signIn('bruno.keller');
  alice = await server.signIn('alice.martin');
});
afterAll(() => server.close());

const put = (body: unknown, token = bruno) => server.call(PATH, { method: 'PUT', token, body });
const get = (token = bruno) => server.call(PATH, { token });
const ref = (id: string, reference: string, label: string) => ({
  id,
  uri: `/navigation/applications/${id}`,
  reference,
  label,
});
const LEAVE = ref('1', 'LEAVE', 'Leave requests');
const TRAVEL = ref('2', 'TRAVEL', 'Business travel');
const EXPENSES = ref('3', 'EXPENSES', 'Expense claims');
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
    const set = await put({ applications: [EXPENSES.uri, '1', { uri: TRAVEL.uri }] });
    expect([set.status, set.body]).toEqual([200, { applications: [EXPENSES, LEAVE, TRAVEL] }]);
    expect((await get()).body).toEqual(set.body);
    // The answer of the GET is a valid body.
    expect((await put(set.body)).body).toEqual(set.body);
    expect((await put({ applications: [LEAVE, EXPENSES] })).body).toEqual({
      applications: [LEAVE, EXPENSES],
    });
    expect((await get(alice)).body).toEqual({ applications: [] });
  });

  it('are marked in the workplace of the person, in every category', async () => {
    await put({ applications: ['3', '1'] });
    expect(await marked()).toEqual(['EXPENSES', 'LEAVE']);
    expect(await marked(alice)).toEqual([]);
    for (const body of [{ applications: [] }, { applications: null }, {}]) {
      await put({ applications: ['2'] });
      expect((await put(body)).body).toEqual({ applications: [] });
    }
    expect(await marked()).toEqual([]);
  });

  it('show what the caller sees now; what is hidden for a while comes back', async () => {
    await put({ applications: ['1', '2'] });
    await server.database.query(`UPDATE applications SET active = false WHERE id = 1`);
    expect((await get()).body).toEqual({ applications: [TRAVEL] });
    expect(await marked()).toEqual(['TRAVEL']);
    await server.database.query(`UPDATE applications SET active = true WHERE id = 1`);
    expect((await get()).body).toEqual({ applications: [LEAVE, TRAVEL] });
  });

  it.each([
    ['an unknown one', ['1', '/navigation/applications/999']],
    ['one for others', ['/navigation/applications/18']],
    ['an inactive one', ['/navigation/applications/20']],
    ['one of another kind', ['/navigation/categories/1']],
    ['no link', ['x']],
    ['null', [null]],
    ['a number', [1]],
    ['an id and a uri that disagree', [{ id: '1', uri: TRAVEL.uri }]],
    ['one twice', ['1', LEAVE.uri]],
    ['no array', '1'],
    ['too many', Array.from({ length: 101 }, (_, n) => String(n + 1))],
  ])('refuse %s naming the field, and change nothing', async (_, applications) => {
    await put({ applications: ['2'] });
    const answer = await put({ applications });
    expect([answer.status, fieldNames(answer)]).toEqual([400, ['applications']]);
    expect((await get()).body).toEqual({ applications: [TRAVEL] });
  });

  it('answer alike for an application of others and for one that does not exist', async () => {
    const [hidden, none] = [
      await put({ applications: ['18'] }),
      await put({ applications: ['999'] }),
    ];
    expect(hidden.text.replace('18', '999')).toBe(none.text);
    // The administrator can read it on the main API, but it is not among her tiles either.
    const crm = await put({ applications: ['17'] }, alice);
    expect([crm.status, fieldNames(crm)]).toEqual([400, ['applications']]);
  });

  it('refuse other attributes and bodies, and callers without a token', async () => {
    expect(fieldNames(await put({ favourites: [] }))).toEqual(['favourites']);
    expect(fieldNames(await put(['1']))).toEqual(['body']);
    expect((await server.call(PATH)).status).toBe(401);
    expect((await server.call(PATH, { method: 'PUT', body: {} })).status).toBe(401);
    expect((await server.call(PATH, { method: 'DELETE', token: bruno })).status).toBe(405);
  });

  it('survive two changes at once', async () => {
    const answers = await Promise.all(
      ['1', '2', '3', '1', '2', '3'].map((id) => put({ applications: [id] })),
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
    await put({ applications: ['2', made.body.id] });
    const [line] = await server.database.query(
      `SELECT object_uri, before, after FROM audit WHERE action = 'set-favourites' ORDER BY id DESC LIMIT 1`,
    );
    expect(line!.object_uri).toMatch(/^\/directory\/users\/\d+$/);
    expect(line!.after).toEqual({ applications: [TRAVEL.uri, made.body.uri] });
    const lines = async () =>
      (await server.database.query(`SELECT id FROM audit WHERE action = 'set-favourites'`)).length;
    const written = await lines();
    await put({ applications: ['2', made.body.id] });
    expect(await lines()).toBe(written);
    const path = `/api/v2${made.body.uri as string}`;
    expect((await server.call(path, { method: 'DELETE', token: alice })).status).toBe(204);
    expect((await get()).body).toEqual({ applications: [TRAVEL] });
    await server.database.query(
      `INSERT INTO users (login, last_name, title, status) VALUES ('fan', 'Fan', 'Fan', 1)`,
    );
    await server.database.query(
      `INSERT INTO favourites SELECT id, 1, 1 FROM users WHERE login = 'fan'`,
    );
    const users = await server.call('/api/v2/directory/users?filters=login:eq:fan', {
      token: alice,
    });
    const fan = `/api/v2${users.body[0].uri as string}`;
    expect((await server.call(fan, { method: 'DELETE', token: alice })).status).toBe(204);
  });
});
