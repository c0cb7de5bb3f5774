import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { notFound } from '../errors/refusals.js';
import { AnyParameters } from '../negotiation/content.guard.js';
import { validateBody } from '../negotiation/validate-body.js';
import { answerList, type ListCall, ListOf } from '../resources/list-of.decorator.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { isId } from '../resources/uri.js';
import type { Origin } from '../security/audit.service.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { RequestOrigin } from '../security/origin.js';
import { AdministratorOnly, Public } from '../security/roles.guard.js';
import { InvitationUse, PasswordChange } from './account.bodies.js';
import { AccountService, type Invitation } from './account.service.js';
import { sessions } from './session.resource.js';

/** What belongs to a user's account (decisions: Resources of the main API). */
@Controller('api/v2/directory/users/:id')
export class AccountController {
  constructor(
    private readonly account: AccountService,
    private readonly reader: ResourceReader,
  ) {}

  @Put('password')
  @HttpCode(204)
  async changePassword(
    @CurrentCaller() caller: Caller,
    @RequestOrigin() origin: Origin,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<void> {
    const change = validateBody(PasswordChange, body);
    await this.account.changePassword(caller, origin, id, change);
  }

  @Get('tokens')
  @AnyParameters()
  async sessions(
    @Param('id') id: string,
    @ListOf(sessions) call: ListCall,
  ): Promise<Record<string, unknown>[]> {
    await this.account.requireManaged(call.caller, id);
    return answerList(
      this.reader,
      sessions,
      call,
      (bind) => `t.user_id = ${bind(id)} AND t.expiration > now()`,
    );
  }

  @Delete('tokens')
  @HttpCode(204)
  async endAll(
    @CurrentCaller() caller: Caller,
    @RequestOrigin() origin: Origin,
    @Param('id') id: string,
  ): Promise<void> {
    await this.account.requireManaged(caller, id);
    await this.account.endSessions(origin, id);
  }

  @Delete('tokens/:tokenId')
  @HttpCode(204)
  async endOne(
    @CurrentCaller() caller: Caller,
    @RequestOrigin() origin: Origin,
    @Param('id') id: string,
    @Param('tokenId') tokenId: string,
  ): Promise<void> {
    await this.account.requireManaged(caller, id);
    if (!isId(tokenId) || (await this.account.endSessions(origin, id, tokenId)) === 0)
      throw notFound();
  }

  /** Ends a lock after too many failures. */
  @Delete('lock')
  @AdministratorOnly()
  @HttpCode(204)
  async unlock(
    @CurrentCaller() caller: Caller,
    @RequestOrigin() origin: Origin,
    @Param('id') id: string,
  ): Promise<void> {
    await this.account.requireManaged(caller, id);
    await this.account.unlock(origin, id);
  }

  @Post('invitation')
  @AdministratorOnly()
  invite(
    @CurrentCaller() caller: Caller,
    @RequestOrigin() origin: Origin,
    @Param('id') id: string,
  ): Promise<Invitation> {
    return this.account.invite(caller, origin, id);
  }
}

/** Uses an invitation; open within the address rule, since who uses it has no password yet. */
@Controller('api/v2/directory/invitations')
export class InvitationsController {
  constructor(private readonly account: AccountService) {}

  @Post()
  @Public()
  @HttpCode(204)
  async use(@RequestOrigin() origin: Origin, @Body() body: unknown): Promise<void> {
    const { code, password } = validateBody(InvitationUse, body);
    await this.account.useInvitation(origin, code, password);
  }
}
