/** The public API, relative to wherever the server has its base path. */

import { isConfirmedFor } from './confirmation.js';

/** The base path without a slash at its end: the server writes it into the page's base element. */
export const BASE = new URL('..', document.baseURI).pathname.replace(/\/$/, '');

const TOKEN_KEY = 'token';

/** The token lives in memory, and in the tab's storage so that a reload keeps the session. */
let token = sessionStorage.getItem(TOKEN_KEY) ?? undefined;
let onSignedOut: (why: SignedOut) => void = () => undefined;

/** Somebody signed out, or the server ended the session. */
export type SignedOut = 'left' | 'ended';

export const isSignedIn = (): boolean => token !== undefined;

/** Sets the function to call when the session has ended. */
export function whenSignedOut(listener: (why: SignedOut) => void): void {
  onSignedOut = listener;
}

function keepToken(value: string | undefined): void {
  token = value;
  if (value === undefined) sessionStorage.removeItem(TOKEN_KEY);
  else sessionStorage.setItem(TOKEN_KEY, value);
}

/** An error of the API; status 0 when no answer came. */
export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly fields: { name: string; message: string }[] = [],
    /** Codes of a PasswordError. */
    readonly errors: string[] = [],
    /** Seconds to wait. */
    readonly retryAfter = 0,
  ) {
    super(message);
  }
}

interface Options {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/**
 * One call with the token of the session. Where the sign-in is too old for it, the page asks for a proof
 * and the call is repeated once.
 * @throws ApiProblem for every answer that is no success; a 304 is one
 */
export async function send(path: string, options: Options = {}): Promise<Response> {
  let response = await attempt(path, options);
  if (await isConfirmedFor(response)) response = await attempt(path, options);
  if (response.ok || response.status === 304) return response;
  throw await problemIn(response);
}

async function attempt(path: string, options: Options): Promise<Response> {
  const { body, method = 'GET', headers, signal } = options;
  const isJson = body !== undefined && !(body instanceof Blob);
  const isPatch = method === 'PATCH';
  const usedToken = token;
  const request: RequestInit = {
    method,
    signal,
    cache: 'no-store',
    credentials: 'omit',
    headers: {
      ...(usedToken === undefined ? {} : { 'X-AUTHENTICATION-KEY': usedToken }),
      ...(isJson ? { 'Content-Type': `application/${isPatch ? 'json-patch+json' : 'json'}` } : {}),
      ...headers,
    },
    body: isJson ? JSON.stringify(body) : body,
  };
  const response = await fetch(BASE + path, request).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiProblem(0, 'no answer');
  });
  if (response.status === 401 && usedToken !== undefined && usedToken === token) {
    keepToken(undefined);
    onSignedOut('ended');
  }
  return response;
}

async function problemIn(response: Response): Promise<ApiProblem> {
  const body = (await response.json().catch(() => ({}))) as Partial<ApiProblem>;
  const { message = response.statusText, fields, errors } = body;
  const retryAfter = Number(response.headers.get('Retry-After') ?? 0);
  return new ApiProblem(response.status, message, fields, errors, retryAfter);
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await (await send(path, { signal })).json()) as T;
}

/** A page of a list, and whether there is a next one (the Link header says so without counting). */
export async function getPage<T>(
  path: string,
  signal?: AbortSignal,
): Promise<{ items: T[]; hasNext: boolean }> {
  const response = await send(path, { signal });
  const links = response.headers.get('Link') ?? '';
  return { items: (await response.json()) as T[], hasNext: links.includes('rel="next"') };
}

/** Reads the same address again and again: only a change is sent (If-None-Match). */
export function conditional<T>(path: string): () => Promise<{ value: T; isNew: boolean }> {
  let known: { etag: string; value: T } | undefined;
  return async () => {
    const headers = known ? { 'If-None-Match': known.etag } : undefined;
    const response = await send(path, { headers });
    if (response.status === 304 && known) return { value: known.value, isNew: false };
    known = { etag: response.headers.get('ETag') ?? '', value: (await response.json()) as T };
    return { value: known.value, isNew: true };
  };
}

/** @throws ApiProblem */
export const signIn = (login: string, password: string): Promise<void> =>
  authenticate({ body: { login, password } });

/** With a token of the identity provider. @throws ApiProblem */
export const signInByToken = (bearer: string): Promise<void> =>
  authenticate({ headers: { Authorization: `Bearer ${bearer}` } });

async function authenticate(credentials: Options): Promise<void> {
  const response = await send('/api/v2/authentication', { method: 'POST', ...credentials });
  keepToken(((await response.json()) as { token: string }).token);
}

/** Ends the session on the server too; what the server says to it changes nothing. */
export async function signOut(): Promise<void> {
  const ended = send('/api/v2/authentication', { method: 'DELETE' }).catch(() => undefined);
  forgetSession();
  await ended;
}

/** Leaves a session that the server has ended already. */
export function forgetSession(): void {
  keepToken(undefined);
  onSignedOut('left');
}

export const patch = <T>(path: string, operations: object[]): Promise<T> =>
  send(path, { method: 'PATCH', body: operations }).then((answer) => answer.json() as Promise<T>);

/** A query string; a list is repeated, undefined is left out. */
export function query(parameters: Record<string, string | string[] | undefined>): string {
  const pairs = Object.entries(parameters).flatMap(([name, values]) =>
    [values ?? []].flat().map((value): [string, string] => [name, value]),
  );
  return `?${new URLSearchParams(pairs).toString()}`;
}
