import { parseObject } from '../events/confirmations.js';
import type { AttemptResult } from './webhook.js';

/** The credentials with which an endpoint with an adapter signs in at its engine. */
export type Credentials =
  | { scheme: 'basic'; user: string; secret: string }
  | { scheme: 'bearer'; secret: string }
  | {
      scheme: 'oauth';
      user: string;
      secret: string;
      tokenUrl: string;
      scope?: string | null;
      audience?: string | null;
    };

/** A form that is posted. */
export type PostForm = (url: URL, form: Record<string, string>) => Promise<AttemptResult>;

/**
 * How long before its end the server stops using a token, and the assumed lifetime of one without an end, in seconds.
 */
const MARGIN = 30;
const LIFETIME = 300;

/** Why there is no session. Its message is for administrators. */
export class SignInFailed extends Error {}

/**
 * Authenticates calls to an engine: HTTP Basic, a bearer token, a token of the OAuth client credentials flow (RFC 6749
 * section 4.4), or the session of Bonita's sign-in. All calls share one sign-in until it ends.
 */
export class EngineSession {
  private current: Promise<{ headers: Record<string, string>; until: number }> | undefined;

  constructor(
    private readonly base: URL,
    private readonly isBonita: boolean,
    private readonly credentials: Credentials | undefined,
    private readonly post: PostForm,
  ) {}

  /** Whether another sign-in may help after a 401. */
  get isRenewable(): boolean {
    const { credentials } = this;
    return credentials?.scheme === 'oauth' || (credentials?.scheme === 'basic' && this.isBonita);
  }

  /** @throws SignInFailed, and the errors of the sender */
  async headers(): Promise<Record<string, string>> {
    this.current ??= this.signIn();
    const session = this.current;
    try {
      const { headers, until } = await session;
      if (performance.now() < until) return headers;
    } catch (error) {
      if (this.current === session) this.current = undefined;
      throw error;
    }
    if (this.current === session) this.current = undefined;
    return this.headers();
  }

  /** Signs in again before the next call. */
  forget(): void {
    this.current = undefined;
  }

  private async signIn(): Promise<{ headers: Record<string, string>; until: number }> {
    const { credentials } = this;
    if (!credentials) return { headers: {}, until: Infinity };
    if (credentials.scheme === 'bearer')
      return { headers: { Authorization: `Bearer ${credentials.secret}` }, until: Infinity };
    if (credentials.scheme === 'oauth') return this.getToken(credentials);
    const { user, secret } = credentials;
    if (this.isBonita) return this.signInAtBonita(user, secret);
    const pair = Buffer.from(`${user}:${secret}`).toString('base64');
    return { headers: { Authorization: `Basic ${pair}` }, until: Infinity };
  }

  private async getToken({
    user,
    secret,
    tokenUrl,
    scope,
    audience,
  }: Extract<Credentials, { scheme: 'oauth' }>) {
    const answer = await this.post(new URL(tokenUrl), {
      grant_type: 'client_credentials',
      client_id: user,
      client_secret: secret,
      ...(scope && { scope }),
      ...(audience && { audience }),
    });
    const { access_token: token, expires_in: seconds } = parseObject(answer.body) ?? {};
    if (answer.status !== 200 || typeof token !== 'string') throw failed(answer);
    const lifetime = typeof seconds === 'number' && seconds > 0 ? seconds : LIFETIME;
    // A token that lives for less than the margin serves one call.
    const until = performance.now() + Math.max(1, lifetime - MARGIN) * 1000;
    return { headers: { Authorization: `Bearer ${token}` }, until };
  }

  private async signInAtBonita(username: string, password: string) {
    const url = new URL(`${this.base.href.replace(/\/$/, '')}/loginservice`);
    const answer = await this.post(url, { username, password, redirect: 'false' });
    const pairs = (answer.cookies ?? []).map((cookie) => cookie.split(';', 1)[0]!);
    const token = pairs.find((pair) => pair.startsWith('X-Bonita-API-Token='));
    const { status = 0 } = answer;
    if (status < 200 || status > 299 || pairs.length === 0) throw failed(answer);
    return {
      headers: {
        Cookie: pairs.join('; '),
        ...(token !== undefined && { 'X-Bonita-API-Token': token.slice(token.indexOf('=') + 1) }),
      },
      until: Infinity,
    };
  }
}

const failed = ({ status, error }: AttemptResult): SignInFailed =>
  new SignInFailed(`the sign-in at the engine failed: ${error ?? `status ${status}`}`);
