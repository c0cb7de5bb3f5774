import { Controller, Delete, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import {
  type SecondStepReset,
  SecondStepResets,
} from '../auth/credentials/second-step-resets.service.js';
import { forbidden } from '../base/errors/api-errors.js';
import { reason } from '../base/errors/reason.js';
import { namesInPath } from '../resources/http/resource.controller.js';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { presentRef, type Ref } from '../resources/ref.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { Access, type AccessRule, asking } from '../security/access.guard.js';
import { CurrentAuditContext } from '../security/audit-context.js';
import type { AuditContext } from '../security/audit.service.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { RecentProofGuard } from '../security/recent-proof.guard.js';
import { managesAccount } from './manages-account.js';
import { SECOND_STEP_RESET } from './second-step.schemas.js';
import { users } from './user.resource.js';

const PERMISSION = 'users:reset-second-step';

/** The access rule of a reset: people who still have their second step remove it themselves. */
const resetsSecondStep: AccessRule<{ reader: ResourceReader }> = asking(
  PERMISSION,
  async (controller, caller, parameters) => {
    await managesAccount(PERMISSION)(controller, caller, parameters);
    if (caller.id === parameters.id) throw forbidden(reason('reset-by-others'));
  },
);

/** A reset as it is answered. */
interface SecondStepResetAnswer extends Omit<SecondStepReset, 'requester'> {
  requester: Ref;
}

const represent = ({ requester, ...dates }: SecondStepReset): SecondStepResetAnswer => ({
  requester: presentRef(users.ref, requester.id, requester.login, requester.title),
  ...dates,
});

/** The reset of a second step that its owner has lost: one person asks for it, another one confirms it. */
@Controller('api/v2/directory/users/:id/second-step-reset')
@namesInPath({ id: users })
export class SecondStepResetsController {
  constructor(
    readonly reader: ResourceReader,
    private readonly resets: SecondStepResets,
  ) {}

  @ApiOperation({
    operationId: 'getSecondStepReset',
    tag: 'Users',
    summary: 'Get the reset of a second step that waits for its confirmation',
    answer: SECOND_STEP_RESET,
  })
  @Get()
  @Access(resetsSecondStep)
  async get(@Param('id') id: string): Promise<SecondStepResetAnswer> {
    return represent(await this.resets.get(id));
  }

  @ApiOperation({
    operationId: 'requestSecondStepReset',
    tag: 'Users',
    summary: 'Ask for the reset of a lost second step, which another person confirms',
    answer: SECOND_STEP_RESET,
    errors: [409],
  })
  @Post()
  @Access(resetsSecondStep)
  @UseGuards(RecentProofGuard)
  @HttpCode(202)
  async request(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
  ): Promise<SecondStepResetAnswer> {
    return represent(await this.resets.request(caller.id, auditContext, id));
  }

  @ApiOperation({
    operationId: 'confirmSecondStepReset',
    tag: 'Users',
    summary: 'Remove the second steps of a user for whom another person has asked',
    description: 'Ends the sessions of the user.',
    errors: [409],
  })
  @Post('confirmation')
  @Access(resetsSecondStep)
  @UseGuards(RecentProofGuard)
  @HttpCode(204)
  confirm(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
  ): Promise<void> {
    return this.resets.confirm(caller.id, auditContext, id);
  }

  /** 204 also when no reset is open. */
  @ApiOperation({
    operationId: 'withdrawSecondStepReset',
    tag: 'Users',
    summary: 'Withdraw or reject the reset of a second step',
  })
  @Delete()
  @Access(resetsSecondStep)
  @HttpCode(204)
  withdraw(
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
  ): Promise<void> {
    return this.resets.withdraw(auditContext, id);
  }
}
