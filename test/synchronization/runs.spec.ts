import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Housekeeping } from '../../src/database/housekeeping.js';
import { Synchronizations } from '../../src/synchronization/synchronizations.service.js';
import { groupLdif, personLdif, ROOT_DN, ROOT_PASSWORD, Slapd, SLAPD } from '../support/slapd.js';
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
    await ended(await order({ dryRun: true }));
    const { lastRun } = (await call('GET', CORP)).body as Json;
    expect(lastRun).toEqual({
      ...{ state: 'failed', brake: true, endDate: expect.stringMatching(ISO) },
      error: expect.stringMatching(/^the brake holds: 1 of 2 people/),
    });
    expect(await ended(await order({ withoutBrake: true }))).toMatchObject({
      ...{ state: 'done', brake: false, counts: { deactivated: 1 } },
    });
    await set({});
    expect(await ended(await order({}))).toMatchObject({ state: 'done', counts: { updated: 1 } });
  });

  describe('that read only changes', () => {
    const incremental = async (): Promise<Json> => ended(await order({ full: false }));
    const members = async (): Promise<unknown> =>
      (
        await query<{ login: string }>(
          `SELECT u.login FROM group_members m JOIN groups g ON g.id = m.group_id JOIN users u ON u.id = m.user_id
           WHERE g.label = 'crew' ORDER BY 1`,
        )
      ).map(({ login }) => login);
    /** Lets all entries be older than the overlap. */
    const age = () =>
      query(
        `UPDATE provider_runs SET cookie = jsonb_set(cookie, '{since}', '"20990101000000Z"') WHERE cookie IS NOT NULL`,
      );

    it('reads everything first, and after a change of the settings', async () => {
      await set({ groupsBase: 'ou=groups,dc=example,dc=org' });
      slapd.change(groupLdif('crew', ['uid=ada,ou=people', 'uid=ben,ou=people']));
      expect(await incremental()).toMatchObject({ state: 'done', full: true, read: 4 });
      expect(await members()).toEqual(['ada', 'ben']);
      // What is younger than the overlap is read again.
      expect(await incremental()).toMatchObject({ full: false, counts: { read: 3, updated: 0 } });
      await age();
      expect(await incremental()).toMatchObject({ full: false, read: 0 });
    });

    it('finds the members and the manager of what has changed among people whom it does not read', async () => {
      await age();
      const [before] = await query<{ time: string }>(
        `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISS') || 'Z' AS time`,
      );
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      slapd.change(
        personLdif('cleo', { manager: 'uid=ada,ou=people,dc=example,dc=org' }) +
          'dn: cn=crew,ou=groups,dc=example,dc=org\nchangetype: modify\nadd: member\n' +
          'member: uid=cleo,ou=people,dc=example,dc=org\n-\ndelete: member\nmember: uid=ben,ou=people,dc=example,dc=org\n',
      );
      await query(
        `UPDATE provider_runs SET cookie = jsonb_set(cookie, '{since}', to_jsonb($1::text)) WHERE cookie IS NOT NULL`,
        [before!.time],
      );
      expect(await incremental()).toMatchObject({
        full: false,
        counts: { read: 1, created: 1, groups: 1, membersAdded: 1, membersRemoved: 1 },
      });
      expect(await members()).toEqual(['ada', 'cleo']);
      const [cleo] = await query(
        `SELECT m.login FROM users u JOIN users m ON m.id = u.manager_id WHERE u.login = 'cleo'`,
      );
      expect(cleo).toEqual({ login: 'ada' });
    });

    it('keeps the members in a part of the tree that has another name now', async () => {
      const inOu = (ou: string): string => `uid=dora,ou=${ou},dc=example,dc=org`;
      const ofCrew = (change: string): string =>
        `dn: cn=crew,ou=groups,dc=example,dc=org\nchangetype: modify\n${change}\n\n`;
      slapd.change(
        'dn: ou=north,dc=example,dc=org\nobjectClass: organizationalUnit\nou: north\n\n' +
          personLdif('dora').replace('ou=people', 'ou=north') +
          ofCrew(`add: member\nmember: ${inOu('north')}`),
      );
      await ended(await order({}));
      expect(await members()).toEqual(['ada', 'cleo', 'dora']);
      await age();
      // The next second, as the directory counts in whole ones, and Dora came in this one.
      const [before] = await query<{ time: string }>(
        `SELECT to_char(now() AT TIME ZONE 'UTC' + interval '1 second', 'YYYYMMDDHH24MISS') || 'Z' AS time`,
      );
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      slapd.change(
        'dn: ou=north,dc=example,dc=org\nchangetype: modrdn\nnewrdn: ou=south\ndeleteoldrdn: 1\n\n' +
          ofCrew(
            `delete: member\nmember: ${inOu('north')}\n-\nadd: member\nmember: ${inOu('south')}`,
          ),
      );
      await query(
        `UPDATE provider_runs SET cookie = jsonb_set(cookie, '{since}', to_jsonb($1::text)) WHERE cookie IS NOT NULL`,
        [before!.time],
      );
      expect(await incremental()).toMatchObject({
        full: false,
        counts: { read: 0, groups: 1, membersAdded: 0, membersRemoved: 0 },
      });
      expect(await members()).toEqual(['ada', 'cleo', 'dora']);
    });

    it('deactivate nobody for being missing, which a full run does', async () => {
      slapd.change('dn: uid=ben,ou=people,dc=example,dc=org\nchangetype: delete\n');
      expect(await incremental()).toMatchObject({ full: false, counts: { deactivated: 0 } });
      expect(await ended(await order({ withoutBrake: true }))).toMatchObject({
        counts: { deactivated: 1 },
      });
    });
  });

  describe('by the server', () => {
    const due = () =>
      server.database.query(
        `UPDATE providers SET modification_date = now() - interval '2 days' WHERE id = ${id};
         UPDATE provider_runs SET start_date = start_date - interval '2 days'`,
      );
    const last = async (): Promise<Json> => {
      const { body } = await call('GET', `${CORP}/runs?sorter=-id&range=0-1`);
      return ended((body as Json[])[0]!);
    };
    const startDue = () => server.app.get(Synchronizations, { strict: false }).startDue();

    it('begin when the interval has passed, and each night', async () => {
      const before = await last();
      await set({ intervalMinutes: 30 });
      await startDue();
      expect((await last()).id).toBe(before.id);
      await due();
      await startDue();
      const first = await last();
      expect(first).toMatchObject({ state: 'done', full: true });
      expect(first.id).not.toBe(before.id);
      await startDue();
      expect((await last()).id).toBe(first.id);
      await query(`UPDATE provider_runs SET start_date = now() - interval '31 minutes'`);
      await startDue();
      expect(await last()).toMatchObject({ state: 'done', full: false });
      for (const intervalFull of [true, false]) {
        await set({ intervalMinutes: 30, intervalFull });
        await due();
        await startDue();
        expect(await last()).toMatchObject({ state: 'done', full: intervalFull });
      }
      await set({ nightlyAt: '02:30' });
      await due();
      await startDue();
      expect(await last()).toMatchObject({ state: 'done', full: true });
    });

    it('begin also where that of another provider cannot', async () => {
      const made = await call('POST', '/api/v2/directory/providers', {
        ...{ reference: 'SECOND', label: 'Second directory', kind: 'ldap' },
        ldap: { urls: [slapd.url], peopleBase: 'dc=example,dc=org', intervalMinutes: 30 },
      });
      expect([made.status, made.text]).toEqual([201, expect.anything()]);
      await set({ intervalMinutes: 30 });
      await due();
      await query(`UPDATE providers SET modification_date = now() - interval '2 days'`);
      await query(`CREATE FUNCTION refuse_run() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE 'the run of % cannot begin', NEW.provider_id; END $$`);
      await query(`CREATE TRIGGER refuse_run BEFORE INSERT ON provider_runs FOR EACH ROW
        WHEN (NEW.provider_id = ${id}) EXECUTE FUNCTION refuse_run()`);
      const before = await last();
      await startDue();
      await query('DROP FUNCTION refuse_run() CASCADE');
      const runs = `/api/v2/directory/providers/${String((made.body as Json).id)}/runs`;
      let [run] = (await call('GET', runs)).body as Json[];
      expect([(await last()).id, run]).toMatchObject([before.id, { dryRun: false }]);
      await until(async () => {
        [run] = (await call('GET', runs)).body as Json[];
        return run?.state === 'done';
      });
      await query('UPDATE providers SET active = false WHERE id <> $1', [id]);
      await set({});
    });

    it('say that a killed one was interrupted, and are deleted after a month but for the last that was done', async () => {
      const done = await last();
      await query(
        `INSERT INTO provider_runs (provider_id, dry_run, start_date) VALUES ($1, false, now() - interval '40 days')`,
        [id],
      );
      await startDue();
      expect(await last()).toMatchObject({ state: 'interrupted' });
      await query(`UPDATE provider_runs SET start_date = now() - interval '40 days'`);
      await set({});
      await server.app.get(Housekeeping, { strict: false }).run();
      const { body } = await call('GET', `${CORP}/runs`);
      expect(body).toMatchObject([{ id: done.id }]);
    });

    it.each([['2:30'], ['24:00'], [230]])('refuse the time %p', async (nightlyAt) => {
      const value = { urls: [slapd.url], peopleBase: 'dc=example,dc=org', nightlyAt };
      const answer = await call('PATCH', CORP, [{ op: 'replace', path: '/ldap', value }]);
      expect([answer.status, answer.body]).toMatchObject([
        400,
        { fields: [{ name: 'ldap', code: 'not-a-time' }] },
      ]);
    });
  });
});
