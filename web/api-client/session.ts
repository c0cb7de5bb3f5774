import { BASE } from './base.js';

/**
 * The session of this browser (docs/api-contract.md#renewal). Every tab has its own token; a cookie, which scripts
 * cannot read, gives each tab a new one. All tabs sign in and out together.
 */

const TOKEN_KEY = 'token';

/** Tells later tabs whether this browser may have a session, or a sign-out that has not reached the server. */
const HINT_KEY = 'session';
type Hint = 'open' | 'leaving';

/** Marks that the last person signed out here, so that no silent sign-in follows. */
const LEFT_KEY = 'signed-out';

/** The token lives in memory, and in the tab's storage so that a reload keeps the session. */
let token = sessionStorage.getItem(TOKEN_KEY) ?? undefined;
/** The person of this page, which another person's session must not take over. */
let person: string | undefined;
let onSignedOut: (why: SignedOut) => void = () => undefined;
let onSignedIn: () => void = () => undefined;

/** A tab signed out, or the server ended the session. */
export type SignedOut = 'left' | 'ended';

/** The outcome of a renewal; `unreachable` means unknown, because no answer came. */
export type Renewal = 'renewed' | 'ended' | 'unreachable';

export const currentToken = (): string | undefined => token;
export const isSignedIn = (): boolean => token !== undefined;

/** Sets the function to call when the session has ended. */
export function whenSignedOut(listener: (why: SignedOut) => void): void {
  onSignedOut = listener;
}

/**
 * Sets the function to call after a sign-in in another tab.
 * @returns a function that removes it
 */
export function whenSignedInElsewhere(listener: () => void): () => void {
  onSignedIn = listener;
  return () => {
    if (onSignedIn === listener) onSignedIn = () => undefined;
  };
}

/** Sets whose page this is. */
export function keepPerson(id: string): void {
  person = id;
}

function keepToken(value: string | undefined): void {
  token = value;
  if (value === undefined) sessionStorage.removeItem(TOKEN_KEY);
  else sessionStorage.setItem(TOKEN_KEY, value);
}

/** Whether the last event in this browser was a sign-out. */
export const hasSignedOut = (): boolean => localStorage.getItem(LEFT_KEY) !== null;

const hint = (): Hint | null => localStorage.getItem(HINT_KEY) as Hint | null;

const tabs = new BroadcastChannel(`session ${BASE}`);
tabs.addEventListener('message', ({ data }: MessageEvent<'signed-in' | 'signed-out'>) => {
  if (data === 'signed-out') leave();
  // The hint may reach this tab later than the message.
  else if (!isSignedIn()) void renewNow().then((result) => result === 'renewed' && onSignedIn());
});

/** Begins a session with the token of a sign-in, in all tabs. */
export function beginSession(value: string): void {
  person = undefined;
  keepToken(value);
  localStorage.setItem(HINT_KEY, 'open' satisfies Hint);
  localStorage.removeItem(LEFT_KEY);
  tabs.postMessage('signed-in');
}

/**
 * Leaves the session in all tabs.
 * @param isKnown whether the server has received the sign-out; otherwise the next visit repeats it
 */
export function forgetSession(isKnown = true): void {
  localStorage.setItem(LEFT_KEY, 'yes');
  if (isKnown) localStorage.removeItem(HINT_KEY);
  else localStorage.setItem(HINT_KEY, 'leaving' satisfies Hint);
  tabs.postMessage('signed-out');
  leave();
}

function leave(): void {
  person = undefined;
  keepToken(undefined);
  onSignedOut('left');
}

/** Ends the session of this tab, whose token the server has rejected. */
export function endSession(rejected: string): void {
  if (token !== rejected) return;
  keepToken(undefined);
  onSignedOut('ended');
}

/**
 * Signs in a new tab if its browser is signed in.
 * @param signOut ends a session whose sign-out did not reach the server
 */
export async function resume(signOut: () => Promise<void>): Promise<void> {
  if (hint() === 'leaving') {
    // A suspended tab may have a token that is still valid.
    if (isSignedIn() || (await renewNow()) === 'renewed') await signOut();
  } else if (!isSignedIn()) await renew();
}

let renewing: Promise<Renewal> | undefined;

/**
 * Gets a new token for this tab. Concurrent calls share the renewal; tabs renew one after another.
 * @param rejected the token that the server rejected; undefined in a tab without one
 */
export function renew(rejected?: string): Promise<Renewal> {
  if (token !== rejected) return Promise.resolve(isSignedIn() ? 'renewed' : 'ended');
  return hint() === 'open' ? renewNow() : Promise.resolve('ended');
}

function renewNow(): Promise<Renewal> {
  // Locks exist only in secure contexts; without them, the server gives both tabs the same cookie.
  const renewal = (): Promise<Renewal> =>
    isSecureContext ? navigator.locks.request(`renewal ${BASE}`, askForToken) : askForToken();
  return (renewing ??= renewal().finally(() => (renewing = undefined)));
}

async function askForToken(): Promise<Renewal> {
  // `keepalive` lets the call outlive a closed page, so that its cookie arrives.
  const response = await call('/renewal', { method: 'POST', keepalive: true });
  if (response?.status === 401) localStorage.removeItem(HINT_KEY);
  if (response?.status === 401 || response?.status === 403) return 'ended';
  if (response?.status !== 200) return 'unreachable';
  const body = await bodyIn<{ token: string }>(response);
  if (!body) return 'unreachable';
  const { token: next } = body;
  if (person !== undefined) {
    const owner = await personOf(next);
    if (owner === undefined) return 'unreachable';
    if (owner !== person) return 'ended';
  }
  keepToken(next);
  return 'renewed';
}

async function personOf(other: string): Promise<string | undefined> {
  const response = await call('', { headers: { 'X-AUTHENTICATION-KEY': other } });
  if (response?.status !== 200) return undefined;
  return (await bodyIn<{ user: { id: string } }>(response))?.user.id;
}

/** @returns undefined for an incomplete body, or one that is not JSON */
const bodyIn = <T>(response: Response): Promise<T | undefined> =>
  response.json().then(
    (body) => body as T,
    () => undefined,
  );

/** @returns undefined when no answer came */
const call = (path: string, request: RequestInit): Promise<Response | undefined> =>
  fetch(`${BASE}/api/v2/authentication${path}`, {
    cache: 'no-store',
    credentials: 'same-origin',
    ...request,
  }).catch(() => undefined);
