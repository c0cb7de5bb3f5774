import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { idOf } from '../support/id-of.js';
import { codeIn, type Mailbox, mailSettings, startMailbox } from '../support/mailbox.js';
import { type Answer, startTestServer, type TestServer } from '../support/test-server.js';

const USERS = '/api/v2/directory/users';
const PASSWORD = 'Correct-Horse-2026';

let mailbox: Mailbox;
let server: TestServer;
let origin: string;
let admin: string;
beforeAll(async () => {
  mailbox = await startMailbox();
  const settings = await mailSettings(mailbox);
  origin = settings.PUBLIC_URL;
  server = await startTestServer(settings);
  admin = await server.signIn('alice.martin');
});
afterAll(async () => {
  await server.close();
  await mailbox.close();
});
afterEach(() => expect(mailbox.mails).toEqual([]));

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  server.call(path, { method, token: admin, body });

async function createUser(login: string, attributes: object = {}): Promise<string> {
  const email = `${login}@portal.example`;
  const { status, body } = await call('POST', USERS, {
    login,
    lastName: login,
    email,
    ...attributes,
  });
  expect(status).toBe(201);
  return body.id as string;
}

const invite = (users: unknown[], delivery = 'mail') =>
  call('POST', `${USERS}/invitations`, { users, delivery });
const use = (code: string, password = PASSWORD) =>
  server.call('/api/v2/directory/invitations', { method: 'POST', body: { code, password } });

/** Makes a mail that failed due again. */
const hurry = () => server.database.query('UPDATE mails SET next_attempt = now()');
const auditOf = (action: string) =>
  server.database.query(`SELECT object_uri, after FROM audit WHERE action = $1 ORDER BY id DESC`, [
    action,
  ]);

describe('invitations by mail', () => {
  it('carry a link with a code that works once, in plain text and in HTML', async () => {
    const id = await createUser('mail.one', { firstName: 'Mia', lastName: 'O & <One>' });
    const { status, body } = await invite([id]);
    expect([status, body]).toEqual([
      200,
      [
        {
          id,
          login: 'mail.one',
          code: null,
          expiration: expect.any(String),
          mailedTo: 'mail.one@portal.example',
          problem: null,
        },
      ],
    ]);
    const mail = await mailbox.next('mail.one@portal.example');
    expect(mail.headers).toContain('From: Portal <no-reply@portal.example>');
    expect(mail.headers).toContain('Auto-Submitted: auto-generated');
    expect(mail.plain).toContain('Hello Mia O & <One>,');
    expect(mail.plain).toContain('Your login is mail.one.');
    const link = `${origin}/workplace/invitation#${codeIn(mail)}`;
    expect(mail.plain).toContain(link);
    expect(mail.html).toContain(`<a href="${link}"`);
    expect(mail.html).toContain('Hello Mia O &#38; &#60;One&#62;,');
    expect((await use(codeIn(mail))).status).toBe(204);
    expect((await use(codeIn(mail))).status).toBe(400);
    expect(await server.signIn('mail.one', PASSWORD)).toBeDefined();
    expect((await auditOf('send-mail'))[0]).toEqual({
      object_uri: `/directory/users/${id}`,
      after: { kind: 'invitation' },
    });
  });

  it.each([
    ['fr', 'Votre identifiant est mail.fr.'],
    ['de', 'Ihr Anmeldename ist mail.de.'],
    ['nl', 'Your login is mail.nl.'],
  ])('are written in the language %s of the person, or in English', async (locale, text) => {
    const id = await createUser(`mail.${locale}`);
    await server.database.query('UPDATE users SET locale = $2 WHERE id = $1', [id, locale]);
    await invite([id]);
    expect((await mailbox.next(`mail.${locale}@portal.example`)).plain).toContain(text);
  });

  it('go to many people, with a result for each', async () => {
    const [reached, silent, archived] = [
      await createUser('bulk.one'),
      await createUser('bulk.two', { email: null }),
      await createUser('bulk.three', { status: 3 }),
    ];
    const sysadmin = await idOf(server, 'users', 'sysadmin');
    const { body } = await invite([reached, silent, archived, sysadmin, '999999']);
    const results = body as unknown as { login: string; mailedTo: string; problem: string }[];
    expect(results.map(({ login, mailedTo, problem }) => [login, mailedTo, problem])).toEqual([
      ['bulk.one', 'bulk.one@portal.example', null],
      ['bulk.two', null, 'no-email'],
      ['bulk.three', null, 'status'],
      ['sysadmin', null, 'protected'],
      [null, null, 'unknown'],
    ]);
    await mailbox.next('bulk.one@portal.example');
  });

  it('become links to hand over, which void a mail that waits', async () => {
    const id = await createUser('handed.over');
    mailbox.failures.push({ status: 451, message: 'try again later' });
    await invite([id]);
    await eventually(() => expect(mailbox.failures).toEqual([]));
    const { body } = await invite([id], 'link');
    const [{ code }] = body as unknown as [{ code: string }];
    expect(await server.database.query('SELECT * FROM mails')).toEqual([]);
    expect((await use(code)).status).toBe(204);
  });

  it('are tried again after a failure, with a new code', async () => {
    const id = await createUser('second.try');
    mailbox.failures.push({ status: 451, message: 'try again later' });
    await invite([id]);
    await eventually(() => expect(mailbox.failures).toEqual([]));
    await hurry();
    expect((await use(codeIn(await mailbox.next('second.try@portal.example')))).status).toBe(204);
    await eventually(async () =>
      expect(await server.database.query('SELECT * FROM mails')).toEqual([]),
    );
  });

  it('are given up, and audited, when the SMTP server rejects them for good', async () => {
    const id = await createUser('no.mailbox');
    mailbox.failures.push({ status: 550, message: 'no such mailbox' });
    await invite([id]);
    await eventually(async () =>
      expect((await auditOf('fail-mail'))[0]).toEqual({
        object_uri: `/directory/users/${id}`,
        after: { kind: 'invitation', reason: expect.stringContaining('no such mailbox') },
      }),
    );
    expect(await server.database.query('SELECT * FROM mails')).toEqual([]);
  });

  it('are not sent any more once the invitation is revoked', async () => {
    const id = await createUser('revoked.one');
    mailbox.failures.push({ status: 451, message: 'try again later' });
    await invite([id]);
    await eventually(() => expect(mailbox.failures).toEqual([]));
    await call('DELETE', `${USERS}/${id}/invitation`);
    await hurry();
    await eventually(async () =>
      expect(await server.database.query('SELECT * FROM mails')).toEqual([]),
    );
  });

  it('are not sent to a corrected address until an administrator invites again', async () => {
    const id = await createUser('mistyped.one');
    mailbox.failures.push({ status: 451, message: 'try again later' });
    await invite([id]);
    await eventually(() => expect(mailbox.failures).toEqual([]));
    const change = [{ op: 'replace', path: '/email', value: 'corrected.one@portal.example' }];
    expect((await call('PATCH', `${USERS}/${id}`, change)).status).toBe(200);
    await hurry();
    await eventually(async () =>
      expect(await server.database.query('SELECT * FROM mails')).toEqual([]),
    );
    expect(mailbox.mails).toEqual([]);
    await invite([id]);
    const code = codeIn(await mailbox.next('corrected.one@portal.example'));
    expect((await use(code)).status).toBe(204);
  });

  it('leave no code in the database', async () => {
    const id = await createUser('no.trace');
    await invite([id]);
    const code = codeIn(await mailbox.next('no.trace@portal.example'));
    const rows = await server.database.query(
      `SELECT i::text AS row FROM invitations i UNION ALL SELECT m::text FROM mails m
       UNION ALL SELECT a::text FROM audit a`,
    );
    expect(rows.filter(({ row }) => String(row).includes(code))).toEqual([]);
  });

  it('need a recent proof for people with a used account', async () => {
    const [own, used, unused] = [
      await idOf(server, 'users', 'alice.martin'),
      await idOf(server, 'users', 'bruno.keller'),
      await createUser('still.unused'),
    ];
    const { body } = await call('POST', `${USERS}/${own}/api-keys`, {
      name: 'Sync',
      expiration: null,
    });
    const token = await server.signIn('alice.martin', body.key as string);
    const inviteByKey = (users: string[]) =>
      server.call(`${USERS}/invitations`, {
        method: 'POST',
        token,
        body: { users, delivery: 'mail' },
      });
    expect((await inviteByKey([unused, used])).status).toBe(403);
    expect((await inviteByKey([unused])).status).toBe(200);
    await mailbox.next('still.unused@portal.example');
  });

  it('are for users named by URIs, ids or objects', async () => {
    const ids = [
      await createUser('by.uri'),
      await createUser('by.id'),
      await createUser('by.object'),
      await createUser('by.id.in.object'),
    ];
    const uri = (at: number) => `/directory/users/${ids[at]}`;
    const { status, body } = await invite(
      [uri(0), ids[1], { uri: uri(2) }, { id: ids[3] }],
      'link',
    );
    expect([status, (body as unknown as { id: string }[]).map(({ id }) => id)]).toEqual([200, ids]);
  });

  it('name the fault of a link to a user', async () => {
    const { body } = await invite([24, '/directory/groups/1', '25']);
    const rule = 'must be an id or a URI such as /directory/users/1';
    expect(body.fields).toEqual([
      { name: 'users', message: `[0] ${rule}; an id is a text: "24"` },
      { name: 'users', message: `[1] ${rule}` },
    ]);
  });

  it.each([
    ['no users', { users: [], delivery: 'mail' }, 'users'],
    ['something else than ids', { users: ['x'], delivery: 'mail' }, 'users'],
    [
      'more than 500 users',
      { users: Array.from({ length: 501 }, (_, at) => String(at + 1)), delivery: 'mail' },
      'users',
    ],
    ['a user twice', { users: ['1', '1'], delivery: 'mail' }, 'users'],
    ['an unknown delivery', { users: ['1'], delivery: 'pigeon' }, 'delivery'],
  ])('answer 400 to %s', async (_, body, name) => {
    const answer = await call('POST', `${USERS}/invitations`, body);
    expect([answer.status, (answer.body.fields as { name: string }[])[0]?.name]).toEqual([
      400,
      name,
    ]);
  });
});

describe('a forgotten password', () => {
  const request = (login: string, from?: string) =>
    server.call('/api/v2/authentication/password-reset', { method: 'POST', body: { login }, from });
  const check = (code: string) =>
    server.call('/api/v2/directory/invitations/check', { method: 'POST', body: { code } });
  const isDelivered = () =>
    eventually(async () => expect(await server.database.query('SELECT * FROM mails')).toEqual([]));
  /** Creates an active user with a password. */
  async function createActive(login: string, attributes: object = {}): Promise<string> {
    const id = await createUser(login, { status: 1, password: PASSWORD, ...attributes });
    return id;
  }

  it('is replaced with a code from the mailbox, which ends sessions and keys and unlocks', async () => {
    const id = await createActive('forgot.one');
    const token = await server.signIn('forgot.one', PASSWORD);
    await server.database.query(
      `UPDATE sign_ins SET failures = 9, locked_until = now() + interval '1 hour' WHERE user_id = $1`,
      [id],
    );
    const answer = await request('Forgot.One');
    expect([answer.status, answer.body]).toEqual([202, { minutes: 30 }]);
    const mail = await mailbox.next('forgot.one@portal.example');
    expect(mail.plain).toContain(`${origin}/workplace/password-reset#`);
    const code = codeIn(mail);
    expect((await check(code)).body).toMatchObject({
      purpose: 'password-reset',
      login: 'forgot.one',
    });
    expect((await use(code, 'Battery-Staple-2027')).status).toBe(204);
    expect((await use(code, 'Paper-Lantern-2028')).status).toBe(400);
    expect((await server.call(`${USERS}/me`, { token })).status).toBe(401);
    expect(await server.signIn('forgot.one', 'Battery-Staple-2027')).toBeDefined();
    expect((await auditOf('use-password-reset'))[0]).toMatchObject({
      object_uri: `/directory/users/${id}`,
    });
  });

  it('ends after 30 minutes', async () => {
    await createActive('forgot.late');
    await request('forgot.late@portal.example');
    const code = codeIn(await mailbox.next('forgot.late@portal.example'));
    await server.database.query(
      `UPDATE password_resets SET expiration = expiration - interval '30 minutes'`,
    );
    expect((await use(code, 'Battery-Staple-2027')).status).toBe(400);
  });

  it.each<[string, string, prepare: () => Promise<unknown>]>([
    ['unknown logins', 'nobody.at.all', () => Promise.resolve()],
    [
      'sysadmin',
      'sysadmin',
      () => server.database.query(`UPDATE users SET email = 'root@portal.example' WHERE sysadmin`),
    ],
    ['people without a password', 'forgot.none', () => createUser('forgot.none', { status: 1 })],
    ['inactive people', 'forgot.inactive', () => createActive('forgot.inactive', { status: 0 })],
  ])('answers %s the same, and sends them nothing', async (_, login, prepare) => {
    await prepare();
    const answer = await request(login);
    expect([answer.status, answer.body]).toEqual([202, { minutes: 30 }]);
    await isDelivered();
  });

  it('makes the same statements for known and unknown logins before it answers', async () => {
    await createActive('forgot.timed');
    const lines = async (login: string) => {
      await request(login);
      return server.database.query(
        `SELECT action, object_uri, after->>'login' = $1 AS "isTyped" FROM audit
         WHERE action = 'request-password-reset' ORDER BY id DESC LIMIT 1`,
        [login],
      );
    };
    const unknown = await lines('forgot.unknown');
    expect(await lines('forgot.timed')).toEqual(unknown);
    expect(unknown).toEqual([
      { action: 'request-password-reset', object_uri: null, isTyped: true },
    ]);
    await mailbox.next('forgot.timed@portal.example');
  });

  it('sends no mail while the account has three valid codes, and one again when they end', async () => {
    await createActive('forgot.often');
    for (let round = 0; round < 3; round++) {
      await request('forgot.often');
      await mailbox.next('forgot.often@portal.example');
    }
    expect((await request('forgot.often')).status).toBe(202);
    await isDelivered();
    await server.database.query(
      `UPDATE password_resets SET creation_date = creation_date - interval '30 minutes',
         expiration = expiration - interval '30 minutes'`,
    );
    await request('forgot.often');
    await mailbox.next('forgot.often@portal.example');
  });

  it('throttles the address of the requests', async () => {
    await server.database.query(
      `UPDATE parameters SET value = '127.0.0.0/8' WHERE key LIKE '%ExternalAuthenticationAction%'`,
    );
    await eventually(async () =>
      expect((await server.call('/api/v2', { from: '127.0.0.46' })).status).toBe(200),
    );
    await server.database.query(
      `INSERT INTO address_attempts (address, attempts, window_end)
       VALUES ('127.0.0.46', 100000, now() + interval '1 hour')`,
    );
    expect((await request('forgot.often', '127.0.0.46')).status).toBe(429);
  });

  it('leaves the open invitation of the person as it is', async () => {
    const id = await createActive('forgot.invited');
    const [{ code }] = (await invite([id], 'link')).body as unknown as [{ code: string }];
    await request('forgot.invited');
    const reset = codeIn(await mailbox.next('forgot.invited@portal.example'));
    expect((await check(code)).body.purpose).toBe('invitation');
    expect((await use(code, 'Battery-Staple-2027')).status).toBe(204);
    expect((await check(reset)).status).toBe(400);
  });

  it('is not mailed to an address written without a recent proof, until an administrator with a proof invites', async () => {
    const id = await createActive('forgot.moved');
    const own = await idOf(server, 'users', 'alice.martin');
    const key = await call('POST', `${USERS}/${own}/api-keys`, { name: 'Thief', expiration: null });
    const token = await server.signIn('alice.martin', key.body.key as string);
    const change = [{ op: 'replace', path: '/email', value: 'thief@portal.example' }];
    const changed = await server.call(`${USERS}/${id}`, { method: 'PATCH', token, body: change });
    expect(changed.status).toBe(200);
    await request('forgot.moved');
    await isDelivered();
    expect(mailbox.mails).toEqual([]);
    await invite([id]);
    await mailbox.next('thief@portal.example');
    await request('forgot.moved');
    await mailbox.next('thief@portal.example');
  });

  it('voids its code when the e-mail address or the status changes', async () => {
    const id = await createActive('forgot.void');
    await request('forgot.void');
    const code = codeIn(await mailbox.next('forgot.void@portal.example'));
    const change = [{ op: 'replace', path: '/email', value: 'new@portal.example' }];
    expect((await call('PATCH', `${USERS}/${id}`, change)).status).toBe(200);
    expect((await use(code, 'Battery-Staple-2027')).status).toBe(400);
  });
});

describe('without SMTP_URL', () => {
  it('answers 409 to an invitation by mail, and 404 to a request for a new password', async () => {
    const other = await startTestServer();
    const token = await other.signIn('alice.martin');
    const answer = await other.call(`${USERS}/invitations`, {
      method: 'POST',
      token,
      body: { users: ['1'], delivery: 'mail' },
    });
    expect([answer.status, answer.body.message]).toEqual([
      409,
      'This server sends no mails: SMTP_URL is not set',
    ]);
    const reset = { method: 'POST', body: { login: 'bruno.keller' } };
    expect((await other.call('/api/v2/authentication/password-reset', reset)).status).toBe(404);
    await other.close();
  });
});

describe('a mail about an absence', () => {
  const ABSENCES = '/api/v2/process/absences';
  const START = '2031-03-04T05:06:00.000Z';
  const END = '2031-03-14T15:16:00.000Z';
  const enter = async (user: string, more: object = {}, token = admin) => {
    const body = { user, substitute: 'chloe.lefevre', startDate: START, endDate: END, ...more };
    const made = await server.call(ABSENCES, { method: 'POST', token, body });
    expect([made.status, made.text]).toEqual([201, expect.anything()]);
    return `${ABSENCES}/${made.body.id as string}`;
  };
  const change = async (path: string, name: string, value: unknown) => {
    const answer = await call('PATCH', path, [{ op: 'replace', path: `/${name}`, value }]);
    expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  };
  const settled = () =>
    eventually(async () => expect(await server.database.query('SELECT * FROM mails')).toEqual([]));
  beforeAll(async () => {
    // The proof of the first sign-in may be over.
    admin = await server.signInForLong('alice.martin');
  });

  it('names the substitute, the dates and the scope to the absent person', async () => {
    const id = await createUser('away.en', { firstName: 'Mia', lastName: 'Away', status: 1 });
    await enter('away.en');
    const mail = await mailbox.next('away.en@portal.example');
    expect(mail.plain).toBe(`Hello Mia Away,

An absence of yours was entered or changed at 127.0.0.1:${new URL(origin).port}: from 4 Mar 2031, 05:06 to 14 Mar 2031, 15:16, Chloé Lefèvre stands in for you.

Chloé Lefèvre sees your open tasks meanwhile, and decides them for you.

${origin}/workplace/profile

If neither you nor your administrator did this, end the absence and set a new password: another person may know yours.
`);
    await eventually(async () =>
      expect((await auditOf('send-mail'))[0]).toEqual({
        object_uri: `/directory/users/${id}`,
        after: { kind: 'absence' },
      }),
    );
  });

  it.each([
    [
      'de',
      'Vom 04.03.2031, 05:06 bis zum 14.03.2031, 15:16 vertritt Sie Chloé Lefèvre.',
      'Chloé Lefèvre sieht in dieser Zeit Ihre offenen Aufgaben in Reisen und entscheidet sie für Sie.',
    ],
    [
      'fr',
      'du 4 mars 2031, 05:06 au 14 mars 2031, 15:16, Chloé Lefèvre vous remplace.',
      'Pendant ce temps, Chloé Lefèvre voit vos tâches ouvertes dans Voyages et les traite pour vous.',
    ],
  ])('is written in %s for a person of that language', async (locale, ...texts) => {
    await createUser(`away.${locale}`, { locale, status: 1 });
    const application = await idOf(server, 'applications', 'TRAVEL');
    await server.database.query(
      `UPDATE applications SET translations = '{"de": {"title": "Reisen"}, "fr": {"title": "Voyages"}}' WHERE id = $1`,
      [application],
    );
    await enter(`away.${locale}`, { application: 'TRAVEL' });
    const { plain } = await mailbox.next(`away.${locale}@portal.example`);
    for (const text of texts) expect(plain).toContain(text);
  });

  it('comes also when the person entered it, and when it is changed', async () => {
    await createUser('away.alone', { password: PASSWORD });
    const path = await enter('away.alone', {}, await server.signIn('away.alone', PASSWORD));
    await mailbox.next('away.alone@portal.example');
    await change(path, 'substitute', 'bruno.keller');
    const { plain } = await mailbox.next('away.alone@portal.example');
    expect(plain).toContain('Bruno Keller stands in for you.');
    await change(path, 'substitute', 'bruno.keller');
    await settled();
  });

  it('is not sent for an ended or deleted absence, or to a person without an address', async () => {
    await createUser('away.past', { status: 1 });
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
    await enter('away.past', { startDate: hours(-2), endDate: hours(-1) });
    await createUser('away.silent', { email: null, status: 1 });
    await enter('away.silent');
    await settled();
    mailbox.failures.push({ status: 451, message: 'try again later' });
    const path = await enter('away.past');
    await eventually(() => expect(mailbox.failures).toEqual([]));
    expect((await call('DELETE', path)).status).toBe(204);
    await hurry();
    await settled();
  });
});
