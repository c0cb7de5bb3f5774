import { Body, Controller, Get, Inject, Patch, Put, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { PatchOperation } from '../base/json-patch/parse-patch.js';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { bodySchema, detailedSchema } from '../resources/openapi/resource-schemas.js';
import { JSON_PATCH } from '../resources/openapi/schemas.js';
import { PASSWORD_RULES } from './account.schemas.js';
import type { PasswordRules } from '../auth/credentials/password-rules.js';
import { PasswordsService } from '../auth/credentials/passwords.service.js';
import { resourceController } from '../resources/http/resource.controller.js';
import { ChangeOf } from '../resources/http/change-of.decorator.js';
import { JsonPatchPipe } from '../resources/http/json-patch.pipe.js';
import type { Change } from '../resources/write/pending-write.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { Public } from '../security/permission.guard.js';
import { UserRules } from './user.rules.js';
import { users } from './user.resource.js';

/** Users (docs/api-contract.md#resources). */
@Controller('api/v2/directory/users')
export class UsersController extends resourceController(users) {
  @Inject(UserRules) override hooks!: UserRules;

  /** The detailed representation of the caller. */
  @ApiOperation({
    operationId: 'getCaller',
    tag: 'Users',
    summary: 'Get the caller',
    answer: detailedSchema(users),
    hasETag: true,
  })
  @Get('me')
  me(
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Record<string, unknown>> {
    return this.get(caller, caller.id, response);
  }

  /** The same rules as for every owner: contact details, description and locale. */
  @ApiOperation({
    operationId: 'replaceCaller',
    tag: 'Users',
    summary: 'Replace the caller',
    body: bodySchema(users),
    answer: detailedSchema(users),
    hasETag: true,
    isConditional: true,
  })
  @Put('me')
  replaceMe(
    @ChangeOf(users) change: Change,
    @Body() body: unknown,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Record<string, unknown>> {
    return this.replace({ ...change, id: change.caller.id }, body, response);
  }

  @ApiOperation({
    operationId: 'patchCaller',
    tag: 'Users',
    summary: 'Change the caller by a JSON Patch (RFC 6902)',
    body: JSON_PATCH,
    answer: detailedSchema(users),
    hasETag: true,
    isConditional: true,
  })
  @Patch('me')
  patchMe(
    @ChangeOf(users) change: Change,
    @Body(JsonPatchPipe) operations: PatchOperation[],
    @Res({ passthrough: true }) response: Response,
  ): Promise<Record<string, unknown>> {
    return this.patch({ ...change, id: change.caller.id }, operations, response);
  }
}

/** The password rules in force, so that a portal can show them next to the input. */
@Controller('api/v2/directory/password-rules')
export class PasswordRulesController {
  constructor(private readonly passwords: PasswordsService) {}

  @ApiOperation({
    operationId: 'getPasswordRules',
    tag: 'Users',
    summary: 'Get the password rules in force',
    answer: PASSWORD_RULES,
  })
  @Get()
  @Public()
  rules(): Promise<PasswordRules> {
    return this.passwords.rules();
  }
}
