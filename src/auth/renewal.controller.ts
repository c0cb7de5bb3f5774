import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Config } from '../base/config/config.js';
import type { IssuedToken } from './credentials/issue-tokens.js';
import { ApiError, forbidden } from '../base/errors/api-errors.js';
import { ownOrigin } from '../http/same-origin.js';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { CurrentAuditContext } from '../security/audit-context.js';
import type { AuditContext } from '../security/audit.service.js';
import { Public } from '../security/permission.guard.js';
import { TOKEN } from './authentication.schemas.js';
import { RenewalService } from './renewal.service.js';
import { clearSessionCookie, cookieOf, RENEWAL_PATH, setSessionCookie } from './session-cookie.js';
import { reason } from '../base/errors/reason.js';

/** Gives a new token to a tab of a browser that is signed in (docs/api-contract.md#renewal). */
@Controller(RENEWAL_PATH)
export class RenewalController {
  private readonly basePath: string;

  constructor(
    private readonly renewals: RenewalService,
    config: Config,
  ) {
    this.basePath = config.env.BASE_PATH;
  }

  @ApiOperation({
    operationId: 'renewSession',
    tag: 'Authentication',
    summary: 'Get a new token for the browser session of the cookie',
    description:
      'For pages of this server, whose sign-in sent `Prefer: renewal`. The request carries the cookie and the `Origin` of this server. The answer replaces the cookie; a 401 deletes it.',
    answer: TOKEN,
    takesCookie: true,
    setsCookie: true,
    errors: [401, 429],
  })
  @Post()
  @HttpCode(200)
  @Public()
  async renew(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CurrentAuditContext() auditContext: AuditContext,
  ): Promise<IssuedToken> {
    if (!ownOrigin(request)) throw forbidden(reason('other-origin'));
    try {
      const { token, cookie } = await this.renewals.renew(
        cookieOf(request, this.basePath),
        auditContext,
      );
      setSessionCookie(request, response, this.basePath, cookie);
      return token;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401)
        clearSessionCookie(request, response, this.basePath);
      throw error;
    }
  }
}
