import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { invalidField, unauthenticated } from '../errors/api-errors.js';
import { queryOf } from '../http/query-string.js';
import { callerOf } from '../security/caller.js';
import { requireRecentProof } from '../security/recent-proof.js';
import { ParameterWriterService } from '../security/parameters/parameter-writer.service.js';

/**
 * Decides what comes before the body of a change: a recent proof, for parameters decide who gets in and
 * outlive the session that sets them; the key; the query.
 * @throws ApiError 403, 404, 400 naming `force`
 */
@Injectable()
export class ParameterChangeGuard implements CanActivate {
  constructor(private readonly parameters: ParameterWriterService) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request<{ key: string }>>();
    const caller = callerOf(request);
    if (!caller) throw unauthenticated();
    requireRecentProof(caller);
    this.parameters.definitionOf(request.params.key);
    forceOf(request);
    return true;
  }
}

/**
 * Whether a change of an address rule may lock out its author.
 * @throws ApiError 400 naming `force`
 */
export function forceOf(request: Request): boolean {
  const [force = 'false'] = queryOf(request).get('force') ?? [];
  if (force !== 'true' && force !== 'false') throw invalidField('force', 'expected true or false');
  return force === 'true';
}
