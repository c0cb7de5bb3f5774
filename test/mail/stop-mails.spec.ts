import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestServer } from '../support/test-server.js';
import {
  inHours,
  PASSWORD,
  startTaskMailWorld,
  type TaskMailWorld,
} from '../support/task-mails.js';

/** Which mails about tasks people get, and how they stop them (docs/api-contract.md#mails-about-tasks). */

let world: TaskMailWorld;
let person: string;
let token: string;
/** The path of the link in a reminder. */
let link: string;
let headersOfMail: string;
beforeAll(async () => {
  // The address of people has HTTPS at a proxy.
  world = await startTaskMailWorld({ PUBLIC_URL: 'https://portal.example' });
  await world.server.database.query('UPDATE tasks SET due_date = NULL');
  await world.set('mail.reminders', true);
  person = await world.person('stops.one');
  await world.task({ title: 'Overdue', assignee: person, dueDate: inHours(-1) });
  await world.round();
  const mail = await world.mailbox.next('stops.one@portal.example');
  headersOfMail = mail.headers.replace(/\r\n\s+/g, ' ');
  link = new URL(/^https\S+\/stop-mails\/\S+$/m.exec(mail.plain)![0]).pathname;
  token = await signIn('stops.one');
});
afterAll(() => world.close());

const HEADERS = { Host: 'portal.example' };
async function signIn(login: string): Promise<string> {
  const body = { login, password: PASSWORD };
  const call = { method: 'POST', body, headers: HEADERS };
  return (await world.server.call('/api/v2/authentication', call)).body.token as string;
}
const FORM = 'application/x-www-form-urlencoded';
const click = (path: string, body: string | undefined, type = FORM) =>
  world.server.call(path, {
    method: 'POST',
    body,
    headers: { ...HEADERS, ...(body === undefined ? {} : { 'Content-Type': type }) },
  });
const ONE_CLICK = 'List-Unsubscribe=One-Click';
const path = (id: string) => `/api/v2/directory/users/${id}/mail-settings`;
const settings = async (id = 'me') => {
  const { status, body } = await world.server.call(path(id), { token, headers: HEADERS });
  return [status, body as unknown];
};
const put = (id: string, body: unknown) =>
  world.server.call(path(id), { method: 'PUT', token, body, headers: HEADERS });
const reset = () => put('me', { digest: true, reminders: true });

describe('the link of a mail', () => {
  it('is in its headers as RFC 8058 has it', () => {
    expect(headersOfMail).toContain(`List-Unsubscribe: <https://portal.example${link}>\r\n`);
    expect(headersOfMail).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n');
  });

  it('changes nothing when it is opened', async () => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await world.server.call(link, { method, headers: HEADERS });
      expect([answer.status, answer.headers['content-type']]).toEqual([
        200,
        'text/html; charset=utf-8',
      ]);
    }
    expect(await settings()).toEqual([
      200,
      { digest: true, reminders: true, offered: ['reminders'] },
    ]);
  });

  it.each([
    ['of a form', ONE_CLICK, FORM],
    ['of a form with a charset', ONE_CLICK, `${FORM}; charset=UTF-8`],
    [
      'of parts',
      '--frontier\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--frontier--\r\n',
      'multipart/form-data; boundary=frontier',
    ],
  ])(
    'stops mails of its kind by one click, without a session, with the body %s',
    async (_, body, type) => {
      await reset();
      const answer = await click(link, body, type);
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(await settings()).toEqual([
        200,
        { digest: true, reminders: false, offered: ['reminders'] },
      ]);
      expect((await click(link, body, type)).status).toBe(204);
    },
  );

  it('is audited, once for each change', async () => {
    const rows = () =>
      world.server.database.query(
        `SELECT actor_login, before, after FROM audit WHERE action = 'set-mails' AND object_uri = $1 ORDER BY id DESC`,
        [`/directory/users/${person}`],
      );
    await reset();
    const { length } = await rows();
    await click(link, ONE_CLICK);
    await click(link, ONE_CLICK);
    const after = await rows();
    expect(after.length).toBe(length + 1);
    expect(after[0]).toEqual({
      actor_login: null,
      before: { digest: true, reminders: true },
      after: { digest: true, reminders: false },
    });
  });

  it('stops the mails of no other person', async () => {
    await reset();
    const other = await world.person('stops.other');
    const token = link.split('/').at(-1)!;
    const [, , signature = ''] = token.split('.');
    const NOT_FOUND = { code: 404, message: 'Not found' };
    for (const foreign of [
      `reminders.${other}.${signature}`,
      `digest.${person}.${signature}`,
      `reminders.${person}.${'A'.repeat(43)}`,
      `reminders.${person}.`,
      `reminders.${person}`,
      `reminders.0${person}.${signature}`,
      `everything.${person}.${signature}`,
      `${token}A`,
      'x',
    ]) {
      const answer = await click(`/workplace/stop-mails/${foreign}`, ONE_CLICK);
      expect([foreign, answer.status, answer.body]).toEqual([foreign, 404, NOT_FOUND]);
    }
    const all = { digest: true, reminders: true };
    expect((await settings())[1]).toMatchObject(all);
    expect((await world.call('GET', path(other))).body).toMatchObject(all);
  });

  it.each<[string, string | undefined]>([
    ['no body', undefined],
    ['another value', 'List-Unsubscribe=Two-Clicks'],
    ['another field', 'Unsubscribe=One-Click'],
  ])('answers 400 to %s', async (_, body) => {
    await reset();
    const answer = await click(link, body);
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        code: 400,
        message: 'Invalid: List-Unsubscribe',
        fields: [{ name: 'List-Unsubscribe', message: 'must be One-Click' }],
      },
    ]);
    expect((await settings())[1]).toMatchObject({ reminders: true });
  });

  it('answers 415 to JSON, 413 to a large form, and 405 to other methods', async () => {
    const json = await click(link, '{}', 'application/json');
    expect([json.status, json.body.code]).toEqual([415, 415]);
    expect((await click(link, `${ONE_CLICK}&x=${'x'.repeat(5000)}`)).status).toBe(413);
    const put = await world.server.call(link, { method: 'PUT', headers: HEADERS });
    expect([put.status, put.headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});

describe('the settings', () => {
  it('are those of the caller, or of anyone for administrators', async () => {
    const { status, body } = await put('me', { digest: false, reminders: true });
    expect([status, body]).toEqual([
      200,
      { digest: false, reminders: true, offered: ['reminders'] },
    ]);
    expect((await world.call('GET', path(person))).body).toEqual(body);
    const other = await world.person('stops.third');
    expect((await settings(other))[0]).toBe(403);
    expect((await put(other, { digest: false, reminders: false })).status).toBe(403);
    expect((await world.call('GET', path('999999'))).status).toBe(404);
    expect((await world.call('GET', path(other))).body).toMatchObject({ digest: true });
  });

  it('answer 400 naming every bad field', async () => {
    const { status, body } = await put('me', { digest: 'no', more: true });
    expect([status, body.fields]).toEqual([
      400,
      [
        { name: 'more', message: 'unknown attribute; known: digest, reminders' },
        { name: 'digest', message: 'must be true or false' },
        { name: 'reminders', message: 'must be true or false' },
      ],
    ]);
  });
});

describe('without HTTPS or SMTP', () => {
  it('a mail names the link, but promises no one click', async () => {
    const plain = await startTaskMailWorld();
    await plain.server.database.query('UPDATE tasks SET due_date = NULL');
    await plain.set('mail.reminders', true);
    const assignee = await plain.person('stops.http');
    await plain.task({ title: 'Overdue', assignee, dueDate: inHours(-1) });
    await plain.round();
    const mail = await plain.mailbox.next('stops.http@portal.example');
    const headers = mail.headers.replace(/\r\n\s+/g, ' ');
    expect(headers).toContain('List-Unsubscribe: <http://127.0.0.1:');
    expect(headers).not.toContain('List-Unsubscribe-Post');
    await plain.close();
  });

  it('no mails are decided, and none are offered', async () => {
    const server = await startTestServer();
    const bruno = await server.signIn('bruno.keller');
    expect((await server.call(path('me'), { token: bruno })).body).toEqual({
      digest: true,
      reminders: true,
      offered: [],
    });
    await server.close();
  });
});
