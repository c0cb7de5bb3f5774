import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { stateOf } from '../http/request-state.js';
import type { AuditContext } from './audit.service.js';

/** Who calls, from where, under which request ids. */
export function auditContextOf(request: Request): AuditContext {
  const { caller, allowedAddress, id, callerId } = stateOf(request);
  return { caller, address: allowedAddress, requestId: id, callerRequestId: callerId };
}

/** The audit context as a parameter of a controller's method. */
export const CurrentAuditContext = createParamDecorator(
  (_: unknown, context: ExecutionContext): AuditContext =>
    auditContextOf(context.switchToHttp().getRequest<Request>()),
);
