import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { invalidField } from '../base/errors/api-errors.js';
import { queryOf } from '../http/query-string.js';
import { ParameterWriterService } from '../security/parameters/parameter-writer.service.js';
import { reason } from '../base/errors/reason.js';

/**
 * Checks the key and the query of a change before the body.
 * @throws ApiError 404, 400 naming `force`
 */
@Injectable()
export class ParameterChangeGuard implements CanActivate {
  constructor(private readonly parameters: ParameterWriterService) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request<{ key: string }>>();
    this.parameters.definitionOf(request.params.key);
    forceOf(request);
    return true;
  }
}

/**
 * Whether a change may lock out its author, or all users except sysadmin.
 * @throws ApiError 400 naming `force`
 */
export function forceOf(request: Request): boolean {
  const [force = 'false'] = queryOf(request).get('force') ?? [];
  if (force !== 'true' && force !== 'false') throw invalidField('force', reason('not-a-boolean'));
  return force === 'true';
}
