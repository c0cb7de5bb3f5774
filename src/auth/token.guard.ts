import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { TokensService } from '../credentials/tokens.service.js';
import { unauthenticated } from '../errors/api-errors.js';
import { type Caller, stateOf } from '../http/request-state.js';
import { answersFromMemory } from '../journal/from-memory.js';
import { ReadBarrier } from '../journal/read-barrier.js';
import { IpAllowlistGuard } from '../security/ip-allowlist.guard.js';
import { ParametersService } from '../security/parameters/parameters.service.js';
import { isPublic } from '../security/roles.guard.js';
import { presentedToken } from './presented-token.js';

/**
 * Closed by default: a route without @Public() needs a valid token, in the header X-AUTHENTICATION-KEY or,
 * below /navigation/, in the query.
 */
@Injectable()
export class TokenGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: TokensService,
    private readonly parameters: ParametersService,
    private readonly barrier: ReadBarrier,
    private readonly allowlist: IpAllowlistGuard,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (isPublic(this.reflector, context)) return true;
    const request = context.switchToHttp().getRequest<Request>();
    if (!answersFromMemory(this.reflector, context)) await this.check(request);
    else {
      const passed = await this.barrier.pass();
      stateOf(request).hasPassedBarrier = passed;
      // Then the caller is not remembered from before the request either.
      await this.check(request, { fresh: !passed });
    }
    return true;
  }

  /**
   * Whether the token of a request is valid now: before the request, and again after a long wait.
   * @param fresh whether the database is asked in any case
   * @throws ApiError 401
   */
  async check(request: Request, { fresh = false } = {}): Promise<void> {
    const caller = await this.find(request, fresh);
    if (!caller) throw unauthenticated();
    const state = stateOf(request);
    const address = state.allowedAddress ?? '';
    if (caller.keyAddresses?.has(address) === false) throw unauthenticated();
    if (caller.sysadmin) {
      const { sysadminAddresses } = await this.parameters.current();
      if (!sysadminAddresses.has(address)) throw unauthenticated();
    }
    state.caller = caller;
    state.checkAgain = async () => {
      await this.allowlist.check(request);
      await this.check(request);
    };
  }

  /** Whether a request has a valid token, and nothing else: the body of a photo is read only if it has. */
  async isSignedIn(request: Request): Promise<boolean> {
    return (await this.find(request)) !== undefined;
  }

  private async find(request: Request, fresh = false): Promise<Caller | undefined> {
    const token = presentedToken(request);
    return token === undefined ? undefined : this.tokens.find(token, { fresh });
  }
}
