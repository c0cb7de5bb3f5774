import { BASE, signInByToken } from './api.js';
import type { Flow } from './authorization-code-flow.js';

/**
 * Sign-in at the organization's identity provider. The server accepts the ID token that the provider
 * issues to this page as credentials (docs/api-contract.md#sign-in).
 */
const metaNamed = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name=${name}]`);
const meta = metaNamed('identity-provider');
/** The provider sends everybody to the workplace, which forwards people who came from another page. */
const returnPath = `${BASE}/workplace`;
const client = {
  issuer: meta?.content ?? '',
  clientId: meta?.dataset.clientId ?? '',
  returnAddress: location.origin + returnPath,
};

/** The name of the provider; undefined where none is configured, or the browser cannot compute PKCE. */
export const providerName: string | undefined =
  client.issuer === '' || !isSecureContext
    ? undefined
    : metaNamed('identity-provider-name')?.content;

const FLOW_KEY = 'identity-provider';

/** A flow, and the path that the person wanted to open. */
type StoredFlow = Flow & { path: string };

/**
 * Goes to the provider's sign-in page.
 * @param maxAge how many seconds ago the sign-in there may have been (OpenID Connect Core 3.1.2.1)
 */
export async function leaveForProvider(maxAge?: number): Promise<void> {
  const { startFlow } = await import('./authorization-code-flow.js');
  const { flow, address } = await startFlow(client, maxAge);
  const stored: StoredFlow = { ...flow, path: location.pathname };
  sessionStorage.setItem(FLOW_KEY, JSON.stringify(stored));
  location.assign(address);
}

/** The sign-in of a person who comes back from the provider; undefined where nobody does. */
export const arrival: Promise<void> | undefined = arrive();

function arrive(): Promise<void> | undefined {
  const stored = sessionStorage.getItem(FLOW_KEY);
  const answer = new URLSearchParams(location.search);
  if (stored === null || !answer.has('state') || location.pathname !== returnPath) return undefined;
  sessionStorage.removeItem(FLOW_KEY);
  const flow = JSON.parse(stored) as StoredFlow;
  const isHere = `${flow.path}/`.startsWith(`${returnPath}/`);
  // Removes the code from the address and the history before anything else happens.
  history.replaceState(null, '', isHere ? flow.path : returnPath);
  return signIn(flow, answer).then(() => (isHere ? undefined : goTo(flow.path)));
}

async function signIn(flow: Flow, answer: URLSearchParams): Promise<void> {
  const { finishFlow } = await import('./authorization-code-flow.js');
  await signInByToken(await finishFlow(client, flow, answer));
}

/** Loads another page. The promise never settles: that page takes over. */
function goTo(path: string): Promise<never> {
  location.replace(path);
  return new Promise(() => undefined);
}
