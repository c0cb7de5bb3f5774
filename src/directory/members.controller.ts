import { Controller, Delete, Get, HttpCode, Param, Put, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { Database, type Transaction } from '../database/database.js';
import { notFound } from '../base/errors/api-errors.js';
import { FOREIGN_KEY_VIOLATION, sqlStateOf } from '../base/errors/database-errors.js';
import { AnyParameters } from '../http/request-format.guard.js';
import { answerList } from '../resources/http/answer-list.js';
import { List } from '../resources/http/list.pipe.js';
import { type ListPlan, within } from '../resources/list/plan-list.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { requireProvider } from '../resources/write/managed.js';
import { idIn, uriOf } from '../resources/uri.js';
import { type AuditAction, AuditService, type AuditContext } from '../security/audit.service.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { CurrentAuditContext } from '../security/audit-context.js';
import { RequirePermission } from '../security/permission.guard.js';
import { userUri } from '../security/user-uri.js';
import { groups } from './group.resource.js';
import { requireSysadmin } from './hand-out.js';
import { SYSADMIN } from './user.rules.js';
import { users } from './user.resource.js';
import { namesInPath } from '../resources/http/resource.controller.js';

/** The members of a group. They are a list with pages, because a group can be large. */
@Controller('api/v2/directory/groups/:id/members')
@namesInPath({ id: groups, userId: users })
export class MembersController {
  constructor(
    private readonly reader: ResourceReader,
    private readonly database: Database,
    private readonly audit: AuditService,
  ) {}

  @ApiOperation({
    operationId: 'listMembers',
    tag: 'Groups',
    summary: 'List the members of a group',
    lists: users,
  })
  @Get()
  @AnyParameters()
  async list(
    @Param('id') id: string,
    @List(users) plan: ListPlan,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Record<string, unknown>[]> {
    await this.reader.get(groups, plan.caller, id);
    const members =
      'EXISTS (SELECT 1 FROM group_members m WHERE m.user_id = t.id AND m.group_id = :group)';
    return answerList(this.reader, within(plan, members, { group: id }), response);
  }

  @ApiOperation({
    operationId: 'addMember',
    tag: 'Groups',
    summary: 'Add a user to a group',
  })
  @Put(':userId')
  @RequirePermission('groups:change')
  @HttpCode(204)
  add(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
    @Param('userId') userId: string,
  ): Promise<void> {
    return this.change(caller, auditContext, id, userId, {
      action: 'add-member',
      text: 'INSERT INTO group_members (group_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1',
    });
  }

  @ApiOperation({
    operationId: 'removeMember',
    tag: 'Groups',
    summary: 'Remove a user from a group',
    errors: [409],
  })
  @Delete(':userId')
  @RequirePermission('groups:change')
  @HttpCode(204)
  async remove(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
    @Param('userId') userId: string,
  ): Promise<void> {
    return this.change(caller, auditContext, id, userId, {
      action: 'remove-member',
      text: 'DELETE FROM group_members WHERE group_id = $1 AND user_id = $2 RETURNING 1',
    });
  }

  /** Changes the membership; only an actual change is audited. */
  private async change(
    caller: Caller,
    auditContext: AuditContext,
    id: string,
    userId: string,
    { action, text }: { action: AuditAction; text: string },
  ): Promise<void> {
    const member = idIn(userId, users.ref.uri);
    if (member === undefined) throw notFound();
    const work = async (transaction: Transaction): Promise<void> => {
      const group = await this.reader.get(groups, caller, id, transaction);
      requireProvider({ resource: groups }, group.representation, ['members']);
      const { representation } = await this.reader.get(users, caller, member, transaction);
      if (representation.reference === SYSADMIN) requireSysadmin(caller);
      const changed = await transaction.rows({ text, values: [id, member] });
      if (changed.length === 0) return;
      const objectUri = uriOf(groups.ref.uri, id);
      const after = { member: userUri(member) };
      await this.audit.record(transaction, auditContext, { action, objectUri, after });
    };
    try {
      await this.database.transaction(work);
    } catch (error) {
      // The group or the user was deleted meanwhile.
      if (sqlStateOf(error) === FOREIGN_KEY_VIOLATION) throw notFound();
      throw error;
    }
  }
}
