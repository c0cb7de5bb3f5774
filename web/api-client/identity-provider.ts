import { BASE, signInByToken } from './api.js';
import type { Demands, Flow } from './authorization-code-flow.js';
import { hasSignedOut, isSignedIn } from './session.js';

/**
 * Sign-in at the organization's identity provider. The server accepts the ID token that the provider
 * issues to this page as credentials (docs/api-contract.md#sign-in).
 */
const metaNamed = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name=${name}]`);
const meta = metaNamed('identity-provider');
/** The provider sends all people to the workplace, which forwards those from another page. */
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

/** Marks a tab that has tried to sign in silently, because each tab tries once. */
const TRIED_KEY = 'silent-sign-in';

/** A flow, the requested address, and whether the sign-in is silent. */
type StoredFlow = Flow & { path: string; isSilent: boolean };

/** Goes to the provider's sign-in page. */
export async function leaveForProvider(demands: Demands = {}): Promise<void> {
  const { startFlow } = await import('./authorization-code-flow.js');
  const { flow, address } = await startFlow(client, demands);
  const path = location.pathname + location.search + location.hash;
  const stored: StoredFlow = { ...flow, path, isSilent: demands.prompt === 'none' };
  sessionStorage.setItem(FLOW_KEY, JSON.stringify(stored));
  location.assign(address);
}

/**
 * Signs in silently if the administrator has configured that and the provider has a session. Each tab tries once, and
 * not after a sign-out. The promise settles only if the page stays.
 */
export async function signInSilently(): Promise<void> {
  const isWanted = metaNamed('identity-provider-silent')?.content === 'yes';
  if (!isWanted || providerName === undefined || isSignedIn() || hasSignedOut()) return;
  if (sessionStorage.getItem(TRIED_KEY) !== null) return;
  sessionStorage.setItem(TRIED_KEY, 'yes');
  const isLeaving = await leaveForProvider({ prompt: 'none' }).then(
    () => true,
    () => false,
  );
  if (isLeaving) await forever();
}

/** The sign-in of a person who returns from the provider; undefined for other visits, and after the sign-in. */
export let arrival: Promise<void> | undefined = arrive();
const forgetArrival = (): void => {
  arrival = undefined;
};
void arrival?.then(forgetArrival, forgetArrival);

function arrive(): Promise<void> | undefined {
  const stored = sessionStorage.getItem(FLOW_KEY);
  const answer = new URLSearchParams(location.search);
  if (stored === null || !answer.has('state') || location.pathname !== returnPath) return undefined;
  sessionStorage.removeItem(FLOW_KEY);
  const flow = JSON.parse(stored) as StoredFlow;
  const { pathname } = new URL(flow.path, location.origin);
  const isHere = `${pathname}/`.startsWith(`${returnPath}/`);
  // First removes the code from the address and the history.
  history.replaceState(null, '', isHere ? flow.path : returnPath);
  // The provider has no session, so the page asks the person to sign in.
  if (flow.isSilent && answer.has('error')) return isHere ? undefined : goTo(flow.path);
  return signIn(flow, answer).then(() => (isHere ? undefined : goTo(flow.path)));
}

async function signIn(flow: Flow, answer: URLSearchParams): Promise<void> {
  const { finishFlow } = await import('./authorization-code-flow.js');
  await signInByToken(await finishFlow(client, flow, answer));
}

/** Loads another page. The promise never settles: that page takes over. */
function goTo(path: string): Promise<never> {
  location.replace(path);
  return forever();
}

const forever = (): Promise<never> => new Promise(() => undefined);
