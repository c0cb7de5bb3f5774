import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Post,
  Res,
  UseGuards,
} from '@nestjs/common';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import type { Response } from 'express';
import { Passkeys } from '../auth/credentials/passkeys.service.js';
import { NewPasskeyDto } from '../auth/passkey.dto.js';
import type { CodeSecret } from '../auth/credentials/one-time-code.js';
import { CONFIRMED, SecondSteps } from '../auth/credentials/second-steps.service.js';
import { notFound } from '../base/errors/api-errors.js';
import { FixedBodyPipe } from '../http/fixed-body.pipe.js';
import { AnyParameters } from '../http/request-format.guard.js';
import { answerList } from '../resources/http/answer-list.js';
import { IdPipe } from '../resources/http/id.pipe.js';
import { List } from '../resources/http/list.pipe.js';
import { namesInPath } from '../resources/http/resource.controller.js';
import { type ListPlan, within } from '../resources/list/plan-list.js';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { Access } from '../security/access.guard.js';
import { CurrentAuditContext } from '../security/audit-context.js';
import type { AuditContext } from '../security/audit.service.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { ToAddSecondStep } from '../security/permission.guard.js';
import { RecentProofGuard } from '../security/recent-proof.guard.js';
import { managesAccount, ownsAccount } from './manages-account.js';
import { SecondStepCodeDto } from './second-step.dto.js';
import { secondSteps } from './second-step.resource.js';
import {
  CODE_SECRET,
  CONFIRMED_SECOND_STEP,
  PASSKEY_CREATION_OPTIONS,
  RECOVERY_CODES,
} from './second-step.schemas.js';
import { users } from './user.resource.js';

/** The second steps of a user. People add and remove their own; administrators see whether there are any. */
@Controller('api/v2/directory/users/:id/second-steps')
@namesInPath({ id: users })
export class SecondStepsController {
  constructor(
    readonly reader: ResourceReader,
    private readonly steps: SecondSteps,
    private readonly passkeys: Passkeys,
  ) {}

  @ApiOperation({
    operationId: 'listSecondSteps',
    tag: 'Users',
    summary: 'List the second steps of a user',
    lists: secondSteps,
  })
  @Get()
  @Access(managesAccount('users:set-credentials'))
  @ToAddSecondStep()
  @AnyParameters()
  list(
    @Param('id') id: string,
    @List(secondSteps) plan: ListPlan,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Record<string, unknown>[]> {
    return answerList(
      this.reader,
      within(plan, `t.user_id = :user AND t.${CONFIRMED}`, { user: id }),
      response,
    );
  }

  /** A second step outlives the session, so it requires a recent proof. */
  @ApiOperation({
    operationId: 'addAuthenticatorApp',
    tag: 'Users',
    summary: 'Make the secret of an authenticator app; only this response shows it',
    description:
      'The app is a second step once one of its codes has confirmed it. It then replaces the app so far.',
    answer: CODE_SECRET,
    errors: [409],
  })
  @Post('authenticator-app')
  @Access(ownsAccount)
  @ToAddSecondStep()
  @UseGuards(RecentProofGuard)
  begin(@CurrentCaller() caller: Caller): Promise<CodeSecret> {
    return this.steps.begin(caller);
  }

  @ApiOperation({
    operationId: 'confirmAuthenticatorApp',
    tag: 'Users',
    summary: 'Confirm an authenticator app by a code, and get recovery codes with the first one',
    description: 'Ends the other sessions of the user.',
    answer: CONFIRMED_SECOND_STEP,
  })
  @Post('authenticator-app/confirmation')
  @Access(ownsAccount)
  @ToAddSecondStep()
  @UseGuards(RecentProofGuard)
  @HttpCode(200)
  async confirm(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Body(FixedBodyPipe) { code }: SecondStepCodeDto,
  ): Promise<{ recoveryCodes: string[] | null }> {
    return { recoveryCodes: await this.steps.confirm(caller, auditContext, code) };
  }

  @ApiOperation({
    operationId: 'makePasskeyOptions',
    tag: 'Users',
    summary: 'Make the options with which a browser makes a passkey',
    description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON`.',
    answer: PASSKEY_CREATION_OPTIONS,
    errors: [409],
  })
  @Post('passkey')
  @Access(ownsAccount)
  @ToAddSecondStep()
  @UseGuards(RecentProofGuard)
  @HttpCode(200)
  passkeyOptions(@CurrentCaller() caller: Caller): Promise<PublicKeyCredentialCreationOptionsJSON> {
    return this.passkeys.creationOptions(caller);
  }

  @ApiOperation({
    operationId: 'addPasskey',
    tag: 'Users',
    summary: 'Add a passkey, and get recovery codes with the first second step',
    description: 'Ends the other sessions of the user.',
    answer: CONFIRMED_SECOND_STEP,
    errors: [409],
  })
  @Post('passkey/confirmation')
  @Access(ownsAccount)
  @ToAddSecondStep()
  @UseGuards(RecentProofGuard)
  @HttpCode(200)
  async addPasskey(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Body(FixedBodyPipe) created: NewPasskeyDto,
  ): Promise<{ recoveryCodes: string[] | null }> {
    return { recoveryCodes: await this.passkeys.add(caller, auditContext, created) };
  }

  @ApiOperation({
    operationId: 'renewRecoveryCodes',
    tag: 'Users',
    summary:
      'Make new recovery codes, which replace the former ones; only this response shows them',
    answer: RECOVERY_CODES,
    errors: [409],
  })
  @Post('recovery-codes')
  @Access(ownsAccount)
  @UseGuards(RecentProofGuard)
  async renewRecoveryCodes(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
  ): Promise<{ recoveryCodes: string[] }> {
    return { recoveryCodes: await this.steps.renewRecoveryCodes(caller, auditContext) };
  }

  @ApiOperation({
    operationId: 'deleteSecondStep',
    tag: 'Users',
    summary: 'Remove a second step, and with the last one the recovery codes',
    description: 'Ends the other sessions of the user.',
  })
  @Delete(':stepId')
  @Access(ownsAccount)
  @UseGuards(RecentProofGuard)
  @HttpCode(204)
  async remove(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('stepId', IdPipe) stepId: string,
  ): Promise<void> {
    const { id } = caller;
    const removed = await this.steps.remove(auditContext, id, { stepId, kept: caller });
    if (removed === 0) throw notFound();
  }
}
