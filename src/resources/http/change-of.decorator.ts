import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { auditContextOf } from '../../security/audit-context.js';
import { requireCaller } from '../../security/caller.js';
import type { Resource } from '../resource.js';
import type { Change } from '../write/pending-write.js';

/** Injects the change that a request asks for: the caller, their address, the row and the conditions. */
export const ChangeOf = createParamDecorator(
  (resource: Resource, context: ExecutionContext): Change => {
    const request = context.switchToHttp().getRequest<Request<{ id?: string }>>();
    return {
      resource,
      caller: requireCaller(request),
      auditContext: auditContextOf(request),
      id: request.params.id,
      ifMatch: request.headers['if-match'],
      ifNoneMatch: request.headers['if-none-match'],
      idempotencyKey: request.get('idempotency-key'),
    };
  },
);
