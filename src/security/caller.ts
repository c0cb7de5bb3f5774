import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Rights } from '../base/rights/rights.js';
import { unauthenticated } from '../base/errors/api-errors.js';
import { type Caller, type Locale, stateOf } from '../http/request-state.js';

export type { Caller, Locale };

/** What the server or a command does by itself, in no user's name: nothing has to be proven. */
export const callerWithoutUser = (rights: Rights): Caller => ({
  ...{ id: '0', login: '', title: '', locale: 'en', rights, sysadmin: rights.isSysadmin },
  ...{ isKey: false, isService: false, agent: null, callsPerMinute: null, addsSecondStep: false },
  limit: null,
  ...{ tokenId: '0', browserSessionId: null, expiration: '' },
  ...{ validUntil: Infinity, provenUntil: Infinity },
});

/** The person whose visibility applies: the caller, or the person whom a preview names. */
export type Viewer = Pick<Caller, 'id' | 'rights'>;

/** The caller of a request, or undefined on a public route. */
export const callerOf = (request: Request): Caller | undefined => stateOf(request).caller;

/**
 * The caller of a request.
 * @throws ApiError 401 on a public route
 */
export function requireCaller(request: Request): Caller {
  const caller = callerOf(request);
  if (!caller) throw unauthenticated();
  return caller;
}

/** Injects the caller into a controller's method. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller =>
  requireCaller(context.switchToHttp().getRequest<Request>()),
);
