import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { resourceController } from '../resources/resource-controller.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { users } from './user.resource.js';

/** interface: GET {base_url}/api/v2/directory/users */
@Controller('api/v2/directory/users')
export class UsersController extends resourceController(users) {
  /** The caller, detailed. */
  @Get('me')
  me(
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Record<string, unknown>> {
    return this.get(caller, caller.id, response);
  }
}
