import type { Answer, TestServer } from './test-server.js';
import { DEMO_PASSWORD } from './test-server.js';

const AUTHENTICATION = '/api/v2/authentication';
export const RENEWAL = `${AUTHENTICATION}/renewal`;

/** A browser without a screen: the headers and the one cookie of a page of this server. */
export class TestBrowser {
  cookie = '';
  token = '';

  constructor(
    private readonly server: TestServer,
    readonly headers: Record<string, string> = {},
  ) {}

  /** Signs in as a page does, and keeps the cookie. */
  async signIn(login: string, password = DEMO_PASSWORD): Promise<Answer> {
    const body = { login, password };
    const answer = await this.send('POST', AUTHENTICATION, { Prefer: 'renewal' }, body);
    this.token = (answer.body as { token: string }).token;
    return answer;
  }

  /** Renews with the current cookie, or with another one, and keeps the answered cookie and token. */
  async renew(cookie = this.cookie): Promise<Answer> {
    const answer = await this.send('POST', RENEWAL, { Cookie: cookie });
    if (answer.status === 200) this.token = (answer.body as { token: string }).token;
    return answer;
  }

  private async send(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Answer> {
    const own = { Host: 'portal.test', Origin: 'http://portal.test', ...this.headers };
    const answer = await this.server.call(path, { method, headers: { ...own, ...headers }, body });
    const [set] = answer.headers['set-cookie'] ?? [];
    if (set !== undefined) this.cookie = set.split(';', 1)[0]!;
    return answer;
  }
}
