import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { personLdif, ROOT_DN, ROOT_PASSWORD, Slapd, SLAPD } from '../support/slapd.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { until } from '../support/until.js';

/** The runs of an LDAP provider over HTTP, and by the server itself (docs/ldap.md#runs). */

const SECRETS_KEY = 'a-key-of-the-tests-with-32-characters';
const CORP = '/api/v2/directory/providers/CORP';
const ISO = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

type Json = Record<string, unknown>;

if (SLAPD === undefined) console.warn('slapd is missing: the runs are not tested');

(SLAPD === undefined ? describe.skip : describe)('the runs of an LDAP provider', () => {
  let server: TestServer;
  let slapd: Slapd;
  let admin: string;
  let id: string;

  const call = (method: string, path: string, body?: unknown) =>
    server.call(path, { method, token: admin, body });
  const query = <T extends Json = Json>(text: string, values: unknown[] = []) =>
    server.database.query<T>(text, values);
  const order = async (body: Json): Promise<Json> => {
    const answer = await call('POST', `${CORP}/synchronizations`, body);
    expect([answer.status, answer.text]).toEqual([202, expect.anything()]);
    return answer.body as Json;
  };
  const ended = async (run: Json): Promise<Json> => {
    let found: Json = run;
    await until(async () => {
      found = (await call('GET', `${CORP}/runs/${String(run.id)}`)).body as Json;
      return found.state !== 'running';
    });
    return found;
  };
  const set = async (ldap: Json): Promise<void> => {
    const value = { urls: [slapd.url], bindDn: ROOT_DN, peopleBase: 'dc=example,dc=org', ...ldap };
    const answer = await call('PATCH', CORP, [{ op: 'replace', path: '/ldap', value }]);
    expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  };

  beforeAll(async () => {
    slapd = await Slapd.start();
    slapd.change(personLdif('ada') + personLdif('ben') + personLdif('bruno.keller'));
    server = await startTestServer({ SECRETS_KEY });
    admin = await server.signInForLong('alice.martin');
    const answer = await call('POST', '/api/v2/directory/providers', {
      ...{ reference: 'CORP', label: 'Corporate directory', kind: 'ldap' },
      ldap: { urls: [slapd.url], bindDn: ROOT_DN, peopleBase: 'dc=example,dc=org' },
      bindPassword: ROOT_PASSWORD,
    });
    ({ id } = answer.body as { id: string });
  });
  afterAll(async () => {
    await server?.close();
    await slapd?.close();
  });

  it('lists what a dry run would change', async () => {
    const answer = await call('POST', `${CORP}/synchronizations`, { dryRun: true });
    const run = answer.body as Json;
    expect([answer.status, answer.headers.location, run]).toEqual([
      202,
      `/api/v2/directory/providers/${id}/runs/${String(run.id)}`,
      expect.objectContaining({ state: 'running', dryRun: true, full: true, changes: [] }),
    ]);
    expect(await ended(run)).toEqual({
      ...{ id: run.id, state: 'done', dryRun: true, full: true, read: 3 },
      ...{ startDate: expect.stringMatching(ISO), endDate: expect.stringMatching(ISO) },
      ...{ brake: false, error: null },
      counts: {
        ...{ read: 3, created: 2, updated: 0, unchanged: 0, deactivated: 0, deleted: 0 },
        ...{ archived: 0, skipped: 1, groups: 0, groupsCreated: 0, groupsUpdated: 0 },
        ...{ groupsReleased: 0, membersAdded: 0, membersRemoved: 0 },
      },
      changes: [
        { action: 'skip', name: 'bruno.keller', reason: 'login: The login is taken' },
        { action: 'create', name: 'ada', reason: 'is new in the directory' },
        { action: 'create', name: 'ben', reason: 'is new in the directory' },
      ],
    });
    expect(await query(`SELECT 1 FROM users WHERE login = 'ada'`)).toEqual([]);
    const [line] = await query(
      `SELECT actor_login, object_uri, after FROM audit WHERE action = 'import' ORDER BY id DESC LIMIT 1`,
    );
    expect(line).toEqual({
      actor_login: 'alice.martin',
      object_uri: `/directory/providers/${id}`,
      after: { dryRun: true, full: true, withoutBrake: false },
    });
  });

  it('lists its runs, the newest first by their ids', async () => {
    const run = await ended(await order({}));
    expect(run).toMatchObject({ state: 'done', dryRun: false, counts: { created: 2 } });
    const { body } = await call('GET', `${CORP}/runs?sorter=-id&filters=state:eq:done`);
    const { changes: _, ...listed } = run;
    expect(body).toEqual([listed, expect.objectContaining({ dryRun: true })]);
  });

  it('answers 409 while a run is at work, and to providers that are not read', async () => {
    const holder = new pg.Client(server.database.connection);
    await holder.connect();
    await holder.query(`SELECT pg_advisory_lock(2026112801, ${id})`);
    const refusal = async (path: string): Promise<unknown> => {
      const { status, body } = await call('POST', `${path}/synchronizations`, {});
      return [status, (body as Json).reason];
    };
    expect(await refusal(CORP)).toEqual([409, 'run-at-work']);
    await holder.end();
    const [other] = await query<{ id: string }>(
      `INSERT INTO providers (reference, label, kind) VALUES ('OTHER', 'Other', 'ldap') RETURNING id::text`,
    );
    const other1 = `/api/v2/directory/providers/OTHER`;
    expect(await refusal(other1)).toEqual([409, 'no-ldap-settings']);
    await query(`UPDATE providers SET active = false WHERE id = $1`, [id]);
    expect(await refusal(CORP)).toEqual([409, 'provider-inactive']);
    await query(`UPDATE providers SET active = true WHERE id = $1`, [id]);
    // A run is one of its own provider alone.
    const [run] = await query<{ id: string }>('SELECT max(id)::text AS id FROM provider_runs');
    expect((await call('GET', `${other1}/runs/${run!.id}`)).status).toBe(404);
    expect(other!.id).not.toBe(id);
  });

  it('says that the brake held, and goes on without it', async () => {
    await set({ peopleFilter: '(uid=ada)' });
    expect(await ended(await order({}))).toMatchObject({
      ...{ state: 'failed', brake: true, counts: null },
      error: expect.stringMatching(/^the brake holds: 1 of 2 people/),
    });
    expect(await ended(await order({ withoutBrake: true }))).toMatchObject({
      ...{ state: 'done', brake: false, counts: { deactivated: 1 } },
    });
    await set({});
    expect(await ended(await order({}))).toMatchObject({ state: 'done', counts: { updated: 1 } });
  });
});
