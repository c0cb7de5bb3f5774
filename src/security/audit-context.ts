import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { stateOf } from '../http/request-state.js';
import type { AuditContext } from './audit.service.js';

/** The audit context of a request: caller, address and request ids. */
export function auditContextOf(request: Request): AuditContext {
  const { caller, allowedAddress, id, callerId } = stateOf(request);
  return { caller, address: allowedAddress, requestId: id, callerRequestId: callerId };
}

/** Injects the audit context into a controller's method. */
export const CurrentAuditContext = createParamDecorator(
  (_: unknown, context: ExecutionContext): AuditContext =>
    auditContextOf(context.switchToHttp().getRequest<Request>()),
);
