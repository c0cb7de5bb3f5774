import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { audit } from '../../src/administration/audit.resource.js';
import { Housekeeping } from '../../src/database/housekeeping.js';
import type { RecordedLinkAttribute } from '../../src/resources/attributes/recorded-link-attribute.js';
import { AuditSums } from '../../src/security/audit-sums.js';
import { fieldNames } from '../support/call.js';
import { servedResources } from '../support/server-resources.js';
import { DEMO_PASSWORD, startTestServer, type TestServer } from '../support/test-server.js';

const PATH = '/api/v2/administration/audit';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.signIn('alice.martin');
  // From here on the test decides when sums are written.
  await server.app.get(AuditSums).beforeApplicationShutdown();
});
afterAll(() => server.close());

interface Line {
  [name: string]: unknown;
  action: string;
  count: number;
}
type Named = { reference: string } | null;
const lines = async (query: string): Promise<Line[]> =>
  (await server.call(`${PATH}?${query}`, { token })).body as Line[];
const refusals = async (query: string): Promise<Line[]> => {
  await server.app.get(AuditSums).write();
  return lines(`filters=action:eq:refuse&${query}`);
};

describe('GET /api/v2/administration/audit', () => {
  it('records actor, action, address, request and states before and after, without secrets', async () => {
    const password = 'Secret-Password-77';
    const users = '/api/v2/directory/users';
    const headers = { 'X-Request-Id': 'audit-test-1' };
    const body = { login: 'audited', lastName: 'Audited', password };
    const made = await server.call(users, { method: 'POST', token, body, headers });
    const { uri } = made.body as { uri: string };
    await server.call(`/api/v2${uri}`, {
      method: 'PATCH',
      token,
      body: [
        { op: 'replace', path: '/firstName', value: 'Åsa' },
        { op: 'add', path: '/password', value: `${password}8` },
      ],
    });
    await server.call(`/api/v2${uri}`, { method: 'DELETE', token });
    const trail = await lines(`filters=object:eq:${uri}`);
    expect(trail.map(({ action }) => action)).toEqual([
      'change-password',
      'create',
      'change-password',
      'update',
      'delete',
    ]);
    const { id: actorId } = trail[1]!.actor as { id: string };
    expect(trail[1]).toEqual({
      agent: null,
      id: expect.stringMatching(/^\d+$/),
      creationDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/),
      action: 'create',
      reason: null,
      actor: {
        id: expect.stringMatching(/^\d+$/),
        uri: `/directory/users/${actorId}`,
        reference: 'alice.martin',
        label: 'Alice Martin',
      },
      program: null,
      object: { id: uri.split('/').at(-1), uri, reference: null, label: null },
      address: '127.0.0.1',
      requestId: made.headers['x-request-id'],
      callerRequestId: 'audit-test-1',
      count: 1,
      before: null,
      after: made.body,
    });
    expect(trail[3]!.before).toMatchObject({ firstName: null });
    expect(trail[3]!.after).toMatchObject({ firstName: 'Åsa' });
    expect(JSON.stringify(trail)).not.toContain('Secret-Password');
  });

  it.each(['short', 'bad id "x"', `x${'y'.repeat(128)}`])(
    'keeps no request id of a caller that is not safe to log: %j',
    async (id) => {
      const headers = { 'X-Request-Id': id };
      const body = { login: 'bruno.keller', password: DEMO_PASSWORD };
      const answer = await server.call('/api/v2/authentication', { method: 'POST', body, headers });
      const requestId = String(answer.headers['x-request-id']);
      expect(await lines(`filters=requestId:eq:${requestId}`)).toMatchObject([
        { action: 'sign-in', callerRequestId: null },
      ]);
    },
  );

  it('records signing in and out, and by which credential', async () => {
    const bruno = await server.signIn('bruno.keller');
    await server.call('/api/v2/authentication', { method: 'DELETE', token: bruno });
    const trail = await lines(
      'filters=actor.reference:eq:BRUNO.keller&sorter=-creationDate&range=0-2',
    );
    expect(trail.map(({ action, after }) => [action, after])).toEqual([
      ['sign-out', null],
      ['sign-in', { by: 'password' }],
    ]);
  });

  it('counts denied requests by address and reason', async () => {
    for (let time = 0; time < 3; time++) await server.call('/api/v2', { from: '127.0.0.9' });
    await server.call('/navigation/search/workplace', { from: '127.0.0.9' });
    for (let time = 0; time < 2; time++)
      await server.call('/api/v2/authentication', {
        method: 'POST',
        body: { login: 'bruno.keller', password: 'wrong' },
      });
    await server.call('/navigation/search/workplace?query=x', { token: 'bad' });
    const bruno = await server.signIn('bruno.keller');
    await server.call('/api/v2/administration/audit', { token: bruno });
    const trail = await refusals('');
    const summed = trail.map(({ reason, address, actor, object, count }) => [
      reason,
      address,
      (actor as Named)?.reference,
      (object as Named)?.reference,
      count,
    ]);
    expect(summed).toEqual([
      ['The calling address is not authorized', '127.0.0.9', undefined, undefined, 4],
      ['bad credentials: password', '127.0.0.1', undefined, 'bruno.keller', 2],
      [
        'You are not logged in: the token is missing, invalid or expired',
        '127.0.0.1',
        undefined,
        undefined,
        1,
      ],
      [
        'You have no access to this endpoint or resource: it needs audit:read',
        '127.0.0.1',
        'bruno.keller',
        undefined,
        1,
      ],
    ]);
  });

  it('sums denied requests under one entry when there are too many to list separately', async () => {
    const from = (at: number) => `127.0.${1 + Math.floor(at / 250)}.${1 + (at % 250)}`;
    for (let at = 0; at < 1_010; at++) await server.call('/api/v2', { from: from(at) });
    const [last] = await refusals('sorter=-id&range=0-1');
    expect(last).toMatchObject({ reason: 'further refusals', count: 10, address: null });
  });

  it('is listed, filtered and described like any resource', async () => {
    const page = await server.call(
      `${PATH}?filters=action:neq:refuse&filters=count:gte:1&range=0-1`,
      {
        token,
        headers: { Prefer: 'count=exact' },
      },
    );
    expect(page.body).toHaveLength(1);
    expect(Number(page.headers['x-total-count'])).toBeGreaterThan(3);
    expect(page.headers.link).toContain('rel="next"');
    const french = await lines('responseMode=user&filters=action:eq:sign-in&range=0-1');
    expect(french[0]!.action).toBe('signed in');
    const bad = await server.call(`${PATH}?filters=action:eq:x&sorter=before`, { token });
    expect(fieldNames(bad).sort()).toEqual(['filters', 'sorter']);
    const described = await server.call(`${PATH}/attributes`, { token });
    expect(described.body.map(({ name }: { name: string }) => name)).toContain('requestId');
  });
});

describe('what a line of the audit trail points to', () => {
  /** The id of a user of the demonstration. */
  const idOfUser = async (login: string): Promise<string> => {
    const found = await server.call(`/api/v2/directory/users?filters=login:eq:${login}`, { token });
    return (found.body as { id: string }[])[0]!.id;
  };

  /** Writes a line with an actor and an object, and shows who, by which program, and what. */
  const shown = async (line: (string | null)[], query = '') => {
    const requestId = randomUUID();
    await server.database.query(
      `INSERT INTO audit (action, actor_uri, actor_login, object_uri, request_id) VALUES ('update', $1, $2, $3, $4)`,
      [...line, requestId],
    );
    const [found] = await lines(`filters=requestId:eq:${requestId}${query}`);
    const { actor, program, object } = found!;
    return { actor, program, object };
  };

  it('is a user by the login of that time and the title of today', async () => {
    const id = await idOfUser('bruno.keller');
    const uri = `/directory/users/${id}`;
    expect(await shown([uri, 'bruno', uri])).toEqual({
      actor: { id, uri, reference: 'bruno', label: 'Bruno Keller' },
      program: null,
      object: { id, uri, reference: 'bruno.keller', label: 'Bruno Keller' },
    });
  });

  it('keeps the login of a deleted user', async () => {
    const uri = '/directory/users/987654321';
    expect(await shown([uri, 'gone', uri])).toEqual({
      actor: { id: '987654321', uri, reference: 'gone', label: 'gone' },
      program: null,
      object: { id: '987654321', uri, reference: null, label: null },
    });
  });

  it.each([
    ['/directory/users', null],
    ['/directory/users/', null],
    ['/administration/parameters/com.platform.security.Token.lifetime', null],
    ['/process/tasks/1/comments/7', '7'],
    ['/directory/users/99999999999999999999', '99999999999999999999'],
  ])('has neither reference nor label where it is no object of a list: %s', async (uri, id) => {
    expect(await shown([null, 'command line (root)', uri])).toEqual({
      actor: null,
      program: 'command line (root)',
      object: { id, uri, reference: null, label: null },
    });
  });

  it('is empty for a call without user and object', async () => {
    expect(await shown([null, null, null])).toEqual({ actor: null, program: null, object: null });
  });

  it('has the name of an object of each resource', () => {
    const { linked } = audit.attributes.get('object') as RecordedLinkAttribute;
    const names = servedResources().map(({ name }) => name);
    expect([...linked.names].sort()).toEqual(names.sort());
  });

  it('does not reveal the name of a filter that only its owner sees', async () => {
    const bruno = await server.signIn('bruno.keller');
    const made = await server.call('/api/v2/process/task-filters', {
      method: 'POST',
      token: bruno,
      body: { label: 'Mine alone', filters: ['status:eq:open'] },
    });
    const { id, uri } = made.body as { id: string; uri: string };
    const [line] = await lines(`filters=object:eq:${uri}`);
    expect(line!.object).toEqual({ id, uri, reference: null, label: null });
  });

  it('is shown to people by its label in their language, or by its URI', async () => {
    const made = await server.call('/api/v2/navigation/categories', {
      method: 'POST',
      token,
      body: { title: 'Moving', translations: { en: { title: 'We are moving' } } },
    });
    const { uri } = made.body as { uri: string };
    const user = `/directory/users/${await idOfUser('bruno.keller')}`;
    const mode = '&responseMode=user';
    expect(await shown([user, 'bruno', uri], mode)).toEqual({
      actor: 'Bruno Keller',
      program: null,
      object: 'We are moving',
    });
    expect(await shown([null, 'mail delivery', '/directory/users/987654321'], mode)).toEqual({
      actor: null,
      program: 'mail delivery',
      object: '/directory/users/987654321',
    });
  });

  describe('in a filter', () => {
    const DELIVERY = '10.9.9.9';
    let bruno: string;
    beforeAll(async () => {
      bruno = await idOfUser('bruno.keller');
      await server.database.query(
        `INSERT INTO audit (action, actor_uri, actor_login, object_uri, address) VALUES
           ('update', $1, 'bruno.keller', '/directory/groups/5', $2),
           ('update', '/directory/users/987654321', 'Grün', '/directory/groups', $2),
           ('update', NULL, 'mail delivery', '/process/tasks/5', $2),
           ('refuse', NULL, NULL, NULL, $2)`,
        [`/directory/users/${bruno}`, DELIVERY],
      );
    });

    const BRUNO = 'ID_OF_BRUNO';
    it.each([
      [`actor:eq:${BRUNO}`, [0]],
      [`actor:eq:/directory/users/${BRUNO}`, [0]],
      [`actor:in:${BRUNO},/directory/users/987654321`, [0, 1]],
      [`actor:neq:${BRUNO}`, [1, 2, 3]],
      ['actor:isempty', [2, 3]],
      ['actor:isnotempty', [0, 1]],
      ['actor.reference:eq:BRUNO.keller', [0]],
      ['actor.reference:eq:grun', []],
      ['actor.reference:in:GRÜN,mail delivery', [1, 2]],
      ['actor.reference:neq:GRÜN', [0, 2, 3]],
      ['actor.reference:starts:gru', [1]],
      ['actor.reference:contains:keller', [0]],
      ['actor.reference:notcontains:keller', [1, 2, 3]],
      ['actor.reference:eq:mail delivery', [2]],
      ['actor.reference:isempty', [3]],
      ['object:eq:/directory/groups/5', [0]],
      ['object:eq:/directory/groups', [1]],
      ['object:in:/directory/groups,/process/tasks/5', [1, 2]],
      ['object:neq:/directory/groups/5', [1, 2, 3]],
      ['object:isempty', [3]],
      ['object.uri:starts:/directory/groups', [0, 1]],
      ['object.uri:contains:tasks', [2]],
      ['object.uri:ends:/5', [0, 2]],
    ])('%s finds the lines at %j', async (filter, places) => {
      const asked = encodeURIComponent(filter.replace(BRUNO, bruno));
      const sorted = `filters=address:eq:${DELIVERY}&sorter=id`;
      const ids = (await lines(sorted)).map(({ id }) => id);
      const found = await lines(`${sorted}&filters=${asked}`);
      expect(found.map(({ id }) => ids.indexOf(id))).toEqual(places);
    });

    it.each([
      ['actor:eq:bruno.keller', 'not-a-link', { uris: '/directory/users/1' }],
      ['object:eq:5', 'not-a-uri', { uri: '/directory/users/1' }],
    ])('%s is a 400', async (filter, code, parameters) => {
      const answer = await server.call(`${PATH}?filters=${filter}`, { token });
      expect([answer.status, answer.body]).toMatchObject([
        400,
        { fields: [{ name: 'filters', code, parameters }] },
      ]);
    });

    it.each(['date', 'actorUri', 'actorLogin', 'objectUri', 'program', 'object.label'])(
      '%s is rejected',
      async (name) => {
        const { body, status } = await server.call(`${PATH}?filters=${name}:eq:x`, { token });
        expect([status, body.fields[0].code]).toEqual([400, expect.any(String)]);
      },
    );
  });
});

describe('the audit trail', () => {
  const partOf = (date: Date) => `audit_${date.toISOString().slice(0, 7).replace('-', '_')}`;
  const partsOf = async () =>
    (
      await server.database.query<{ name: string }>(
        `SELECT relid::text AS name FROM pg_partition_tree('audit') WHERE isleaf ORDER BY 1`,
      )
    ).map(({ name }) => name);

  it.each(['audit', partOf(new Date()), 'audit_default'])(
    'cannot be changed by the role of the server: %s',
    async (table) => {
      const before = await server.database.query('SELECT count(*) FROM audit');
      for (const text of [
        `UPDATE ${table} SET actor_login = 'intruder'`,
        `TRUNCATE ${table}`,
        `DELETE FROM ${table}`,
        `DELETE FROM ${table} WHERE date < now() - interval '11 years'`,
      ])
        await expect(server.database.query(text)).rejects.toThrow('append-only');
      expect(await server.database.query('SELECT count(*) FROM audit')).toEqual(before);
    },
  );

  it('has a part for this month and for the next', async () => {
    const now = new Date();
    const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
    expect(await partsOf()).toEqual([partOf(now), partOf(next), 'audit_default'].sort());
  });

  it('takes lines of months that have no part, which get theirs when they have come', async () => {
    const query = (text: string) => server.database.query<{ n: number }>(text);
    await query(
      `INSERT INTO audit (date, action, object_uri) SELECT d, 'create', '/x/moved' FROM unnest(
         ARRAY['2025-02-01T00:00:00Z', '2025-01-31T23:59:59.999Z', '2024-12-31T23:30:00-01:00', 'infinity', '2199-01-01']::timestamptz[]) AS d`,
    );
    const before = await query('SELECT a::text FROM audit a ORDER BY 1');
    await query('SELECT add_audit_parts()');
    expect(await partsOf()).toEqual(expect.arrayContaining(['audit_2025_01', 'audit_2025_02']));
    expect(await partsOf()).toHaveLength(5);
    expect(await query('SELECT a::text FROM audit a ORDER BY 1')).toEqual(before);
    expect(
      await query(
        `SELECT (SELECT count(*)::int FROM audit_2025_01) AS january, (SELECT count(*)::int FROM audit_default) AS future`,
      ),
    ).toEqual([{ january: 2, future: 2 }]);
    for (const table of ['audit_2025_01', 'audit_default'])
      await expect(query(`DELETE FROM ${table}`)).rejects.toThrow('append-only');
  });

  it('loses a month when all its lines are older than the parameter says', async () => {
    /** The first moment of the month so many months ago, and the days since its end. */
    const [months] = await server.database.query<{ starts: string[]; days: number[] }>(
      `SELECT array_agg(start::text ORDER BY n) AS starts, array_agg(extract(day FROM now() - (start + interval '1 month'))::int ORDER BY n) AS days
         FROM (SELECT n, (date_trunc('month', now() AT TIME ZONE 'UTC') - make_interval(months => n)) AT TIME ZONE 'UTC' AS start
           FROM generate_series(2, 4) AS n) AS months`,
    );
    const { starts, days } = months!;
    await server.database.query(
      `INSERT INTO audit (date, action, object_uri) SELECT unnest($1::timestamptz[]), 'create', '/x/old'`,
      [starts],
    );
    const kept = async () => {
      await server.app.get(Housekeeping).run();
      return (
        await server.database.query<{ date: string }>(
          `SELECT date::text FROM audit WHERE object_uri = '/x/old' ORDER BY date DESC`,
        )
      ).map(({ date }) => date);
    };
    const retention = (value: number) =>
      server.database.query(
        `INSERT INTO parameters (key, value) VALUES ('audit.retention', $1) ON CONFLICT (key) DO UPDATE SET value = $1`,
        [String(value)],
      );
    expect(await kept()).toEqual(starts);
    expect(await partsOf()).not.toContain('audit_2025_01');
    await retention(days[2]! + 1);
    expect(await kept()).toEqual(starts);
    await retention(days[2]!);
    expect(await kept()).toEqual(starts.slice(0, 2));
    await retention(1);
    expect((await kept()).length).toBeLessThanOrEqual(1);
    await server.database.query('DELETE FROM parameters');
  });

  it('sums the sign-ins and sign-outs of one account after the first ten within a minute', async () => {
    const path = '/api/v2/authentication';
    const from = '127.0.0.1';
    const id = (await server.call(path, { token })).body.user.uri as string;
    const made = await server.call(`/api/v2${id}/api-keys`, {
      method: 'POST',
      token,
      body: { name: 'loop' },
    });
    const body = { login: 'alice.martin', password: made.body.key as string };
    const loop = async () => {
      const signedIn = await server.call(path, { method: 'POST', body, from });
      expect(signedIn.status).toBe(200);
      const own = signedIn.body.token as string;
      expect((await server.call(path, { method: 'DELETE', token: own })).status).toBe(204);
      expect((await server.call(path, { token: own })).status).toBe(401);
      return String(signedIn.headers['x-request-id']);
    };
    const countsOf = async (action: string) => {
      await server.app.get(AuditSums).write();
      const query = `filters=action:eq:${action}&filters=actor.reference:eq:alice.martin&sorter=id&range=0-100`;
      return lines(query);
    };
    const before = { 'sign-in': (await countsOf('sign-in')).length, 'sign-out': 0 };
    const requestIds: string[] = [];
    for (let time = 0; time < 25; time++) requestIds.push(await loop());
    for (const action of ['sign-in', 'sign-out'] as const) {
      const trail = (await countsOf(action)).slice(before[action]);
      expect(trail.map(({ count }) => count)).toEqual([...Array<number>(10).fill(1), 15]);
    }
    const summed = (await countsOf('sign-in')).at(-1)!;
    expect(summed).toMatchObject({
      reason: null,
      actor: { uri: id, reference: 'alice.martin' },
      object: null,
      address: from,
      requestId: requestIds[10],
      before: null,
      after: { by: 'API key' },
    });
    // A sign-in with another credential or from another address is counted separately.
    const other = await server.signIn('alice.martin');
    expect((await countsOf('sign-in')).at(-1)).toMatchObject({
      count: 1,
      after: { by: 'password' },
    });
    await server.call(path, { method: 'DELETE', token: other });
  });

  it('writes the sums of denied requests once the database is back', async () => {
    const log = server.app.get(AuditSums);
    await log.write();
    await server.call('/api/v2', { from: '127.0.0.11' });
    await server.database.query('ALTER TABLE audit RENAME TO hidden');
    await log.write();
    await server.call('/api/v2', { from: '127.0.0.11' });
    await server.database.query('ALTER TABLE hidden RENAME TO audit');
    const trail = await refusals('filters=address:eq:127.0.0.11');
    expect(trail.map(({ count }) => count)).toEqual([2]);
  });

  it('records nothing of a write that failed', async () => {
    const [before] = await server.database.query('SELECT count(*) FROM audit');
    await server.call('/api/v2/directory/users', {
      method: 'POST',
      token,
      body: { login: 'bruno.keller', lastName: 'Twice', password: DEMO_PASSWORD },
    });
    expect((await server.database.query('SELECT count(*) FROM audit'))[0]).toEqual(before);
  });

  it('does not let a caller imitate the lines of another request', async () => {
    const made = await server.call('/api/v2', { from: '127.0.0.9' });
    const imitated = String(made.headers['x-request-id']);
    await server.call('/navigation/search/workplace', {
      token: 'bad',
      headers: { 'X-Request-Id': imitated },
    });
    await refusals('');
    const about = await lines(`filters=requestId:eq:${imitated}`);
    expect(about.map(({ address }) => address)).toEqual(['127.0.0.9']);
    const claimed = await lines(`filters=callerRequestId:eq:${imitated}`);
    expect(claimed.map(({ address }) => address)).toEqual(['127.0.0.1']);
  });

  it.each([
    ['of letters of three bytes', '漢'.repeat(2000), '漢'.repeat(200)],
    [
      'of a pair of characters at the place of the cut',
      `${'x'.repeat(199)}😀`.padEnd(2000, 'y'),
      'x'.repeat(199),
    ],
  ])('keeps of a long text %s its beginning, length and digest', async (_, written, beginning) => {
    const bruno = await server.signIn('bruno.keller');
    const found = '/api/v2/directory/users?filters=login:eq:bruno.keller';
    const [{ uri }] = (await server.call(found, { token })).body as [{ uri: string }];
    const path = `/api/v2${uri}`;
    const body = [{ op: 'replace', path: '/description', value: written }];
    const { headers, body: kept } = await server.call(path, {
      method: 'PATCH',
      token: bruno,
      body,
    });
    expect(kept).toMatchObject({ description: written });
    const [line] = await lines(`filters=requestId:eq:${String(headers['x-request-id'])}`);
    const digest = createHash('sha256').update(written).digest('hex');
    expect(line!.after).toMatchObject({
      description: `${beginning}… (2000 characters, SHA-256 ${digest})`,
    });
  });
});
