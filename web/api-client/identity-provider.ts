import { BASE, signInByToken } from './api.js';

/**
 * Sign-in at the organization's identity provider by the authorization code flow with PKCE
 * (RFC 7636; OpenID Connect Core 1.0 section 3.1). This page is a public client without a secret;
 * the ID token it receives is what the server takes as credentials (docs/api-contract.md#sign-in).
 */
const meta = document.querySelector<HTMLMetaElement>('meta[name=identity-provider]');
const issuer = meta?.content ?? '';
const clientId = meta?.dataset.clientId ?? '';

/** The provider's name for people; undefined where none is configured, or PKCE cannot be computed. */
export const providerName: string | undefined =
  issuer === '' || !isSecureContext ? undefined : new URL(issuer).host;

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

interface Endpoints {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
}

/**
 * Goes to the provider's sign-in page.
 * @param maxAge how many seconds ago the sign-in there may have been (OpenID Connect Core 3.1.2.1)
 */
export async function leaveForProvider(maxAge?: number): Promise<void> {
  const { authorization_endpoint } = await discover();
  const [verifier, state, nonce] = [randomText(), randomText(), randomText()];
  const flow: Flow = { verifier, state, nonce, path: location.pathname };
  sessionStorage.setItem(FLOW_KEY, JSON.stringify(flow));
  const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const address = new URL(authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: returnAddress,
    scope: 'openid profile email',
    state,
    nonce,
    code_challenge: base64Url(new Uint8Array(challenge)),
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
  const code = answer.get('code');
  if (code === null || answer.get('state') !== flow.state) throw new Error('refused');
  const { token_endpoint } = await discover();
  const response = await fetch(token_endpoint, {
    method: 'POST',
    credentials: 'omit',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: returnAddress,
      client_id: clientId,
      code_verifier: flow.verifier,
    }),
  });
  const { id_token: token } = (await response.json()) as { id_token?: string };
  // Its signature, issuer and audience are the server's to judge.
  if (token === undefined || nonceOf(token) !== flow.nonce) throw new Error('no token');
  await signInByToken(token);
}

async function discover(): Promise<Endpoints> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(address, { credentials: 'omit' });
  const found = (await response.json()) as Endpoints;
  if (found.issuer !== issuer) throw new Error(`${address} is about another issuer`);
  return found;
}

function nonceOf(token: string): unknown {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  return (JSON.parse(atob(payload)) as { nonce?: unknown }).nonce;
}

const randomText = (): string => base64Url(crypto.getRandomValues(new Uint8Array(32)));

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
