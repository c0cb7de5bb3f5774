import type { Visit, VisitOptions, Visits } from './browser.js';
import { type Answer, type Call, startTestServer, type TestServer } from './test-server.js';

const ADMINISTRATOR = 'alice.martin';

/** The console of a server with the demonstration portal. Everything is done as alice.martin unless a login is named. */
export interface TestConsole {
  server: TestServer;
  /** Address of a page of the console, for a path below `/console`. */
  address(path?: string): string;
  /** Opens a page with a session of its own; a locale is that of the browser and of the account. */
  open(
    visits: Visits,
    path: string,
    options?: VisitOptions & { login?: string; password?: string },
  ): Promise<Visit>;
  /** Calls the API. */
  call(path: string, call?: Call): Promise<Answer>;
  /** The representation that the API answers for a path. */
  read(path: string): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/** @param env variables of the server beside those of every test */
export async function startTestConsole(env: Record<string, string> = {}): Promise<TestConsole> {
  const server = await startTestServer(env);
  const token = await server.signInForLong(ADMINISTRATOR);
  const address = (path = ''): string => `http://127.0.0.1:${server.port}/console${path}`;
  const call = (path: string, options: Call = {}) => server.call(path, { token, ...options });
  return {
    server,
    address,
    open: async (visits, path, { login = ADMINISTRATOR, password, ...options } = {}) => {
      const language = (options.locale ?? 'en').slice(0, 2);
      await server.database.query(
        `UPDATE users SET locale = $1 WHERE login = $2 AND locale <> $1`,
        [language, login],
      );
      const token = await server.signIn(login, password);
      return visits.open(address(path), { token, ...options });
    },
    call,
    read: async (path) => (await call(path)).body as Record<string, unknown>,
    close: () => server.close(),
  };
}
