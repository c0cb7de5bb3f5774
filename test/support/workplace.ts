import type { Page } from 'playwright-core';
import type { Visit, VisitOptions, Visits } from './browser.js';
import { type Answer, startTestServer, type TestServer } from './test-server.js';

/** People of the demonstration portal: an administrator, a salesman, and a woman who reads French. */
export const PEOPLE = ['alice.martin', 'bruno.keller', 'chloe.lefevre'] as const;
export type Login = (typeof PEOPLE)[number];

/** The workplace of a server with the demonstration portal. */
export interface TestWorkplace {
  server: TestServer;
  /** Address of a page of the workplace, for a path below `/workplace`. */
  address(path?: string): string;
  /** Opens a page with a session of its own, so that ending it ends no other, and waits for its heading. */
  open(visits: Visits, login: Login, path?: string, options?: VisitOptions): Promise<Visit>;
  /** The body of the API's answer to a person, by default alice.martin. */
  read(path: string, login?: Login): Promise<Answer['body']>;
  /** Changes something as alice.martin. @throws Error when the API does not do it */
  write(method: string, path: string, body?: unknown): Promise<Answer['body']>;
  close(): Promise<void>;
}

/** @param env further environment variables */
export async function startTestWorkplace(env: Record<string, string> = {}): Promise<TestWorkplace> {
  const server = await startTestServer(env);
  const tokens = {} as Record<Login, string>;
  for (const login of PEOPLE) tokens[login] = await server.signInForLong(login);
  const address = (path = ''): string => `http://127.0.0.1:${server.port}/workplace${path}`;
  return {
    server,
    address,
    open: async (visits, login, path = '', options = {}) => {
      const token = await server.signIn(login);
      const visit = await visits.open(address(path), { ...options, token });
      await visit.page.locator('main h1').waitFor();
      const signInForm = visit.page.locator('input[name=login][autocomplete=username]:visible');
      if ((await signInForm.count()) > 0)
        throw new Error(`The page does not keep ${login} signed in`);
      return visit;
    },
    read: async (path, login = 'alice.martin') =>
      (await server.call(path, { token: tokens[login] })).body,
    write: async (method, path, body) => {
      const answer = await server.call(path, { method, token: tokens['alice.martin'], body });
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
      return answer.body;
    },
    close: () => server.close(),
  };
}

/** The field of the search, in English and in French. */
export const searchField = (page: Page) =>
  page.getByRole('combobox', { name: /^(search|rechercher) .*applications/i });

/** The counter on the tile of expense claims. */
export async function counterOf(page: Page): Promise<number> {
  const tile = page.locator('.tile', { hasText: 'Expense claims' }).first();
  await tile.waitFor();
  const count = tile.locator('.count [aria-hidden]');
  return (await count.count()) === 0 ? 0 : Number(await count.first().textContent());
}
