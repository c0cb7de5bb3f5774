import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { unauthenticated } from '../base/errors/api-errors.js';
import { type Caller, type Locale, stateOf } from '../http/request-state.js';

export type { Caller, Locale };

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
