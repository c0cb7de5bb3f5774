import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { unauthenticated } from '../errors/api-errors.js';
import type { CidrSet } from './cidr-set.js';

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
  keyAddresses?: CidrSet | undefined;
}

/** Whose view of things is taken: the caller's, or that of the person whom a preview names. */
export type Viewer = Pick<Caller, 'id' | 'administrator' | 'processEngine'>;

const callers = new WeakMap<Request, Caller>();

/** Remembers who calls; the token guard alone does this. */
export const setCaller = (request: Request, caller: Caller): void => {
  callers.set(request, caller);
};

/** The caller of a request, or undefined on a public route. */
export const callerOf = (request: Request): Caller | undefined => callers.get(request);

/**
 * The caller of a request.
 * @throws ApiError 401 on a public route
 */
export function requireCaller(request: Request): Caller {
  const caller = callerOf(request);
  if (!caller) throw unauthenticated();
  return caller;
}

/** The caller as a parameter of a controller's method. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller =>
  requireCaller(context.switchToHttp().getRequest<Request>()),
);
