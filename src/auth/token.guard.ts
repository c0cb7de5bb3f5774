import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { TokensService } from '../credentials/tokens.service.js';
import { unauthenticated } from '../errors/refusals.js';
import { queryOf } from '../negotiation/query-string.js';
import { setCaller } from '../security/caller.js';
import { originOf } from '../security/origin.js';
import { ParametersService } from '../security/parameters.service.js';
import { isPublic } from '../security/roles.guard.js';

const HEADER = 'x-authentication-key';
const PARAMETER = '_AuthenticationKey';

/** Only these take the token in the query (interface: Authentication). */
const NAVIGATION = /^\/navigation(\/|$)/;

/**
 * Closed by default: a route without @Public() needs a valid token. Main API: the header
 * X-AUTHENTICATION-KEY alone; navigation and search: the query or the header.
 */
@Injectable()
export class TokenGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: TokensService,
    private readonly parameters: ParametersService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (isPublic(this.reflector, context)) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const token = tokenOf(request);
    const caller = token === undefined ? undefined : await this.tokens.find(token);
    if (!caller) throw unauthenticated();
    const address = originOf(request).address ?? '';
    if (caller.keyAddresses?.has(address) === false) throw unauthenticated();
    if (caller.sysadmin) {
      const { sysadminAddresses } = await this.parameters.current();
      if (!sysadminAddresses.has(address)) throw unauthenticated();
    }
    setCaller(request, caller);
    return true;
  }
}

/** The one token of a request. Several headers of one name, or two different tokens, are none. */
function tokenOf(request: Request): string | undefined {
  const given = [...(request.headersDistinct[HEADER] ?? [])];
  if (NAVIGATION.test(request.path)) {
    const values = queryOf(request).get(PARAMETER) ?? [];
    if (values.length > 1) return undefined;
    given.push(...values);
  }
  return new Set(given).size === 1 && (request.headersDistinct[HEADER]?.length ?? 0) <= 1
    ? given[0]
    : undefined;
}
