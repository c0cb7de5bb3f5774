import type { AuthorizationServer } from 'oauth4webapi';
import { BASE, signInByToken } from './api.js';

/**
 * Sign-in at the organization's identity provider by the authorization code flow with PKCE
 * (RFC 7636; OpenID Connect Core 1.0 section 3.1). This page is a public client without a secret;
 * the ID token it receives is what the server takes as credentials (docs/api-contract.md#sign-in).
 */
const meta = document.querySelector<HTMLMetaElement>('meta[name=identity-provider]');
const issuer = meta?.content ?? '';
const client = { client_id: meta?.dataset.clientId ?? '' };

/** The provider's name for people; undefined where none is configured, or PKCE cannot be computed. */
export const providerName: string | undefined =
  issuer === '' || !isSecureContext ? undefined : new URL(issuer).host;

/** The library, which only those load who sign in at the provider. */
type OAuth = typeof import('oauth4webapi');

/** In seconds. */
const A_DAY = 86_400;

const FLOW_KEY = 'identity-provider';
/** The provider sends everybody to the workplace, which passes those on who come from another page. */
const returnPath = `${BASE}/workplace`;
const returnAddress = location.origin + returnPath;

/** What must be remembered while the browser is at the provider. */
interface Flow {
  verifier: string;
  state: string;
  nonce: string;
  /** Where the person wanted to go. */
  path: string;
}

/**
 * Goes to the provider's sign-in page.
 * @param maxAge how many seconds ago the sign-in there may have been (OpenID Connect Core 3.1.2.1)
 */
export async function leaveForProvider(maxAge?: number): Promise<void> {
  const oauth = await import('oauth4webapi');
  const { authorization_endpoint } = await discover(oauth);
  if (authorization_endpoint === undefined) throw new Error('no authorization endpoint');
  const flow: Flow = {
    verifier: oauth.generateRandomCodeVerifier(),
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    path: location.pathname,
  };
  sessionStorage.setItem(FLOW_KEY, JSON.stringify(flow));
  const address = new URL(authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: returnAddress,
    scope: 'openid profile email',
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
    ...(maxAge === undefined ? {} : { max_age: String(maxAge) }),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  location.assign(address);
}

/** Coming back from the provider: the session that follows. Undefined when this is no coming back. */
export const arrival: Promise<void> | undefined = arrive();

function arrive(): Promise<void> | undefined {
  const stored = sessionStorage.getItem(FLOW_KEY);
  const answer = new URLSearchParams(location.search);
  if (stored === null || !answer.has('state') || location.pathname !== returnPath) return undefined;
  sessionStorage.removeItem(FLOW_KEY);
  const flow = JSON.parse(stored) as Flow;
  const isHere = `${flow.path}/`.startsWith(`${returnPath}/`);
  // The code goes out of the address and of the history at once.
  history.replaceState(null, '', isHere ? flow.path : returnPath);
  return exchange(flow, answer).then(() => (isHere ? undefined : goTo(flow.path)));
}

/** Loads another page; the promise of it is kept by that page. */
function goTo(path: string): Promise<never> {
  location.replace(path);
  return new Promise(() => undefined);
}

async function exchange(flow: Flow, answer: URLSearchParams): Promise<void> {
  const oauth = await import('oauth4webapi');
  // An answer that this page did not ask for is dropped before any call to the provider.
  const parameters = oauth.validateAuthResponse({ issuer }, client, answer, flow.state);
  const provider = await discover(oauth);
  const response = await oauth.authorizationCodeGrantRequest(
    provider,
    client,
    oauth.None(),
    parameters,
    returnAddress,
    flow.verifier,
    callsOf(oauth),
  );
  const { id_token: token } = await oauth.processAuthorizationCodeResponse(
    provider,
    // The server judges the signature and the time; the clock of this device may be wrong.
    { ...client, [oauth.clockTolerance]: A_DAY },
    response,
    { expectedNonce: flow.nonce, requireIdToken: true },
  );
  await signInByToken(token!);
}

/** The provider's metadata (OpenID Connect Discovery 1.0). @throws when they are of another issuer */
async function discover(oauth: OAuth): Promise<AuthorizationServer> {
  const identifier = new URL(issuer);
  const response = await oauth.discoveryRequest(identifier, callsOf(oauth));
  return oauth.processDiscoveryResponse(identifier, response);
}

/** Calls to the provider carry no cookies. A provider on http is one that the server's setup admits. */
const callsOf = (oauth: OAuth) => ({
  [oauth.allowInsecureRequests]: new URL(issuer).protocol === 'http:',
  [oauth.customFetch]: (address: string, { method, headers, body, redirect }: RequestInit) =>
    fetch(address, { method, headers, body, redirect, credentials: 'omit' }),
});
