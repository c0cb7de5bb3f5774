import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { AuditContext } from './audit.service.js';
import { callerOf } from './caller.js';

declare module 'node:http' {
  interface IncomingMessage {
    /** The server's own id of the request, given at the start (http/request-log). */
    id?: string;
    /** The id that the caller sent for it: a claim, to find the request by and nothing else. */
    callerId?: string;
  }
}

const addresses = new WeakMap<Request, string>();

/** Remembers the address that the address rule admitted. */
export const setAddress = (request: Request, address: string): void => {
  addresses.set(request, address);
};

/** Who calls, from where, under which request ids. */
export const auditContextOf = (request: Request): AuditContext => ({
  caller: callerOf(request),
  address: addresses.get(request),
  requestId: request.id,
  callerRequestId: request.callerId,
});

/** The auditContext as a parameter of a controller's method. */
export const CurrentAuditContext = createParamDecorator(
  (_: unknown, context: ExecutionContext): AuditContext =>
    auditContextOf(context.switchToHttp().getRequest<Request>()),
);
