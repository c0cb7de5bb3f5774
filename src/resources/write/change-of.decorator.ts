import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { auditContextOf } from '../../security/audit-context.js';
import { requireCaller } from '../../security/caller.js';
import type { Resource } from '../resource.js';
import type { Change } from './pending-write.js';

/** The change that a request asks for: who, from where, which row, under which condition. */
export const ChangeOf = createParamDecorator(
  (resource: Resource, context: ExecutionContext): Change => {
    const request = context.switchToHttp().getRequest<Request<{ id?: string }>>();
    return {
      resource,
      caller: requireCaller(request),
      auditContext: auditContextOf(request),
      id: request.params.id,
      ifMatch: request.headers['if-match'],
    };
  },
);
