import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { TokensService } from '../credentials/tokens.service.js';
import { unauthenticated } from '../errors/refusals.js';
import { portalQueryOf, TOKEN_HEADER, TOKEN_PARAMETER } from '../negotiation/query-string.js';
import { setCaller } from '../security/caller.js';
import { originOf } from '../security/origin.js';
import { ParametersService } from '../security/parameters.service.js';
import { isPublic } from '../security/roles.guard.js';

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

/** The one token of a request: blanks count as not given, and two that differ are none. */
function tokenOf(request: Request): string | undefined {
  const given = [...(request.headersDistinct[TOKEN_HEADER] ?? [])];
  if (NAVIGATION.test(request.path)) {
    const query = portalQueryOf(request, [TOKEN_PARAMETER]);
    given.push(...(query.get(TOKEN_PARAMETER) ?? []));
  }
  const [token, ...others] = new Set(given.filter((value) => value.trim() !== ''));
  return others.length === 0 ? token : undefined;
}
