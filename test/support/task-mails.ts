import { expect } from '@jest/globals';
import { Rounds } from '../../src/process/mails/rounds.service.js';
import { eventually } from './eventually.js';
import { type Mailbox, mailSettings, type ReceivedMail, startMailbox } from './mailbox.js';
import { sysadminPassword } from './test-database.js';
import { type Answer, DEMO_PASSWORD, startTestServer, type TestServer } from './test-server.js';

export const TASKS = '/api/v2/process/tasks';
export const USERS = '/api/v2/directory/users';
export const PASSWORD = 'Correct-Horse-2026';

/** A server that sends mails about tasks to a mailbox, and shortcuts for an administrator. */
export interface TaskMailWorld {
  server: TestServer;
  mailbox: Mailbox;
  /** The address of the server in the links of mails. */
  origin: string;
  /** The id of the application of the tasks. */
  application: string;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Creates an active person with an address at portal.example; returns the id. */
  person(login: string, attributes?: object): Promise<string>;
  /** Creates a task; returns its id. */
  task(attributes: object): Promise<string>;
  /** Changes a task by JSON Patch. */
  change(id: string, changes: Record<string, unknown>): Promise<void>;
  set(parameter: string, value: unknown): Promise<void>;
  /** Makes a round, and waits until the outbox has sent what it queued. */
  round(): Promise<void>;
  close(): Promise<void>;
}

/** A moment from now on, or before. */
export const inHours = (hours: number): string =>
  new Date(Date.now() + hours * 3_600_000).toISOString();

/** The address of the first task in a mail. */
export const taskLinkIn = ({ plain }: ReceivedMail): string => /^ {2}(http\S+)$/m.exec(plain)![1]!;

export async function startTaskMailWorld(env: Record<string, string> = {}): Promise<TaskMailWorld> {
  const mailbox = await startMailbox();
  const settings = { ...(await mailSettings(mailbox)), ...env };
  const server = await startTestServer(settings);
  const headers = { Host: new URL(settings.PUBLIC_URL).host };
  const signIn = async (login: string, password: string): Promise<string> => {
    const call = { method: 'POST', body: { login, password }, headers };
    return (await server.call('/api/v2/authentication', call)).body.token as string;
  };
  const admin = await signIn('alice.martin', DEMO_PASSWORD);
  const sysadmin = await signIn('sysadmin', sysadminPassword());
  const call: TaskMailWorld['call'] = (method, path, body) =>
    server.call(path, { method, token: admin, body, headers });
  const create = async (path: string, body: object): Promise<string> => {
    const answer = await call('POST', path, body);
    expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
    return answer.body.id as string;
  };
  const [{ id: application } = { id: '' }] = await server.database.query<{ id: string }>(
    `SELECT id FROM applications WHERE reference = 'PURCHASE'`,
  );
  return {
    server,
    mailbox,
    origin: settings.PUBLIC_URL,
    application,
    call,
    person: (login, attributes = {}) =>
      create(USERS, {
        login,
        lastName: login,
        email: `${login}@portal.example`,
        status: 1,
        password: PASSWORD,
        ...attributes,
      }),
    task: (attributes) => create(TASKS, { application, ...attributes }),
    change: async (id, changes) => {
      const operations = Object.entries(changes).map(([name, value]) => ({
        op: 'replace',
        path: `/${name}`,
        value,
      }));
      const answer = await call('PATCH', `${TASKS}/${id}`, operations);
      expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
    },
    set: async (parameter, value) => {
      const path = `/api/v2/administration/parameters/com.platform.${parameter}`;
      const put = { method: 'PUT', token: sysadmin, body: { value }, headers };
      expect((await server.call(path, put)).status).toBe(200);
    },
    round: async () => {
      await server.database.query('UPDATE task_mail_rounds SET next_round = now()');
      await server.app.get(Rounds).run();
      await eventually(async () =>
        expect(await server.database.query('SELECT kind, recipient FROM mails')).toEqual([]),
      );
    },
    close: async () => {
      await server.close();
      await mailbox.close();
    },
  };
}
