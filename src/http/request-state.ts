import type { IncomingMessage } from 'node:http';
import type { ApiError } from '../errors/api-errors.js';
import type { RequestTrace } from '../tracing/tracing.js';
import { type RouteFacts, USUAL_FACTS } from './route-facts.js';

/** Languages of labels and dates. */
export type Locale = 'en' | 'fr';

/** The user behind the token. */
export interface Caller {
  /** The user's numeric id as text. */
  id: string;
  login: string;
  title: string;
  administrator: boolean;
  processEngine: boolean;
  /** The one system administrator account. */
  sysadmin: boolean;
  locale: Locale;
  /** The session, to end it. */
  tokenId: string;
  /** End of the token's lifetime, as a timestamp of the API. */
  expiration: string;
  /** Until when the sign-in, or a password confirmed since, counts as recent (performance.now()). */
  provenUntil: number;
  /** Whether an API key signed in. */
  isKey: boolean;
  /** The addresses to which that key is bound; undefined where there are none. */
  keyAddresses?: { has(address: string): boolean } | undefined;
}

/** Where a request comes from, and how that was found. */
export interface ClientAddress {
  /** The address that counts; undefined when the headers of the proxy leave it open, which is refused. */
  address: string | undefined;
  peer: string;
  /** X-Forwarded-For as it was read, left to right; empty when the peer is no trusted proxy. */
  forwarded: string[];
}

/** What the server knows of one request, beside what Node and Express keep of it. */
export class RequestState {
  /** What the table of route facts says about its method and path. */
  facts: RouteFacts = USUAL_FACTS;
  /** The server's own id of the request, which the response carries as X-Request-Id. */
  id: string | undefined;
  /** The id that the caller sent for it: a claim, to find the request by and nothing else. */
  callerId: string | undefined;
  trace: RequestTrace | undefined;
  clientAddress: ClientAddress | undefined;
  /** The client's address, once the IP allowlist has let it pass. */
  allowedAddress: string | undefined;
  /** The query parameters of the main API, once they are parsed. */
  query: Map<string, string[]> | undefined;
  /** The text of a JSON body while it is being validated. */
  bodyText: string | undefined;
  /** What is wrong with the body; thrown after token and role are checked, so that a guest gets 401. */
  bodyError: ApiError | undefined;
  /** Whether a body was announced and had no bytes. */
  hasEmptyBody = false;
  /** Who calls; undefined on a public route. The token guard alone sets it. */
  caller: Caller | undefined;
  /** The error with which the request was answered. */
  error: ApiError | undefined;
}

const STATE = Symbol('state');

/**
 * The state of a request, which the first look creates. It is one property on the request: a WeakMap
 * would cost a hash look-up each time.
 */
export function stateOf(request: IncomingMessage & { [STATE]?: RequestState }): RequestState {
  return (request[STATE] ??= new RequestState());
}
