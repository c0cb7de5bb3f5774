import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { TokenBuckets } from '../base/concurrency/token-buckets.js';
import { tooManyRequests } from '../base/errors/api-errors.js';
import { bodyOf } from '../http/body-parser.js';
import { stateOf } from '../http/request-state.js';
import { callerOf } from './caller.js';
import { ParametersService } from './parameters/parameters.service.js';
import { reason } from '../base/errors/reason.js';

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
export const UNLIMITED = 'unlimited';
const WRITES_OF = 'writesOf';

/** Marks a write that must always be possible, such as signing out. */
export const Unlimited = () => SetMetadata(UNLIMITED, true);

/** Marks a call that writes more than once. @param count the writes of a body, as it was sent */
export const Writes = (count: (body: unknown) => number) => SetMetadata(WRITES_OF, count);

/**
 * Limits the writes of one caller with a token bucket: each write costs a transaction and a line of the audit
 * trail, which is kept for a year by default. The bucket holds the writes of a minute and refills evenly. Administrators
 * and process engines synchronize directories and tasks, and are exempt.
 */
@Injectable()
export class WriteLimitGuard implements CanActivate {
  private readonly buckets = new TokenBuckets();

  constructor(
    private readonly reflector: Reflector,
    private readonly parameters: ParametersService,
  ) {}

  /** @throws ApiError 429 that says when the next write is possible */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const caller = callerOf(request);
    // Clients of SCIM give up a synchronization that is throttled.
    if (!caller || caller.rights.permits('limits:exceed') || stateOf(request).facts.isScim)
      return true;
    if (!WRITES.has(request.method)) return true;
    if (this.reflector.get<boolean | undefined>(UNLIMITED, context.getHandler())) return true;
    const count = this.reflector.get<((body: unknown) => number) | undefined>(
      WRITES_OF,
      context.getHandler(),
    );
    const perMinute = (await this.parameters.current()).number('writeRate');
    const { wait } = this.buckets.spend(caller.id, count?.(bodyOf(request)) ?? 1, perMinute);
    if (wait !== undefined)
      throw tooManyRequests(wait, reason('too-many-writes', { max: perMinute }));
    return true;
  }
}
