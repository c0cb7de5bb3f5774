import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EXPORTED } from '../../src/directory/personal-data.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** What data protection asks for: the data of a person as a file, and nothing of the person afterwards. */

const USERS = '/api/v2/directory/users';
const TASKS = '/api/v2/process/tasks';
const LOGIN = 'zaphod.xyzzy';
const PASSWORD = 'Heart-Of-Gold-1979';

/** Texts that no other row has. */
const PERSONAL = ['xyzzy', 'zaphod', 'plugh', '+49 555 0042', 'galactic', 'hitchhiker'];

/** Places that keep a name on purpose: what other people wrote, and files as they were called. */
const KEPT = ['task_comments.text', 'task_files.name'];
/** The rows of the trail that say what these wrote. */
const WRITTEN = `object_uri LIKE '/process/tasks/%/comments/%'`;

/** A state of another object with the same texts as attributes of the person. */
const FOREIGN = { id: '4711', status: ': ', title: '": "' };

let writing: WritingServer;
let call: WritingServer['call'];
let create: WritingServer['create'];
let id: string;
let uri: string;
let task: string;
const query = (text: string) => writing.server.database.query(text);

const person = {
  ...{ login: LOGIN, firstName: 'Zaphod', lastName: 'Xyzzy-Plugh', nickName: 'Zaphod' },
  ...{ email: 'Zaphod.Xyzzy@example.org', phoneNumber: '+49 555 0042' },
  ...{ mobilePhoneNumber: '+49 555 0042', userFunction: 'Galactic president' },
  ...{ description: 'Hitchhiker', externalId: 'XYZZY-1', status: 1, password: PASSWORD },
  ...{ organization: 'HQ', manager: 'alice.martin' },
};

beforeAll(async () => {
  writing = await startWritingServer();
  ({ call, create } = writing);
  ({ id, uri } = await create(USERS, { ...person, title: 'Zaphod Plugh' }));
  // A former name and title are in the trail.
  await call('PATCH', `${USERS}/${id}`, [
    { op: 'replace', path: '/title', value: 'President Xyzzy' },
  ]);
  const token = await writing.server.signIn(LOGIN, PASSWORD);
  const own = (method: string, path: string, body?: unknown) => call(method, path, body, { token });
  await call('POST', '/api/v2/authentication', { login: LOGIN, password: 'wrong' }, { token: '' });
  await own('PUT', `${USERS}/me/mail-settings`, { digest: false, reminders: true });
  await own('POST', '/api/v2/process/task-filters', {
    ...{ label: 'Zaphod’s', filters: ['status:eq:open'] },
  });
  await own('POST', `${USERS}/${id}/api-keys`, { name: 'Xyzzy' });
  await own('PUT', '/navigation/workplace/favourites', { applications: ['LEAVE'] });
  await call('PUT', `/api/v2/directory/groups/HIRING/members/${LOGIN}`);
  await create('/api/v2/process/absences', {
    ...{ user: 'bruno.keller', substitute: LOGIN },
    ...{ startDate: new Date().toISOString(), endDate: new Date(Date.now() + 1e9).toISOString() },
  });
  await create('/api/v2/process/endpoints', { label: 'Hears', mode: 'pull', kinds: [] });
  task = (
    await create(TASKS, {
      ...{ title: 'Assigned', application: 'LEAVE', assignee: LOGIN },
      candidates: ['bruno.keller', LOGIN],
    })
  ).id;
  const ofKey = { 'Idempotency-Key': '"once"' };
  await call(
    'POST',
    TASKS,
    { title: 'Once', application: 'LEAVE', assignee: LOGIN },
    { headers: ofKey },
  );
  // A state that is too large is cut as JSON in the trail.
  await create(TASKS, {
    ...{ title: 'Long', application: 'LEAVE', description: 'x'.repeat(900) },
    candidates: [LOGIN, ...['alice.martin', 'bruno.keller', 'chloe.lefevre', 'process.engine']],
  });
  await own('POST', `${TASKS}/${task}/comments`, { text: 'I did it' });
  await call('POST', `${TASKS}/${task}/comments`, { text: 'Thank you, Zaphod' });
  await create('/api/v2/process/sources', {
    ...{ reference: 'S', label: 'S', applications: ['LEAVE'], fallbackGroup: 'HIRING' },
  });
  await call('PATCH', `${USERS}/${id}`, [{ op: 'replace', path: '/status', value: 0 }]);
  await call('PUT', `${TASKS}?source=S`, [
    { externalId: '1', title: 'Pushed', application: 'LEAVE', assignee: person.email },
  ]);
  await query(`INSERT INTO photos (user_id, content, media_type, digest) VALUES (${id}, 'x', 'image/webp', 'x');
    INSERT INTO identities (issuer, subject, user_id) VALUES ('https://id.example', 'zaphod', ${id});
    INSERT INTO mails (kind, recipient) VALUES ('password-reset', '${LOGIN}'), ('digest', '${id}');
    INSERT INTO task_files (task_id, author_id, name) VALUES (${task}, ${id}, 'Zaphod.pdf');
    INSERT INTO deliveries (endpoint_id, kind, data) SELECT id, 'task.created',
      '{"links": {"assignee_id": ["${id}", "${LOGIN}", "President Xyzzy"]}}' FROM endpoints WHERE label = 'Hears';
    INSERT INTO providers (label, kind) VALUES ('Staff', 'scim');
    INSERT INTO provider_requests (provider_id, method, path, status, dry_run, body)
      SELECT p.id, r.* FROM providers p, (VALUES
        ('GET', '/scim/v2/Users?filter=userName%20eq%20%22${LOGIN}%22', 200, false, NULL),
        ('PATCH', '/scim/v2/Users/${id}', 200, false, '{"displayName":"Xyzzy"}'),
        ('POST', '/scim/v2/Bulk', 200, false, '{"path":"/Users/${id}","data":{"displayName":"Xyzzy"}}'),
        ('POST', '/scim/v2/Users', 409, false, '{"userName":"${LOGIN}","displayName":"Plugh"}'),
        ('PATCH', '/scim/v2/Users/${id}0', 200, false, '{"displayName":"Someone else"}')) AS r;
    UPDATE users SET external_id = '${FOREIGN.id}', nick_name = '": "' WHERE id = ${id};
    INSERT INTO audit (action, object_uri, address) VALUES ('refuse', '${uri}', '192.0.2.42');
    INSERT INTO audit (action, object_uri, after) VALUES ('seed', '/foreign',
      '${JSON.stringify({ ...FOREIGN, assignee: { id: '4711', uri: '/directory/users/4711' } })}')`);
});
afterAll(() => writing.close());

/** The places whose text holds one of the personal texts. */
async function placesWith(texts: string[]): Promise<string[]> {
  const columns = (await query(`SELECT c.table_name AS table, c.column_name AS column
    FROM information_schema.columns c JOIN pg_class r ON r.relname = c.table_name AND r.relnamespace = current_schema()::regnamespace
    WHERE c.table_schema = current_schema() AND r.relkind IN ('r', 'p') AND NOT r.relispartition
      AND (c.data_type LIKE '%text%' OR c.data_type LIKE '%json%' OR c.data_type = 'ARRAY' OR c.data_type LIKE '%character%')
    ORDER BY 1, 2`)) as { table: string; column: string }[];
  expect(columns.length).toBeGreaterThan(150);
  const patterns = texts.map((text) => `'%${text}%'`).join(', ');
  const found: string[] = [];
  for (const { table, column } of columns) {
    const others = table === 'audit' ? `(${WRITTEN}) IS NOT TRUE` : 'true';
    const rows = await query(
      `SELECT 1 FROM ${table} WHERE ${others} AND "${column}"::text ILIKE ANY (ARRAY[${patterns}]) LIMIT 1`,
    );
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  return found;
}

describe('GET /api/v2/directory/users/{id}/personal-data', () => {
  it('covers every reference to a person that the database has', async () => {
    const references = (await query(`SELECT c.conrelid::regclass || '.' || a.attname AS reference
      FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
      WHERE c.contype = 'f' AND c.confrelid = 'users'::regclass ORDER BY 1`)) as {
      reference: string;
    }[];
    expect(Object.keys(EXPORTED).sort()).toEqual(
      references.map(({ reference }) => reference).sort(),
    );
  });

  it('holds what the person is, has and has done, without secrets', async () => {
    const { status, body } = await call('GET', `${USERS}/${id}/personal-data`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      user: { login: LOGIN, email: person.email, external_id: FOREIGN.id },
      'photos.user_id': [{ media_type: 'image/webp', content: 'eA==' }],
      'identities.user_id': [{ issuer: 'https://id.example', subject: 'zaphod' }],
      'task_comments.author_id': [{ text: 'I did it' }],
      'task_files.author_id': [{ name: 'Zaphod.pdf' }],
      'group_members.user_id': [{ group: 'HIRING' }],
      mails: [{ kind: 'password-reset' }, { kind: 'digest' }],
    });
    const lines = body.audit as Record<string, string>[];
    expect(lines.map(({ action }) => action)).toContain('create');
    // What the person did elsewhere is a line; the states of these objects, and where others called from, are not.
    const foreign = lines.filter(({ object_uri }) => object_uri !== uri);
    expect(foreign.length).toBeGreaterThan(0);
    expect(foreign.filter(({ before, after }) => before ?? after)).toEqual([]);
    const byOthers = lines.filter(({ actor_uri }) => actor_uri !== uri);
    expect(byOthers.filter(({ address }) => address)).toEqual([]);
    expect(JSON.stringify(body)).not.toMatch(/"(hash|current_hash|sealed|salt)"/);
  });
});

describe('the call for personal data', () => {
  it('needs a recent sign-in, also for oneself, and is recorded', async () => {
    const key = await create(`${USERS}/me/api-keys`, { name: 'Reads' });
    const token = await writing.server.signIn('alice.martin', String(key.key));
    const { status, body } = await call('GET', `${USERS}/me/personal-data`, undefined, { token });
    expect([status, body.reason]).toEqual([403, 'sign-in-without-key-required']);
    const lines = `SELECT count(*)::int AS count FROM audit WHERE action = 'export' AND object_uri = '${uri}'`;
    expect(await query(lines)).toEqual([{ count: 1 }]);
  });
});

describe('POST /api/v2/directory/users/{id}/erasure', () => {
  const erase = (of: string, login: string, token = writing.admin) =>
    call('POST', `${USERS}/${of}/erasure`, { login }, { token });
  const refusal = async (of: string, login: string, token?: string) => {
    const { status, body } = await erase(of, login, token);
    const { fields, reason } = body as { fields?: { code: string }[]; reason?: string };
    return [status, fields?.[0]?.code ?? reason];
  };

  it('refuses another login, the caller, sysadmin, service accounts and the last administrator', async () => {
    expect(await refusal(id, 'zaphod')).toEqual([400, 'other-login']);
    expect(await refusal('alice.martin', 'alice.martin')).toEqual([409, 'own-erasure']);
    const sysadmin = await writing.server.signInForLong('sysadmin');
    expect((await erase('sysadmin', 'sysadmin')).status).toBe(403);
    await query(
      `UPDATE users SET administrator = false WHERE login <> 'alice.martin' AND NOT sysadmin`,
    );
    expect(await refusal('alice.martin', 'alice.martin', sysadmin)).toEqual([
      409,
      'last-administrator',
    ]);
    await create('/api/v2/directory/service-accounts', { login: 'robot', title: 'Robot' });
    expect(await refusal('robot', 'robot')).toEqual([403, 'service-account']);
    expect((await erase(id, LOGIN, writing.bruno)).status).toBe(403);
  });

  it('leaves nothing personal in any table, apart from what other people wrote', async () => {
    const before = await placesWith(PERSONAL);
    for (const place of [
      'users.login',
      'audit.after',
      'deliveries.data',
      'mails.recipient',
      'provider_requests.path',
    ])
      expect(before).toContain(place);
    expect(before.length).toBeGreaterThan(18);
    const answer = await erase(id, LOGIN);
    expect([answer.status, answer.headers['x-warning']]).toEqual([
      204,
      `${uri} still has openTasks 2, candidatures 2`,
    ]);
    expect(await placesWith(PERSONAL)).toEqual(KEPT);
    expect(await query('SELECT body FROM provider_requests')).toEqual([
      { body: '{"displayName":"Someone else"}' },
    ]);
  });

  it('leaves the same texts alone where they do not name the person', async () => {
    expect(await query(`SELECT after FROM audit WHERE object_uri = '/foreign'`)).toEqual([
      { after: { ...FOREIGN, assignee: { id: '4711', uri: '/directory/users/4711' } } },
    ]);
  });

  it('changes nothing of other people by a text that somebody chose', async () => {
    await create(USERS, { login: 'target', lastName: 'Target', externalId: 'T-1' });
    await query(`INSERT INTO audit (action, actor_uri, actor_login, object_uri, after, date) VALUES
        ('seed', '/directory/users/999999', 'gone', '/chosen', '{"assignee": "gone"}', now() - interval '1 day'),
        ('seed', NULL, 'mail delivery', '/chosen', '{"assignee": "target"}', now());
      INSERT INTO mails (kind, recipient) VALUES ('digest', '24') ON CONFLICT DO NOTHING;
      INSERT INTO provider_runs (provider_id, state, dry_run, changes)
        SELECT id, 'done', true, '[{"action": "create", "name": "someone", "reason": "is new"}]' FROM providers WHERE label = 'Staff';
      INSERT INTO provider_requests (provider_id, method, path, status, dry_run, body)
        SELECT id, 'POST', '/scim/v2/Users', 201, false, '{"schemas":["core"],"userName":"someone"}' FROM providers WHERE label = 'Staff'`);
    const state = () =>
      query(`SELECT (SELECT json_agg(a) FROM audit a WHERE object_uri = '/chosen') AS audit,
        (SELECT count(*) FROM mails WHERE recipient = '24') AS mails,
        (SELECT json_agg(r.changes) FROM provider_runs r) AS runs,
        (SELECT json_agg(r.path || r.body) FROM provider_requests r) AS requests`);
    const before = await state();
    const chosen = ['gone', 'mail delivery', 'TARGET', '24', '/Users', 'schemas', 'create', 'core'];
    for (const [at, externalId] of chosen.entries()) {
      const login = `dummy.${at}`;
      const dummy = await create(USERS, { login, lastName: 'Dummy', externalId });
      expect((await erase(dummy.id, login)).status).toBe(204);
    }
    expect(await state()).toEqual(before);
  });

  it('is a 409 while another user has the login that the person would get', async () => {
    const login = 'in.the.way';
    const one = await create(USERS, { login, lastName: 'Way' });
    const other = await create(USERS, { login: `Former-${one.id}`, lastName: 'Other' });
    expect(await erase(one.id, login)).toMatchObject({
      status: 409,
      body: {
        message: `Rename the user former-${one.id} first: the former employee gets this login`,
      },
    });
    expect((await call('GET', `${USERS}/${one.id}`)).body).toMatchObject({ lastName: 'Way' });
    expect((await call('DELETE', `${USERS}/${other.id}`)).status).toBe(204);
    const own = `former-${one.id}`;
    await call('PATCH', `${USERS}/${one.id}`, [{ op: 'replace', path: '/login', value: own }]);
    expect((await erase(one.id, own)).status).toBe(204);
  });

  it('removes the address of sign-ins that failed', async () => {
    expect(await query(`SELECT 1 FROM audit WHERE address = '192.0.2.42'`)).toEqual([]);
  });

  it('lets no other role erase', async () => {
    expect(
      await query(
        `SELECT has_function_privilege('public', 'erase_person(bigint)', 'EXECUTE') AS allowed`,
      ),
    ).toEqual([{ allowed: false }]);
  });

  it('keeps links, as links to a former employee, and says in the trail who did it', async () => {
    const label = `Former employee ${id}`;
    const former = { id, uri, reference: `former-${id}`, label };
    expect((await call('GET', `${TASKS}/${task}`)).body.assignee).toEqual(former);
    const comments = (await call('GET', `${TASKS}/${task}/comments`)).body as { author: object }[];
    expect(comments[0]!.author).toEqual(former);
    const { body } = await call('GET', `${USERS}/${id}`);
    expect(body).toMatchObject({
      ...{ login: `former-${id}`, firstName: null, lastName: label, title: label, email: null },
      ...{ status: 3, organization: null, manager: null, groups: [], externalId: null },
    });
    const lines = await query(
      `SELECT actor_login, object_uri, before, after FROM audit WHERE action = 'erase' AND object_uri = '${uri}'`,
    );
    expect(lines).toEqual([
      { actor_login: 'alice.martin', object_uri: uri, before: null, after: null },
    ]);
    const [changed] = await query(
      `SELECT before, after FROM audit WHERE object_uri = '${uri}' AND action = 'update' ORDER BY id LIMIT 1`,
    );
    const blank = { label: null, modificationDate: null, title: null };
    expect(changed).toEqual({ before: blank, after: blank });
    const [assigned] = await query(
      `SELECT after->'assignee' AS assignee FROM audit WHERE object_uri = '/process/tasks/${task}' AND action = 'create'`,
    );
    expect(assigned).toEqual({ assignee: former });
  });

  it('does nothing the second time', async () => {
    const state = await writing.state('users');
    expect((await erase(id, LOGIN)).status).toBe(204);
    expect(await writing.state('users')).toEqual(state);
  });

  it('is the only change of the audit trail that the database takes', async () => {
    for (const text of [
      `UPDATE audit SET reason = 'x'`,
      `DO $$ BEGIN UPDATE audit SET reason = 'erase_person(bigint) line'; END $$`,
      'DELETE FROM audit',
      `CREATE FUNCTION pg_temp.erase_person(bigint) RETURNS void LANGUAGE plpgsql AS
         $$ BEGIN UPDATE audit SET reason = 'x'; END $$;
       SELECT pg_temp.erase_person(1)`,
    ])
      await expect(query(text)).rejects.toThrow('the audit trail is append-only');
  });
});
