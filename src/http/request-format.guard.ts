import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { invalid, invalidField, notAcceptable } from '../base/errors/api-errors.js';
import { excludes } from './accept.js';
import { hasBody, parseBody } from './body-parser.js';
import { parameterFaults, queryOf } from './query-string.js';
import { JSON_PATCH_TYPE, JSON_TYPE } from './route-facts.js';
import { reason } from '../base/errors/reason.js';

export const PRODUCES = 'produces';
export const QUERY = 'query';
const REPEATABLE = 'repeatable-parameters';
export const ANY_CONTENT = 'anyContent';

const CONDITIONS = ['If-Match', 'If-None-Match'];

/** Marks a route whose answer is not JSON. */
export const Produces = (...mediaTypes: string[]) => SetMetadata(PRODUCES, mediaTypes);

/** Marks a route whose answer is not negotiated: clients request pictures with any Accept header. */
export const AnyAccept = () => Produces();

/** Lists the query parameters of a route of the main API; without this decorator it accepts none. */
export const KnownParameters = (...names: string[]) => SetMetadata(QUERY, names);

/** Names those of @KnownParameters that a request may repeat. */
export const RepeatableParameters = (...names: string[]) => SetMetadata(REPEATABLE, names);

/** Marks a route that reads all query parameters itself (lists) or ignores unknown ones (portals). */
export const AnyParameters = () => SetMetadata(QUERY, 'any');

/** Marks a route whose answer does not depend on the format of the request: unknown routes, probes. */
export const AnyContent = () => SetMetadata(ANY_CONTENT, true);

/**
 * The last guard, which checks the format of the request. It throws 406 for an Accept header that excludes
 * the answer, 400 for unknown query parameters and conditions that do not apply, and the error of the body (400, 403, 413, 415), which it
 * parses: before it, a guest could make the server do so.
 */
@Injectable()
export class RequestFormatGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(ANY_CONTENT, targets)) return true;
    const produces = this.reflector.getAllAndOverride<string[] | undefined>(PRODUCES, targets);
    checkAccept(request, produces ?? [JSON_TYPE]);
    const known = this.reflector.getAllAndOverride<string[] | 'any' | undefined>(QUERY, targets);
    const repeatable = this.reflector.getAllAndOverride<string[] | undefined>(REPEATABLE, targets);
    if (known !== 'any') {
      const bad = parameterFaults(queryOf(request), known ?? [], repeatable);
      if (bad.length > 0) throw invalid(bad);
    }
    if (request.method === 'POST') requireNoCondition(request);
    parseBody(request);
    if (request.method === 'PATCH' && !hasBody(request))
      throw invalidField('body', reason('missing-patch'));
    return true;
  }
}

/** A POST creates or acts, so there is no state to compare. */
function requireNoCondition({ headers, method }: Request): void {
  const given = CONDITIONS.filter((name) => headers[name.toLowerCase()] !== undefined);
  if (given.length > 0)
    throw invalid(
      given.map((name) => ({ name, reason: reason('unconditional-method', { method }) })),
    );
}

function checkAccept(request: Request, produces: string[]): void {
  const accept = request.headers.accept;
  const offered = request.method === 'PATCH' ? [JSON_PATCH_TYPE, ...produces] : produces;
  if (excludes(accept, offered)) throw notAcceptable(offered);
}
