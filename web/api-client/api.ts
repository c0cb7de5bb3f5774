/** The public API, relative to wherever the server has its base path. */

import { BASE } from './base.js';
import { asksForProof, isConfirmedFor } from './confirmation.js';
import type { InvalidField } from './types.js';
import { beginSession, currentToken, endSession, forgetSession, renew } from './session.js';

export { BASE };

interface Reference {
  resource: string;
  attribute: string;
  count: number;
}

interface ProblemBody {
  message: string;
  fields: InvalidField[];
  errors: string[];
  reason: string;
  parameters: Record<string, unknown>;
  references: Reference[];
}

/** An error of the API; status 0 when no answer came. */
export class ApiProblem extends Error {
  readonly fields: InvalidField[];
  /** Codes of a PasswordError. */
  readonly errors: string[];
  /** The reason, if it concerns no field. */
  readonly code: string | undefined;
  readonly parameters: Record<string, unknown> | undefined;
  readonly references: Reference[] | undefined;

  constructor(
    readonly status: number,
    message: string,
    { fields = [], errors = [], reason, parameters, references }: Partial<ProblemBody> = {},
    /** Seconds to wait. */
    readonly retryAfter = 0,
  ) {
    super(message);
    this.fields = fields;
    this.errors = errors;
    this.code = reason;
    this.parameters = parameters;
    this.references = references;
  }
}

interface Options {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Whether the answer may set or delete the cookie of the session; by default it may not. */
  credentials?: RequestCredentials;
}

/** The code of the error of a call that the page itself refused. */
export const READ_ONLY = 'read-only';

let isReadOnly = false;

/** Refuses every call that writes, except those of the session, while a page shows what somebody else could do. */
export function setReadOnly(value: boolean): void {
  isReadOnly = value;
}

const SESSION = '/api/v2/authentication';

/**
 * One call with the token of the session. If the token has ended, it repeats the call once with a new one. If the
 * sign-in is too old for the call, the page asks for a proof and the call is repeated once.
 * @throws ApiProblem for every answer except success and 304
 */
export async function send(path: string, options: Options = {}): Promise<Response> {
  if (isReadOnly && (options.method ?? 'GET') !== 'GET' && path !== SESSION)
    throw new ApiProblem(403, 'read only', { reason: READ_ONLY });
  let response = await attempt(path, options);
  if (await isConfirmedFor(response)) response = await attempt(path, options);
  if (response.ok || response.status === 304) return response;
  throw await problemIn(response);
}

async function attempt(path: string, options: Options): Promise<Response> {
  const token = currentToken();
  const response = await callWith(token, path, options);
  if (response.status !== 401 || token === undefined || asksForProof(response)) return response;
  const renewal = await renew(token);
  if (renewal === 'renewed') return callWith(currentToken(), path, options);
  if (renewal === 'unreachable') throw new ApiProblem(0, 'no answer');
  endSession(token);
  return response;
}

async function callWith(
  token: string | undefined,
  path: string,
  options: Options,
): Promise<Response> {
  const { body, method = 'GET', headers, signal, credentials = 'omit' } = options;
  const isJson = body !== undefined && !(body instanceof Blob);
  const isPatch = method === 'PATCH';
  const request: RequestInit = {
    method,
    signal,
    cache: 'no-store',
    credentials,
    headers: {
      ...(token === undefined ? {} : { 'X-AUTHENTICATION-KEY': token }),
      ...(isJson ? { 'Content-Type': `application/${isPatch ? 'json-patch+json' : 'json'}` } : {}),
      ...headers,
    },
    body: isJson ? JSON.stringify(body) : body,
  };
  return fetch(BASE + path, request).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiProblem(0, 'no answer');
  });
}

async function problemIn(response: Response): Promise<ApiProblem> {
  const body = (await response.json().catch(() => ({}))) as Partial<ProblemBody>;
  const { message = response.statusText } = body;
  const retryAfter = Number(response.headers.get('Retry-After') ?? 0);
  // Without a proof, the call fails but the person stays signed in.
  const status = asksForProof(response) ? 403 : response.status;
  return new ApiProblem(status, message, body, retryAfter);
}

/**
 * Reads the body of an answer.
 * @param read parses JSON by default
 * @throws ApiProblem for an incomplete body, or for a page of a proxy instead of JSON
 */
export async function bodyOf<T>(
  response: Response,
  read: (response: Response) => Promise<T> = (answer) => answer.json() as Promise<T>,
): Promise<T> {
  return read(response).catch(() => {
    throw new ApiProblem(0, 'no answer');
  });
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return bodyOf<T>(await send(path, { signal }));
}

/** A page of a list, and whether a next one exists (from the Link header, without counting). */
export async function getPage<T>(
  path: string,
  signal?: AbortSignal,
): Promise<{ items: T[]; hasNext: boolean }> {
  const response = await send(path, { signal });
  const links = response.headers.get('Link') ?? '';
  return { items: await bodyOf<T[]>(response), hasNext: links.includes('rel="next"') };
}

/** Polls one address; the server sends only changes (If-None-Match). */
export function conditional<T>(path: string): () => Promise<{ value: T; isNew: boolean }> {
  let known: { etag: string; value: T } | undefined;
  return async () => {
    const headers = known ? { 'If-None-Match': known.etag } : undefined;
    const response = await send(path, { headers });
    if (response.status === 304 && known) return { value: known.value, isNew: false };
    known = { etag: response.headers.get('ETag') ?? '', value: await bodyOf<T>(response) };
    return { value: known.value, isNew: true };
  };
}

/**
 * @param code of a second step
 * @throws ApiProblem
 */
export const signIn = (login: string, password: string, code?: string): Promise<void> =>
  authenticate({ body: { login, password, code } });

/** Whether the server wants the code of a second step, or another one, beside the password. */
export const asksForCode = ({ code, fields }: ApiProblem): boolean =>
  code === 'second-step-required' ||
  code === 'wrong-second-step' ||
  fields.some(({ name }) => name === 'code');

/** Whether the server has received no code of a second step. */
export const missesCode = ({ code, fields }: ApiProblem): boolean =>
  code === 'second-step-required' || fields.some((fault) => fault.code === 'second-step-required');

/** With a token of the identity provider. @throws ApiProblem */
export const signInByToken = (bearer: string): Promise<void> =>
  authenticate({ headers: { Authorization: `Bearer ${bearer}` } });

/** With a passkey, which `JSON.stringify` turns into its JSON. @throws ApiProblem */
export const signInByPasskey = (passkey: Credential | null): Promise<void> =>
  authenticate({ body: { passkey } });

async function authenticate({ headers, ...credential }: Options): Promise<void> {
  const response = await send('/api/v2/authentication', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { Prefer: 'renewal', ...headers },
    ...credential,
  });
  beginSession((await bodyOf<{ token: string }>(response)).token);
}

/** How long a sign-out waits for the server, in milliseconds. */
const SIGN_OUT_TIMEOUT = 3_000;

/** Ends the session on the server and in all tabs; without a network, the next visit ends it on the server. */
export async function signOut(): Promise<void> {
  const signal = AbortSignal.timeout(SIGN_OUT_TIMEOUT);
  const request: Options = { method: 'DELETE', credentials: 'same-origin', signal };
  const isKnown = await send('/api/v2/authentication', request).then(
    () => true,
    (error: unknown) => error instanceof ApiProblem && error.status === 401,
  );
  forgetSession(isKnown);
}

export const patch = <T>(
  path: string,
  operations: object[],
  headers?: Record<string, string>,
): Promise<T> =>
  send(path, { method: 'PATCH', body: operations, headers }).then((answer) => bodyOf<T>(answer));

export const post = <T>(path: string, body?: unknown): Promise<T> =>
  send(path, { method: 'POST', body }).then((answer) => bodyOf<T>(answer));

/** A query string; a list is repeated, undefined is left out. */
export function query(parameters: Record<string, string | string[] | undefined>): string {
  const pairs = Object.entries(parameters).flatMap(([name, values]) =>
    [values ?? []].flat().map((value): [string, string] => [name, value]),
  );
  return `?${new URLSearchParams(pairs).toString()}`;
}
