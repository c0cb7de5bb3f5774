import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { Config } from '../base/config/config.js';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { fixedBody } from '../resources/openapi/fixed-body.js';
import { PREFER_RENEWAL } from '../resources/openapi/parameters.js';
import { CALLER_SESSION, PASSKEY_REQUEST_OPTIONS, TOKEN } from './authentication.schemas.js';
import type { IssuedToken } from './credentials/issue-tokens.js';
import { Passkeys } from './credentials/passkeys.service.js';
import { USERS_URI } from '../http/route-facts.js';
import { presentRef, type Ref } from '../resources/ref.js';
import type { AuditContext } from '../security/audit.service.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { CurrentAuditContext } from '../security/audit-context.js';
import { Access } from '../security/access.guard.js';
import { canConfirm } from '../security/recent-proof.js';
import { Public, ToAddSecondStep } from '../security/permission.guard.js';
import { ConfirmationDto, CredentialsDto } from './credentials.dto.js';
import { Unlimited } from '../security/write-limit.guard.js';
import { CredentialsGuard } from './credentials.guard.js';
import { PasskeyDto } from './passkey.dto.js';
import { ProofBodyPipe } from './proof-body.pipe.js';
import { clearSessionCookie, RENEWAL, setSessionCookie } from './session-cookie.js';
import { type SignedIn, SignInService } from './sign-in.service.js';

/** The session behind a token (docs/api-contract.md#session). */
interface Session {
  /** Its id in the list of sessions. */
  id: string;
  user: Ref;
  expiration: string;
  administrator: boolean;
}

@Controller('api/v2/authentication')
export class AuthenticationController {
  private readonly basePath: string;

  constructor(
    private readonly signIn: SignInService,
    private readonly passkeys: Passkeys,
    config: Config,
  ) {
    this.basePath = config.env.BASE_PATH;
  }

  /** Issues a token (docs/api-contract.md#sign-in); the credential itself selects the variant. */
  @ApiOperation({
    operationId: 'signIn',
    tag: 'Authentication',
    summary: 'Sign in',
    description:
      'With login and password, with a passkey, with login and API key, or with a bearer token of the identity provider and no body. With the header `Prefer: renewal`, a page of this server also gets the cookie of a session that stays signed in.',
    body: { anyOf: [fixedBody(CredentialsDto), fixedBody(PasskeyDto)] },
    parameters: [PREFER_RENEWAL],
    takesBearer: true,
    answer: TOKEN,
    setsCookie: true,
    appliesPreference: true,
    errors: [401],
  })
  @Post()
  @HttpCode(200)
  @Public()
  @UseGuards(CredentialsGuard)
  authenticate(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): IssuedToken {
    const { token, cookie } = request.user as SignedIn;
    if (cookie) {
      setSessionCookie(request, response, this.basePath, cookie);
      response.setHeader('Preference-Applied', RENEWAL);
    }
    return token;
  }

  /** Needs no login, so that it tells nothing about accounts. */
  @ApiOperation({
    operationId: 'requestPasskey',
    tag: 'Authentication',
    summary: 'Make the options with which a browser asks for a passkey',
    description:
      'For `PublicKeyCredential.parseRequestOptionsFromJSON`. The passkey answers the challenge once, within five minutes.',
    answer: PASSKEY_REQUEST_OPTIONS,
    errors: [409],
  })
  @Post('passkey')
  @Public()
  @HttpCode(200)
  passkeyOptions(): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return this.passkeys.requestOptions();
  }

  @ApiOperation({
    operationId: 'getSession',
    tag: 'Authentication',
    summary: 'Get the session behind the token',
    answer: CALLER_SESSION,
  })
  @Get()
  @ToAddSecondStep()
  session(@CurrentCaller() caller: Caller): Session {
    const { id, login, title, expiration, rights, browserSessionId, tokenId } = caller;
    const user = presentRef({ uri: USERS_URI }, id, login, title);
    return {
      id: browserSessionId ?? tokenId,
      user,
      expiration,
      administrator: rights.areOfAdministrator,
    };
  }

  /** Confirms the caller's own password or passkey, which counts as a recent proof for this session (security/recent-proof). */
  @ApiOperation({
    operationId: 'confirmPassword',
    tag: 'Authentication',
    summary:
      'Confirm your own password, or a passkey, so that the session may create credentials for five minutes',
    body: { anyOf: [fixedBody(ConfirmationDto), fixedBody(PasskeyDto)] },
  })
  @Post('confirmation')
  @Access(canConfirm)
  @ToAddSecondStep()
  @HttpCode(204)
  async confirm(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Body(new ProofBodyPipe(ConfirmationDto)) proof: ConfirmationDto | PasskeyDto,
  ): Promise<void> {
    if (proof instanceof PasskeyDto)
      await this.signIn.confirmByPasskey(caller, proof.passkey, auditContext);
    else await this.signIn.confirm(caller, proof, auditContext);
  }

  @ApiOperation({
    operationId: 'signOut',
    tag: 'Authentication',
    summary: 'Sign out and end the session immediately',
    setsCookie: true,
  })
  @Delete()
  @ToAddSecondStep()
  @Unlimited()
  @HttpCode(204)
  async signOut(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.signIn.signOut(caller, auditContext);
    if (caller.browserSessionId !== null) clearSessionCookie(request, response, this.basePath);
  }
}
