import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiOperation } from '../openapi/api-operation.decorator.js';
import { detailedSchema } from '../openapi/resource-schemas.js';
import { PASSWORD_RULES } from './account.schemas.js';
import type { PasswordRules } from '../credentials/password-rules.js';
import { PasswordsService } from '../credentials/passwords.service.js';
import { resourceController } from '../resources/resource.controller.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { Public } from '../security/roles.guard.js';
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
