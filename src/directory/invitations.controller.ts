import { Body, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { FixedBodyPipe } from '../http/fixed-body.pipe.js';
import { Database } from '../database/database.js';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { listOf } from '../resources/openapi/schemas.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { idsOfLinks } from '../resources/write/resolve-links.js';
import { Access } from '../security/access.guard.js';
import { CurrentAuditContext } from '../security/audit-context.js';
import type { AuditContext } from '../security/audit.service.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { RequirePermission, Public } from '../security/permission.guard.js';
import { InvitationCheckDto, InvitationOrderDto, InvitationUseDto } from './account.dto.js';
import { CODE_HOLDER, INVITATION_RESULT, INVITATION } from './account.schemas.js';
import {
  type CodeHolder,
  type InvitationCode,
  type InvitationResult,
  InvitationsService,
} from './invitations.service.js';
import { managesAccount } from './manages-account.js';
import { users } from './user.resource.js';
import { namesInPath } from '../resources/http/resource.controller.js';

/** The open invitation of a user (docs/api-contract.md#accounts). */
@Controller('api/v2/directory/users/:id')
@namesInPath({ id: users })
export class UserInvitationController {
  constructor(
    readonly reader: ResourceReader,
    private readonly invitations: InvitationsService,
  ) {}

  @ApiOperation({
    operationId: 'createInvitation',
    tag: 'Users',
    summary: 'Create a one-time code with which a user sets a password',
    answer: INVITATION,
  })
  @Post('invitation')
  @Access(managesAccount('users:invite'))
  @RequirePermission('users:invite', 'somewhere')
  create(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
  ): Promise<InvitationCode> {
    return this.invitations.create(caller, auditContext, id);
  }

  /** 204 also when there is no open invitation. */
  @ApiOperation({
    operationId: 'deleteInvitation',
    tag: 'Users',
    summary: 'Revoke the open invitation of a user, if there is one',
  })
  @Delete('invitation')
  @Access(managesAccount('users:invite'))
  @HttpCode(204)
  async revoke(
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
  ): Promise<void> {
    await this.invitations.revoke(auditContext, id);
  }
}

/** Invites many users at once. */
@Controller('api/v2/directory/users/invitations')
export class InvitationOrdersController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly database: Database,
  ) {}

  @ApiOperation({
    operationId: 'createInvitations',
    tag: 'Users',
    summary: 'Create one-time codes for up to 500 users, by mail or as links to hand over',
    answer: listOf(INVITATION_RESULT),
  })
  @Post()
  @RequirePermission('users:invite')
  @HttpCode(200)
  async create(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Body(FixedBodyPipe) { users: links, delivery }: InvitationOrderDto,
  ): Promise<InvitationResult[]> {
    const ids = await idsOfLinks(users, 'users', links, { caller, reader: this.database });
    return this.invitations.createMany({ caller, auditContext, ids, delivery });
  }
}

/** Uses a one-time code. Needs no token, because an invited user has no password yet; the IP allowlist applies. */
@Controller('api/v2/directory/invitations')
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  @ApiOperation({
    operationId: 'useInvitation',
    tag: 'Users',
    summary: 'Set a password with a one-time code',
    errors: [409],
  })
  @Post()
  @Public()
  @HttpCode(204)
  async use(
    @CurrentAuditContext() auditContext: AuditContext,
    @Body(FixedBodyPipe) { code, password }: InvitationUseDto,
  ): Promise<void> {
    await this.invitations.use(auditContext, code, password);
  }

  @ApiOperation({
    operationId: 'checkInvitation',
    tag: 'Users',
    summary: 'Get the holder of a one-time code, which stays valid',
    answer: CODE_HOLDER,
    errors: [409],
  })
  @Post('check')
  @Public()
  @HttpCode(200)
  check(
    @CurrentAuditContext() auditContext: AuditContext,
    @Body(FixedBodyPipe) { code }: InvitationCheckDto,
  ): Promise<CodeHolder> {
    return this.invitations.check(auditContext, code);
  }
}
