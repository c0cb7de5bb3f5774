import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { TokenBuckets } from '../base/concurrency/token-buckets.js';
import { tooManyRequests } from '../base/errors/api-errors.js';
import { reason } from '../base/errors/reason.js';
import { callerOf } from './caller.js';

/**
 * Limits the calls of a service account in a minute, those on behalf of people included, and says in headers what is left
 * (docs/api-contract.md#service-accounts). Each process counts by itself.
 */
@Injectable()
export class CallLimitGuard implements CanActivate {
  private readonly buckets = new TokenBuckets();

  /** @throws ApiError 429 that says when the next call is possible */
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const caller = callerOf(http.getRequest<Request>());
    const perMinute = caller?.callsPerMinute ?? null;
    if (!caller || perMinute === null) return true;
    const spent = this.buckets.spend(caller.agent?.id ?? caller.id, 1, perMinute);
    const response = http.getResponse<Response>();
    response.setHeader('RateLimit-Limit', perMinute);
    response.setHeader('RateLimit-Remaining', Math.floor(spent.left));
    response.setHeader('RateLimit-Reset', Math.ceil(spent.reset));
    if (spent.wait !== undefined)
      throw tooManyRequests(spent.wait, reason('too-many-calls', { max: perMinute }));
    return true;
  }
}
