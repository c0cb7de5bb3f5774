import { Body, Controller, Get, HttpCode, Param, Post, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { filled } from '../http/body-rules.js';
import { FixedBodyPipe } from '../http/fixed-body.pipe.js';
import { namesInPath } from '../resources/http/resource.controller.js';
import { setWarnings } from '../resources/http/set-warnings.js';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { namedSchema } from '../resources/openapi/component.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { Access } from '../security/access.guard.js';
import { CurrentAuditContext } from '../security/audit-context.js';
import type { AuditContext } from '../security/audit.service.js';
import { RecentProofGuard } from '../security/recent-proof.guard.js';
import { ErasureService } from './erasure.service.js';
import { managesAccount } from './manages-account.js';
import { exportPersonalData, type PersonalData } from './personal-data.js';
import { users } from './user.resource.js';

/** Longest login, in characters. */
const MAX_LOGIN = 100;

/** `POST /directory/users/{id}/erasure` */
export class ErasureDto {
  /** Of the person, so that nobody erases somebody else by a wrong id. */
  @filled(MAX_LOGIN)
  login!: string;
}

/** What data protection asks for (docs/api-contract.md#erasure). */
@Controller('api/v2/directory/users/:id')
@namesInPath({ id: users })
export class ErasureController {
  constructor(
    readonly reader: ResourceReader,
    private readonly erasure: ErasureService,
  ) {}

  @ApiOperation({
    operationId: 'eraseUser',
    tag: 'Users',
    summary: 'Erase what is personal about a user for good',
    description: 'Links to the user stay, as links to a former employee.',
    warning:
      'something still waits for the user or is in the name of the user: `/directory/users/3 still has openTasks 12, groups 1`',
    errors: [409],
  })
  @Post('erasure')
  @Access(managesAccount('users:delete'))
  @UseGuards(RecentProofGuard)
  @HttpCode(204)
  async erase(
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
    @Body(FixedBodyPipe) { login }: ErasureDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    setWarnings(response, await this.erasure.erase(auditContext, id, login));
  }

  @ApiOperation({
    operationId: 'getPersonalData',
    tag: 'Users',
    summary: 'Get all that is held about a user, without secrets',
    answer: namedSchema('PersonalData', { type: 'object' }),
  })
  @Get('personal-data')
  @Access(managesAccount('users:delete'))
  @UseGuards(RecentProofGuard)
  personalData(
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
  ): Promise<PersonalData> {
    return exportPersonalData(this.reader.database, auditContext, id);
  }
}
