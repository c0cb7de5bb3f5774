import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { TokensService } from './credentials/tokens.service.js';
import { forbidden, unauthenticated } from '../base/errors/api-errors.js';
import { reason } from '../base/errors/reason.js';
import { type Caller, stateOf } from '../http/request-state.js';
import { answersFromMemory } from '../journal/from-memory.js';
import { ReadBarrier } from '../journal/read-barrier.js';
import { auditContextOf } from '../security/audit-context.js';
import { IpAllowlistGuard } from '../security/ip-allowlist.guard.js';
import { ParametersService } from '../security/parameters/parameters.service.js';
import { isPublic, isToAddSecondStep } from '../security/permission.guard.js';
import { isApiKey } from './credentials/api-keys.service.js';
import { KeySessions } from './key-sessions.service.js';
import { presentedToken } from './presented-token.js';

/**
 * Closed by default: a route without @Public() needs a valid token, in the header X-AUTHENTICATION-KEY or Authorization
 * or, below /navigation/, in the query.
 */
@Injectable()
export class TokenGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: TokensService,
    private readonly parameters: ParametersService,
    private readonly barrier: ReadBarrier,
    private readonly allowlist: IpAllowlistGuard,
    private readonly keySessions: KeySessions,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (isPublic(this.reflector, context)) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const toAddSecondStep = isToAddSecondStep(this.reflector, context);
    if (!answersFromMemory(this.reflector, context)) await this.check(request, { toAddSecondStep });
    else {
      const passed = await this.barrier.pass();
      stateOf(request).hasPassedBarrier = passed;
      // Without the barrier, a cached caller could be older than the request.
      await this.check(request, { fresh: !passed, toAddSecondStep });
    }
    return true;
  }

  /**
   * Checks whether the token of a request is valid, before the request and again after a long wait.
   * @param fresh whether to bypass the cache
   * @param toAddSecondStep whether the route is open to people who have to add a second step first
   * @throws ApiError 401; 403 for a person who has to add a second step first
   */
  async check(request: Request, { fresh = false, toAddSecondStep = false } = {}): Promise<void> {
    const state = stateOf(request);
    const caller = await this.find(request, { fresh });
    if (!caller) throw unauthenticated();
    if (caller.addsSecondStep && !toAddSecondStep) throw forbidden(reason('second-step-missing'));
    state.caller = caller;
    state.checkAgain = async () => {
      await this.allowlist.check(request);
      await this.check(request, { toAddSecondStep });
    };
  }

  /** The caller of a request; undefined without a valid token, or from an address that the account may not use. */
  async find(request: Request, { fresh = false } = {}): Promise<Caller | undefined> {
    const token = presentedToken(request);
    const takesKey = stateOf(request).facts.isScim && token !== undefined && isApiKey(token);
    const caller = takesKey
      ? await this.keySessions.callerOf(token, auditContextOf(request), { fresh })
      : token === undefined
        ? undefined
        : await this.tokens.find(token, { fresh });
    const address = stateOf(request).allowedAddress ?? '';
    if (caller?.keyAddresses?.has(address) === false) return undefined;
    if (caller?.sysadmin !== true) return caller;
    const { sysadminAddresses } = await this.parameters.current();
    return sysadminAddresses.has(address) ? caller : undefined;
  }
}
