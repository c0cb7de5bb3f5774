import { expect } from '@jest/globals';
import { idOf } from './id-of.js';
import { type Answer, startTestServer, type TestServer } from './test-server.js';

export const ENDPOINTS = '/api/v2/process/endpoints';
const TASKS = '/api/v2/process/tasks';

/** A key as SECRETS_KEY has it. */
export const SECRETS_KEY = 'a-key-of-the-tests-with-32-characters';

/** A server that may push to the loopback interface, and shortcuts for an administrator. */
export interface EndpointWorld {
  server: TestServer;
  admin: string;
  engine: string;
  bruno: string;
  /** The id of the application of the tasks. */
  application: string;
  /** The id of another application. */
  other: string;
  call(method: string, path: string, body?: unknown, token?: string): Promise<Answer>;
  /** Creates an endpoint of the mode push with a secret, which it returns. */
  push(url: string, more?: object): Promise<{ id: string; secret: string }>;
  /** Creates an endpoint of the mode pull; returns its id. */
  pull(more?: object): Promise<string>;
  /** Creates a task; returns its id. */
  task(more?: object): Promise<string>;
  /** Changes a task by JSON Patch. */
  change(id: string, changes: Record<string, unknown>): Promise<void>;
  /** Makes every delivery that waits for its next attempt due now. */
  hurry(): Promise<void>;
  /** The deliveries of an endpoint as the list answers them. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- bodies are asserted as received
  deliveries(id: string, filters?: string): Promise<any[]>;
  /** Removes all endpoints with their deliveries. */
  clear(): Promise<void>;
}

export async function startEndpointWorld(
  env: Record<string, string> = {},
  destinations = '127.0.0.0/8',
): Promise<EndpointWorld> {
  const server = await startTestServer({ SECRETS_KEY, ...env });
  const admin = await server.signInForLong('alice.martin');
  await allow(server, destinations);
  const call: EndpointWorld['call'] = (method, path, body, token = admin) =>
    server.call(path, { method, token, body });
  const create = async (path: string, body: object): Promise<string> => {
    const answer = await call('POST', path, body);
    expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
    return answer.body.id as string;
  };
  const application = await idOf(server, 'applications', 'PURCHASE');
  return {
    server,
    admin,
    engine: await server.signIn('process.engine'),
    bruno: await server.signIn('bruno.keller'),
    application,
    other: await idOf(server, 'applications', 'LEAVE'),
    call,
    push: async (url, more = {}) => {
      const id = await create(ENDPOINTS, { label: 'Engine', mode: 'push', url, ...more });
      const made = await call('POST', `${ENDPOINTS}/${id}/secrets`, {});
      expect([made.status, made.text]).toEqual([201, expect.anything()]);
      return { id, secret: made.body.secret as string };
    },
    pull: (more = {}) => create(ENDPOINTS, { label: 'Worker', mode: 'pull', ...more }),
    task: (more = {}) => create(TASKS, { title: 'Approve the order', application, ...more }),
    change: async (id, changes) => {
      const operations = Object.entries(changes).map(([name, value]) => ({
        op: 'replace',
        path: `/${name}`,
        value,
      }));
      const answer = await call('PATCH', `${TASKS}/${id}`, operations);
      expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
    },
    hurry: async () => {
      await server.database.query(
        `UPDATE deliveries SET next_attempt = now() WHERE status = 'waiting'`,
      );
      await server.database.query('UPDATE endpoint_health SET blocked_until = NULL');
    },
    deliveries: async (id, filters) => {
      const query = filters === undefined ? '' : `?filters=${filters}`;
      const answer = await call('GET', `${ENDPOINTS}/${id}/deliveries${query}`);
      expect(answer.status).toBe(200);
      return answer.body as unknown[];
    },
    clear: async () => {
      await server.database.query('DELETE FROM endpoints');
    },
  };
}

/** Sets the destinations of pushes. */
export async function allow(server: TestServer, destinations: string): Promise<void> {
  const token = await server.signIn('sysadmin');
  const path = '/api/v2/administration/parameters/com.platform.deliveries.destinations';
  const answer = await server.call(path, { method: 'PUT', token, body: { value: destinations } });
  expect(answer.status).toBe(200);
}
