import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { FixedBodyPipe } from '../http/fixed-body.pipe.js';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { CurrentAuditContext } from '../security/audit-context.js';
import type { AuditContext } from '../security/audit.service.js';
import { Public } from '../security/permission.guard.js';
import { PasswordResetDto } from './account.dto.js';
import { PASSWORD_RESET_REQUESTED } from './account.schemas.js';
import { PasswordResetsService, RESET_MINUTES } from './password-resets.service.js';

/** Requests for a new password by people who have forgotten theirs; the IP allowlist applies. */
@Controller('api/v2/authentication/password-reset')
export class PasswordResetsController {
  constructor(private readonly passwordResets: PasswordResetsService) {}

  /** 202 for every login, known or not. */
  @ApiOperation({
    operationId: 'requestPasswordReset',
    tag: 'Authentication',
    summary: 'Ask for a mail with a one-time code for a new password',
    description:
      'The answer is the same for every login. 404 where the server sends no mail, or passwords are switched off. The code is used like that of an invitation.',
    answer: PASSWORD_RESET_REQUESTED,
    errors: [404, 429],
  })
  @Post()
  @Public()
  @HttpCode(202)
  async request(
    @CurrentAuditContext() auditContext: AuditContext,
    @Body(FixedBodyPipe) { login }: PasswordResetDto,
  ): Promise<{ minutes: number }> {
    await this.passwordResets.request(auditContext, login);
    return { minutes: RESET_MINUTES };
  }
}
