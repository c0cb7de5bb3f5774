import type { webcrypto } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Provider } from 'oidc-provider';

const REDIRECT = 'http://127.0.0.1/signed-in';
/** The page in a browser: a public client without a secret, which must use PKCE. */
const PAGE = {
  client_id: 'page',
  response_types: ['code' as const],
  token_endpoint_auth_method: 'none' as const,
};
/** How long everything of the provider is valid, in seconds. */
const HOUR = 3_600;
const CLIENT = { client_id: 'portal', client_secret: 'a-secret-of-the-test' };

/** A real OpenID Connect provider on the loopback interface. */
export interface TestProvider {
  issuer: string;
  /** Its signing key, with which tests forge tokens. */
  key: webcrypto.CryptoKey;
  kid: string;
  /** The requested paths. */
  hits: string[];
  /** Gets an ID token by the authorization code flow: sign-in page, consent, code. */
  idToken(login: string, scope?: string): Promise<string>;
  /** Registers the redirect address of a page that signs people in. */
  admitPage(redirectUri: string): Promise<void>;
  /** Restarts at the same address with another key. */
  rotate(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a server at the given port, else at a free one. */
export async function listen(handler: RequestListener, port = 0): Promise<Server> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

export const stopListening = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

export async function startTestProvider(): Promise<TestProvider> {
  const hits: string[] = [];
  let handler: RequestListener = (_, response) => response.end();
  const handle: RequestListener = (request, response) => {
    hits.push(request.url!);
    handler(request, response);
  };
  const pages: string[] = [];
  let server = await listen(handle);
  const port = portOf(server);
  const issuer = `http://127.0.0.1:${port}`;
  const provider: TestProvider = {
    issuer,
    key: undefined as unknown as webcrypto.CryptoKey,
    kid: '',
    hits,
    idToken: (login, scope = 'openid profile email') => runCodeFlow(issuer, login, scope),
    admitPage: (redirectUri) => {
      pages.push(redirectUri);
      return provider.rotate();
    },
    rotate: async () => {
      const { privateKey } = await generateKeyPair('RS256', { extractable: true });
      const kid = `key-${hits.length}-${Date.now()}`;
      const jwk: JWK = { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' };
      const callback = (await makeProvider(issuer, jwk, pages)).callback();
      handler = (request, response) => void callback(request, response);
      Object.assign(provider, { key: privateKey, kid });
    },
    stop: () => stopListening(server),
    start: async () => {
      server = await listen(handle, port);
    },
  };
  await provider.rotate();
  return provider;
}

/** Creates a provider without the library's warnings about test settings: keys and sessions in memory, its own pages. */
async function makeProvider(issuer: string, key: JWK, pages: string[]): Promise<Provider> {
  const warnings = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { Provider } = await import('oidc-provider');
  const provider = new Provider(issuer, {
    clients: [
      { ...CLIENT, redirect_uris: [REDIRECT], response_types: ['code'] },
      ...(pages.length > 0 ? [{ ...PAGE, redirect_uris: pages }] : []),
    ],
    clientBasedCORS: () => true,
    ttl: { AccessToken: HOUR, Grant: HOUR, IdToken: HOUR, Interaction: HOUR, Session: HOUR },
    jwks: { keys: [key] },
    cookies: { keys: ['a-cookie-key-of-the-test'] },
    conformIdTokenClaims: false,
    claims: {
      openid: ['sub'],
      profile: ['preferred_username'],
      email: ['email', 'email_verified'],
    },
    pkce: { required: (_, client) => client.clientId === PAGE.client_id },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        preferred_username: id,
        email: `${id}@example.com`,
        email_verified: true,
      }),
    }),
  });
  warnings.mockRestore();
  return provider;
}

/** A minimal browser with cookies. */
async function runCodeFlow(issuer: string, login: string, scope: string): Promise<string> {
  const cookies = new Map<string, string>();
  const go = async (address: string, form?: Record<string, string>): Promise<Response> => {
    const response = await fetch(new URL(address, issuer), {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      body: form && new URLSearchParams(form),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      cookies.set(name!, value!);
    }
    return response;
  };
  const query = new URLSearchParams({
    client_id: CLIENT.client_id,
    response_type: 'code',
    redirect_uri: REDIRECT,
    scope,
  });
  let location = `/auth?${query.toString()}`;
  while (!location.startsWith(REDIRECT)) {
    const response = await go(location);
    if (response.headers.has('location')) {
      location = response.headers.get('location')!;
      continue;
    }
    const page = await response.text();
    const [, target = ''] = /action="([^"]+)"/.exec(page) ?? [];
    const prompt = page.includes('value="login"') ? 'login' : 'consent';
    const answer = await go(target, { prompt, login, password: 'any' });
    location = answer.headers.get('location')!;
  }
  const tokens = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${btoa(`${CLIENT.client_id}:${CLIENT.client_secret}`)}`,
    },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: new URL(location).searchParams.get('code')!,
      redirect_uri: REDIRECT,
    }),
  });
  const { id_token: token } = (await tokens.json()) as { id_token: string };
  return token;
}
