import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { fieldNames } from '../support/call.js';
import { eventually } from '../support/eventually.js';
import { Database } from '../../src/database/database.js';
import { Notifications } from '../../src/database/notifications.js';
import { ParametersService } from '../../src/security/parameters/parameters.service.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const PATH = '/api/v2/administration/parameters';
const CALLERS = 'com.acme.security.ExternalAuthenticationAction.allowedAddresses';
const SYSADMIN = 'com.acme.security.Authentication.allowedAddresses.sysadmin';
const LIFETIME = 'com.acme.security.Token.lifetime';
const LOOPBACK = '127.0.0.1, ::1';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer({ VENDOR: 'acme' });
  token = await server.signIn('sysadmin');
});
afterAll(() => server.close());

const get = (path = '') => server.call(PATH + path, { token });
const put = (key: string, value: unknown, query = '') =>
  server.call(`${PATH}/${key}${query}`, { method: 'PUT', token, body: { value } });
const audited = async () =>
  (
    await server.database.query(
      `SELECT count(*)::int AS n FROM audit WHERE action = 'set-parameter'`,
    )
  )[0]!.n;

describe('GET /api/v2/administration/parameters', () => {
  it('lists every parameter, typed', async () => {
    const { status, body } = await get();
    expect(status).toBe(200);
    expect(body).toHaveLength(49);
    expect(body[0]).toEqual({
      key: CALLERS,
      value: LOOPBACK,
      type: 'addresses',
      defaultValue: LOOPBACK,
      description:
        'Addresses and networks from which the interfaces may be called; an empty list admits no address',
    });
    expect(body[2]).toEqual({
      key: LIFETIME,
      value: 3600,
      type: 'integer',
      defaultValue: 3600,
      description: 'Lifetime of a token in seconds (60 to 2592000)',
    });
    const values = (body as { type: string; value: unknown }[]).map(
      ({ type, value }) => `${type} ${typeof value}`,
    );
    expect([...new Set(values)].sort()).toEqual([
      'addresses string',
      'boolean boolean',
      'color string',
      'destinations string',
      'holders string',
      'integer number',
      'list string',
      'name string',
      'picture string',
      'time string',
      'timeZone string',
    ]);
  });

  it('is a list like any other', async () => {
    const page = await server.call(
      `${PATH}?filters=key:contains:password&filters=type:eq:boolean&sorter=-key&range=1-2`,
      { token, headers: { Prefer: 'count=exact' } },
    );
    expect(page.body.map(({ key }: { key: string }) => key)).toEqual([
      'com.acme.security.Password.specialCharacter',
      'com.acme.security.Password.signIn',
    ]);
    expect(page.headers['x-total-count']).toBe('5');
    const bad = await get('?filters=id:eq:1&sorter=secret&range=x');
    expect([bad.status, fieldNames(bad).sort()]).toEqual([400, ['filters', 'range', 'sorter']]);
  });

  it('answers 403 to everybody but sysadmin', async () => {
    const administrator = await server.signIn('alice.martin');
    for (const path of [PATH, `${PATH}/${LIFETIME}`]) {
      const answer = await server.call(path, { token: administrator });
      expect([answer.status, answer.body.code]).toEqual([403, 403]);
    }
  });
});

describe('PUT /api/v2/administration/parameters/{key}', () => {
  it('sets a parameter for the very next call, and audits it', async () => {
    const answer = await put(LIFETIME, 60);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ key: LIFETIME, value: 60, defaultValue: 3600 });
    expect((await get(`/${LIFETIME}`)).body).toEqual(answer.body);
    const { body } = await server.call('/api/v2/authentication', {
      method: 'POST',
      body: { login: 'bruno.keller', password: 'Portal-Demo-2026' },
    });
    expect(Date.parse(body.expiration as string)).toBeLessThan(Date.now() + 61_000);
    const [line] = await server.database.query(
      `SELECT actor_login, object_uri, address, before, after FROM audit WHERE action = 'set-parameter'`,
    );
    expect(line).toEqual({
      actor_login: 'sysadmin',
      object_uri: `/administration/parameters/${LIFETIME}`,
      address: '127.0.0.1',
      before: { value: 3600 },
      after: { value: 60 },
    });
    const before = await audited();
    expect((await put(LIFETIME, 60)).status).toBe(200);
    expect(await audited()).toBe(before);
    await put(LIFETIME, 3600);
  });

  it.each([
    [LIFETIME, '3600', 'must be a number'],
    [LIFETIME, 59, 'must be a whole number from 60 to 2592000'],
    [LIFETIME, 60.5, 'must be a whole number from 60 to 2592000'],
    [LIFETIME, 1e21, 'must be a whole number from 60 to 2592000'],
    [LIFETIME, -60, 'must be a whole number from 60 to 2592000'],
    [LIFETIME, true, 'must be a number'],
    [LIFETIME, null, 'is required'],
    [LIFETIME, undefined, 'is required'],
    [LIFETIME, [60], 'must be a text, a number or a boolean'],
    ['com.acme.security.Lock.failures', 51, 'must be a whole number from 3 to 50'],
    ['com.acme.security.Password.number', 'true', 'must be true or false'],
    ['com.acme.security.Password.number', 1, 'must be true or false'],
    [
      'com.acme.display.timeZone',
      'Europe/Atlantis',
      'must be an IANA time zone such as Europe/Paris',
    ],
    [
      'com.acme.display.timeZone',
      'Europe/Paris; SELECT',
      'must be an IANA time zone such as Europe/Paris',
    ],
    ['com.acme.mail.digestTime', '7:00', 'must be a time of the day from 00:00 to 23:59'],
    ['com.acme.mail.digestTime', '24:00', 'must be a time of the day from 00:00 to 23:59'],
    [
      CALLERS,
      '127.0.0.1 localhost',
      'must be IPv4 or IPv6 addresses or CIDR networks; unreadable: localhost',
    ],
    [
      CALLERS,
      '0.0.0.0/0',
      'must be IPv4 or IPv6 addresses or CIDR networks; unreadable: 0.0.0.0/0',
    ],
    [CALLERS, 127, 'must be a string'],
  ])('%s = %j is a 400 that changes nothing', async (key, value, message) => {
    const before = await server.database.query('SELECT key, value FROM parameters ORDER BY key');
    const answer = await put(key, value);
    expect([answer.status, answer.body.fields]).toEqual([400, [{ name: 'value', message }]]);
    expect(await server.database.query('SELECT key, value FROM parameters ORDER BY key')).toEqual(
      before,
    );
  });

  it.each(['x', 'security.Token.lifetime', 'com.platform.security.Token.lifetime', '__proto__'])(
    'answers 404 to the key %s',
    async (key) => {
      expect((await put(key, 60)).body).toEqual({ code: 404, message: 'Not found' });
      expect((await get(`/${key}`)).status).toBe(404);
    },
  );

  it('names an unknown key, then a bad query, then a bad body', async () => {
    expect((await put('x', {}, '?force=maybe')).status).toBe(404);
    const fieldsOf = async (query: string) =>
      ((await put(LIFETIME, {}, query)).body.fields as { name: string }[]).map(({ name }) => name);
    expect(await fieldsOf('?force=maybe')).toEqual(['force']);
    expect(await fieldsOf('')).toEqual(['value']);
  });

  it.each([CALLERS, SYSADMIN])('%s: refuses to lock its author out, unless forced', async (key) => {
    for (const value of ['', '127.0.0.9', '10.0.0.0/8, ::1']) {
      const answer = await put(key, value);
      expect([answer.status, answer.body.message]).toEqual([
        409,
        'The list does not allow your own address 127.0.0.1, which would lock you out; send ?force=true to set it anyway',
      ]);
    }
    expect((await put(key, '127.0.0.0/8, ::1', '?force=maybe')).body.fields[0].name).toBe('force');
    expect((await put(key, '127.0.0.0/28', '?force=false')).status).toBe(200);
    const forced = await put(key, '127.0.0.9', '?force=true');
    expect([forced.status, forced.body.value]).toEqual([200, '127.0.0.9']);
    expect((await get()).status).toBe(key === CALLERS ? 403 : 401);
    await server.database.query(
      `UPDATE parameters SET value = $1 WHERE key LIKE '%allowedAddresses%'`,
      [LOOPBACK],
    );
    await eventually(async () => expect((await get()).status).toBe(200));
  });

  it('cannot be written by an administrator, nor by PATCH, POST or DELETE', async () => {
    const administrator = await server.signIn('alice.martin');
    const path = `${PATH}/${LIFETIME}`;
    const body = { value: 60 };
    expect((await server.call(path, { method: 'PUT', token: administrator, body })).status).toBe(
      403,
    );
    for (const method of ['PATCH', 'POST', 'DELETE'])
      expect((await server.call(path, { method, token, body })).status).toBe(405);
  });
});

describe('GET /api/v2/administration/address-check', () => {
  const check = (query = '', more = {}) =>
    server.call(`/api/v2/administration/address-check${query}`, { token, ...more });

  it('answers the address of this call and the rules that admit it', async () => {
    const verdict = { allowed: true, rule: '127.0.0.1' };
    expect((await check()).body).toEqual({
      address: '127.0.0.1',
      peer: '127.0.0.1',
      forwarded: [],
      callers: verdict,
      sysadmin: verdict,
    });
  });

  it("checks an address other than the caller's", async () => {
    expect((await check('?address=::1')).body.callers).toEqual({ allowed: true, rule: '::1' });
    expect((await check('?address=10.1.2.3')).body).toMatchObject({
      address: '10.1.2.3',
      callers: { allowed: false, rule: null },
    });
    expect((await check('?address=::ffff:127.0.0.1')).body.callers.allowed).toBe(true);
    for (const address of ['x', '127.1', '10.0.0.0/8', '', 'fe80::1%25lo'])
      expect(fieldNames(await check(`?address=${address}`))).toEqual(['address']);
  });
});

describe('while no change of a parameter would be announced', () => {
  it('concurrent requests share a read, and each sees the values stored before it', async () => {
    const { app, database } = server;
    const live = jest.spyOn(app.get(Notifications), 'isLive', 'get').mockReturnValue(false);
    const statements = jest.spyOn(app.get(Database), 'query');
    const parameters = app.get(ParametersService);
    const read = () =>
      Array.from({ length: 60 }, async () => (await parameters.current()).text('timeZone'));
    const isRead = ([{ text }]: [{ text: string }, ...unknown[]]) => /FROM parameters$/.test(text);
    const reads = () => statements.mock.calls.filter(isRead).length;
    const first = read();
    await eventually(() => expect(reads()).toBeGreaterThan(0));
    await database.query(
      `INSERT INTO parameters (key, value) VALUES ('display.timeZone', 'Asia/Tokyo')`,
    );
    const second = await Promise.all(read());
    await Promise.all(first);
    expect(new Set(second)).toEqual(new Set(['Asia/Tokyo']));
    // Some more, because the rounds of the server read too.
    expect(reads()).toBeLessThan(20);
    await database.query(`DELETE FROM parameters WHERE key = 'display.timeZone'`);
    statements.mockRestore();
    live.mockRestore();
  });
});
