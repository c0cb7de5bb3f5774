import { expect } from '@jest/globals';
import { query } from './call.js';
import { type Answer, type Call, startTestServer, type TestServer } from './test-server.js';

/** A server with the tokens of three people, and shortcuts for the writes of an administrator. */
export interface WritingServer {
  server: TestServer;
  /** The tokens of an administrator, an ordinary user and a process engine. */
  admin: string;
  bruno: string;
  engine: string;
  /** Calls as the administrator, unless `more` has another token. */
  call: (method: string, path: string, body?: unknown, more?: Call) => Promise<Answer>;
  /** Creates an object and asserts that this succeeds. */
  create: (
    path: string,
    body: unknown,
  ) => Promise<Record<string, unknown> & { id: string; uri: string }>;
  /** A digest that changes with any row of a table. */
  state: (table: string) => Promise<unknown>;
  /** The id of the first object that matches a filter. */
  findId: (path: string, filter: string) => Promise<string>;
  close: () => Promise<void>;
}

export async function startWritingServer(): Promise<WritingServer> {
  const server = await startTestServer();
  const admin = await server.signInForLong('alice.martin');
  const call: WritingServer['call'] = (method, path, body, more = {}) =>
    server.call(path, { method, token: admin, body, ...more });
  return {
    server,
    admin,
    bruno: await server.signInForLong('bruno.keller'),
    engine: await server.signIn('process.engine'),
    call,
    create: async (path, body) => {
      const answer = await call('POST', path, body);
      expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
      return answer.body as Record<string, unknown> & { id: string; uri: string };
    },
    state: async (table) =>
      (
        await server.database.query(
          `SELECT md5(string_agg(t::text || xmin, '' ORDER BY id)) AS sum FROM ${table} t`,
        )
      )[0],
    findId: async (path, filter) =>
      (await server.call(path + query({ filters: filter }), { token: admin })).body[0].id as string,
    close: () => server.close(),
  };
}
