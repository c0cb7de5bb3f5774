import type {} from 'pino-http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Origin } from './audit.service.js';
import { callerOf } from './caller.js';

const addresses = new WeakMap<Request, string>();

/** Remembers the address that the address rule admitted. */
export const setAddress = (request: Request, address: string): void => {
  addresses.set(request, address);
};

/** Who calls, from where, under which request id. */
export const originOf = (request: Request): Origin => ({
  caller: callerOf(request),
  address: addresses.get(request),
  requestId: typeof request.id === 'string' ? request.id : undefined,
});

/** The origin as a parameter of a controller's method. */
export const RequestOrigin = createParamDecorator((_: unknown, context: ExecutionContext): Origin =>
  originOf(context.switchToHttp().getRequest<Request>()),
);
