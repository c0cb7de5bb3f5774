import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Config } from '../base/config/config.js';
import { ApiError } from '../base/errors/api-errors.js';
import { reason } from '../base/errors/reason.js';
import { stateOf } from '../http/request-state.js';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { CurrentAuditContext } from '../security/audit-context.js';
import type { AuditContext } from '../security/audit.service.js';
import { Public } from '../security/permission.guard.js';
import { BACKCHANNEL_LOGOUT, OAUTH_ERROR } from './authentication.schemas.js';
import { SignInLimits } from './credentials/sign-in-limits.service.js';
import { LogoutTokenVerifier } from './logout-token-verifier.service.js';
import { providerActor } from './provider-actor.js';
import { ProviderLogouts } from './provider-logouts.service.js';
import { BadToken, type TokenFault } from './token-fault.js';

/** An error as OAuth presents it (RFC 6749 section 5.2). */
interface OAuthError {
  error: string;
  error_description: string;
}

const INVALID: OAuthError = {
  error: 'invalid_request',
  error_description: 'The logout token is missing or invalid',
};

/** Learns from the identity provider who has signed out there (docs/api-contract.md#back-channel-logout). */
@Controller('api/v2/authentication/backchannel-logout')
export class BackchannelLogoutController {
  private readonly actor: string;

  constructor(
    private readonly verifier: LogoutTokenVerifier,
    private readonly logouts: ProviderLogouts,
    private readonly limits: SignInLimits,
    config: Config,
  ) {
    this.actor = providerActor(config);
  }

  @ApiOperation({
    operationId: 'backchannelLogout',
    tag: 'Authentication',
    summary: 'End the sessions of a person who has signed out at the identity provider',
    description:
      'For the identity provider (OpenID Connect Back-Channel Logout 1.0). It sends a signed logout token; its address must be on the IP allowlist.',
    body: BACKCHANNEL_LOGOUT,
    badRequest: OAUTH_ERROR,
  })
  @Post()
  @HttpCode(200)
  @Public()
  async logOut(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CurrentAuditContext() auditContext: AuditContext,
    @Body() body: Buffer | undefined,
  ): Promise<OAuthError | undefined> {
    const { address = '' } = auditContext;
    this.limits.refuseExceeded(address);
    const fault = await this.faultOf(body, auditContext);
    if (fault === undefined) return undefined;
    await this.limits.count(undefined, address);
    stateOf(request).error = badLogout(fault);
    response.status(400);
    return INVALID;
  }

  private async faultOf(
    body: Buffer | undefined,
    auditContext: AuditContext,
  ): Promise<TokenFault | 'used before' | undefined> {
    const [token, ...others] = new URLSearchParams(body?.toString('latin1')).getAll('logout_token');
    if (token === undefined || others.length > 0) return 'format';
    try {
      const logout = await this.verifier.verify(token);
      const isNew = await this.logouts.end(logout, {
        ...auditContext,
        actor: this.actor,
      });
      return isNew ? undefined : 'used before';
    } catch (error) {
      if (error instanceof BadToken) return error.fault;
      throw error;
    }
  }
}

/** 400 for a logout token. The answer says no reason; log and audit trail do. */
const badLogout = (fault: string): ApiError =>
  new ApiError(400, reason('bad-credentials'), {}, {}, { reason: `logout token: ${fault}` });
