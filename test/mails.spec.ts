import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from './support/eventually.js';
import { freePort } from './support/free-port.js';
import { idOf } from './support/id-of.js';
import { codeIn, type Mailbox, startMailbox } from './support/mailbox.js';
import { type Answer, startTestServer, type TestServer } from './support/test-server.js';

const USERS = '/api/v2/directory/users';
const PASSWORD = 'Correct-Horse-2026';

let mailbox: Mailbox;
let server: TestServer;
let origin: string;
let admin: string;
beforeAll(async () => {
  mailbox = await startMailbox();
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  server = await startTestServer({
    PORT: String(port),
    PUBLIC_URL: origin,
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'Portal <no-reply@portal.example>',
  });
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

const invite = (users: string[], delivery = 'mail') =>
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
    const { body } = await invite([reached, silent, archived, sysadmin, '999999', reached]);
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
    await eventually(() => Promise.resolve(expect(mailbox.failures).toEqual([])), 10_000);
    const { body } = await invite([id], 'link');
    const [{ code }] = body as unknown as [{ code: string }];
    expect(await server.database.query('SELECT * FROM mails')).toEqual([]);
    expect((await use(code)).status).toBe(204);
  });

  it('are tried again after a failure, with a new code', async () => {
    const id = await createUser('second.try');
    mailbox.failures.push({ status: 451, message: 'try again later' });
    await invite([id]);
    await eventually(() => Promise.resolve(expect(mailbox.failures).toEqual([])), 10_000);
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
    await eventually(
      async () =>
        expect((await auditOf('fail-mail'))[0]).toEqual({
          object_uri: `/directory/users/${id}`,
          after: { kind: 'invitation', reason: expect.stringContaining('no such mailbox') },
        }),
      10_000,
    );
    expect(await server.database.query('SELECT * FROM mails')).toEqual([]);
  });

  it('are not sent any more once the invitation is revoked', async () => {
    const id = await createUser('revoked.one');
    mailbox.failures.push({ status: 451, message: 'try again later' });
    await invite([id]);
    await eventually(() => Promise.resolve(expect(mailbox.failures).toEqual([])), 10_000);
    await call('DELETE', `${USERS}/${id}/invitation`);
    await hurry();
    await eventually(
      async () => expect(await server.database.query('SELECT * FROM mails')).toEqual([]),
      10_000,
    );
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

  it('of people whose account was used need a recent proof', async () => {
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

  it.each([
    ['no users', { users: [], delivery: 'mail' }, 'users'],
    ['something else than ids', { users: ['x'], delivery: 'mail' }, 'users'],
    [
      'more than 500 users',
      { users: Array.from({ length: 501 }, (_, at) => String(at + 1)), delivery: 'mail' },
      'users',
    ],
    ['an unknown delivery', { users: ['1'], delivery: 'pigeon' }, 'delivery'],
  ])('answer 400 to %s', async (_, body, name) => {
    const answer = await call('POST', `${USERS}/invitations`, body);
    expect([answer.status, (answer.body.fields as { name: string }[])[0]?.name]).toEqual([
      400,
      name,
    ]);
  });
});

describe('without SMTP_URL', () => {
  it('answers 409 to an invitation by mail', async () => {
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
    await other.close();
  });
});
