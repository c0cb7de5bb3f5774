import { RequirePermission } from '../security/permission.guard.js';
import { Body, Controller, Delete, Get, HttpCode, Param, Put, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { notFound } from '../base/errors/api-errors.js';
import { AnyParameters } from '../http/request-format.guard.js';
import { FixedBodyPipe } from '../http/fixed-body.pipe.js';
import { answerList } from '../resources/http/answer-list.js';
import { List } from '../resources/http/list.pipe.js';
import { type ListPlan, within } from '../resources/list/plan-list.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { IdPipe } from '../resources/http/id.pipe.js';
import type { AuditContext } from '../security/audit.service.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { CurrentAuditContext } from '../security/audit-context.js';
import { Access } from '../security/access.guard.js';
import { PasswordChangeDto } from './account.dto.js';
import { AccountService } from './account.service.js';
import { managesAccount, setsPassword } from './manages-account.js';
import { sessions } from './session.resource.js';
import { users } from './user.resource.js';
import { namesInPath } from '../resources/http/resource.controller.js';

/** Password, sessions and lock of a user (docs/api-contract.md#accounts). */
@Controller('api/v2/directory/users/:id')
@namesInPath({ id: users })
export class AccountController {
  constructor(
    readonly reader: ResourceReader,
    private readonly account: AccountService,
  ) {}

  @ApiOperation({
    operationId: 'changePassword',
    tag: 'Users',
    summary: 'Set the password of a user',
    description:
      'Ends the other sessions of the user; a reset by an administrator also deletes the API keys and unbinds the identities.',
  })
  @Put('password')
  @Access(setsPassword)
  @HttpCode(204)
  async changePassword(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
    @Body(FixedBodyPipe) change: PasswordChangeDto,
  ): Promise<void> {
    await this.account.changePassword(caller, auditContext, id, change);
  }

  @ApiOperation({
    operationId: 'listSessions',
    tag: 'Users',
    summary: 'List the sessions of a user',
    lists: sessions,
  })
  @Get('tokens')
  @Access(managesAccount('users:end-sessions'))
  @AnyParameters()
  sessions(
    @Param('id') id: string,
    @List(sessions) plan: ListPlan,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Record<string, unknown>[]> {
    return answerList(
      this.reader,
      within(plan, 't.user_id = :user AND t.expiration > now()', { user: id }),
      response,
    );
  }

  @ApiOperation({
    operationId: 'endSessions',
    tag: 'Users',
    summary: 'End all sessions of a user',
  })
  @Delete('tokens')
  @Access(managesAccount('users:end-sessions'))
  @HttpCode(204)
  async endAll(
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
  ): Promise<void> {
    await this.account.endSessions(auditContext, id);
  }

  @ApiOperation({
    operationId: 'endSession',
    tag: 'Users',
    summary: 'End one session of a user',
  })
  @Delete('tokens/:tokenId')
  @Access(managesAccount('users:end-sessions'))
  @HttpCode(204)
  async endOne(
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
    @Param('tokenId', IdPipe) tokenId: string,
  ): Promise<void> {
    if ((await this.account.endSessions(auditContext, id, tokenId)) === 0) throw notFound();
  }

  /** Unlocks an account that too many failed sign-ins have locked. */
  @ApiOperation({
    operationId: 'unlockUser',
    tag: 'Users',
    summary: 'Unlock an account after too many failed sign-ins',
  })
  @Delete('lock')
  @Access(managesAccount('users:unlock'))
  @RequirePermission('users:unlock', 'somewhere')
  @HttpCode(204)
  async unlock(
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
  ): Promise<void> {
    await this.account.unlock(auditContext, id);
  }
}
