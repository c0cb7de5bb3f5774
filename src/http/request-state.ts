import type { IncomingMessage } from 'node:http';
import type { Rights } from '../base/rights/rights.js';
import type { ApiError } from '../base/errors/api-errors.js';
import type { RequestTrace } from './tracing/tracing.js';
import { type RouteFacts, USUAL_FACTS } from './route-facts.js';

/** Languages of labels and dates. */
export type Locale = 'en' | 'fr' | 'de';

/** The user behind the token. */
export interface Caller {
  /** The user's numeric id as text. */
  id: string;
  login: string;
  title: string;
  rights: Rights;
  /** The one system administrator account. */
  sysadmin: boolean;
  locale: Locale;
  /** The id of the token. */
  tokenId: string;
  /** The browser session that issued the token; null when a sign-in did. */
  browserSessionId: string | null;
  /** End of the token's lifetime, as a timestamp of the API. */
  expiration: string;
  /** The same by the clock of this process (performance.now()). */
  validUntil: number;
  /** When the sign-in, or the latest confirmation of the password, stops counting as recent (performance.now()). */
  provenUntil: number;
  /** Whether the session can only add the second step that this person needs. */
  addsSecondStep: boolean;
  /** Whether an API key signed in. */
  isKey: boolean;
  /** All that the key, or the account that acts for the person, permits at most; null without a limit. */
  limit: readonly string[] | null;
  /** Whether the account is that of a program. */
  isService: boolean;
  /** The service account that acts on behalf of the user, if one does. */
  agent: { id: string; login: string } | null;
  /** The most calls in a minute of the service account; null without a limit. */
  callsPerMinute: number | null;
  /** The addresses to which that key is bound; undefined when it is not bound. */
  keyAddresses?: { has(address: string): boolean } | undefined;
}

/** The client's address and the addresses from which it was derived. */
export interface ClientAddress {
  /** The client's address; undefined when the proxy's headers do not determine it, which gives 403. */
  address: string | undefined;
  peer: string;
  /** The entries of X-Forwarded-For, left to right; empty when the peer is no trusted proxy. */
  forwarded: string[];
}

/** The place of a request among the concurrent ones (http/load-shedding.ts). */
export interface Place {
  /** Frees the place before a long wait. The request then limits its further work itself. */
  release(): void;
  /** Aborts when the server begins to stop, so that waiting calls answer. */
  readonly stopping: AbortSignal;
}

/** The server's own state of one request, beside the properties of Node and Express. */
export class RequestState {
  /** The route facts of its method and path. */
  facts: RouteFacts = USUAL_FACTS;
  /** The request id that the server generated; the response carries it as X-Request-Id. */
  id: string | undefined;
  /** The request id that the caller sent: unverified, and used only to find the request in the log. */
  callerId: string | undefined;
  trace: RequestTrace | undefined;
  clientAddress: ClientAddress | undefined;
  /** The client's address, once the IP allowlist has let it pass. */
  allowedAddress: string | undefined;
  /** The query parameters of the main API, once they are parsed. */
  query: Map<string, string[]> | undefined;
  /** A JSON body until the last guard parses it. */
  unparsedBody: Buffer | undefined;
  /** The error of the body; thrown after the checks of token and permission, so that a guest gets 401. */
  bodyError: ApiError | undefined;
  /** Whether the request announced a body that turned out empty. */
  hasEmptyBody = false;
  /** Whether the controller reads the body itself, while it answers; it limits the time that this takes. */
  hasUnreadBody = false;
  /** The caller; undefined on a public route. Only the token guard sets it. */
  caller: Caller | undefined;
  /** Checks address and token again after a long wait; throws a 401 or 403. Only the token guard sets it. */
  checkAgain: (() => Promise<void>) | undefined;
  /** Whether this process has seen every change from before the request, so that it may answer from a cache. */
  hasPassedBarrier = false;
  /** Undefined for a probe, which needs none. */
  place: Place | undefined;
  /** Whether the request waits for an event, so that its duration says nothing about the server. */
  isWaiting = false;
  /** The error with which the request was answered. */
  error: ApiError | undefined;
}

const STATE = Symbol('state');

/**
 * The state of a request, created by the first call. It is a property of the request, because a WeakMap
 * would cost a hash look-up each time.
 */
export function stateOf(request: IncomingMessage & { [STATE]?: RequestState }): RequestState {
  return (request[STATE] ??= new RequestState());
}
