import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { TokensService } from '../credentials/tokens.service.js';
import { unauthenticated } from '../errors/api-errors.js';
import { setCaller } from '../security/caller.js';
import { auditContextOf } from '../security/audit-context.js';
import { ParametersService } from '../security/parameters.service.js';
import { isPublic } from '../security/roles.guard.js';
import { presentedToken } from './presented-token.js';

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
    const token = presentedToken(request);
    const caller = token === undefined ? undefined : await this.tokens.find(token);
    if (!caller) throw unauthenticated();
    const address = auditContextOf(request).address ?? '';
    if (caller.keyAddresses?.has(address) === false) throw unauthenticated();
    if (caller.sysadmin) {
      const { sysadminAddresses } = await this.parameters.current();
      if (!sysadminAddresses.has(address)) throw unauthenticated();
    }
    setCaller(request, caller);
    return true;
  }
}
