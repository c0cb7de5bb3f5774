import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { managesAccount } from '../../directory/manages-account.js';
import { FixedBodyPipe } from '../../http/fixed-body.pipe.js';
import { ApiOperation } from '../../resources/openapi/api-operation.decorator.js';
import { namedSchema } from '../../resources/openapi/component.js';
import { atLeast, flag, listOf } from '../../resources/openapi/schemas.js';
import { ResourceReader } from '../../resources/resource-reader.js';
import { Access } from '../../security/access.guard.js';
import type { AuditContext } from '../../security/audit.service.js';
import { CurrentAuditContext } from '../../security/audit-context.js';
import { MailSettingsDto } from './mail-settings.dto.js';
import { MailSettingsService, type PresentedSettings } from './mail-settings.service.js';
import { STOPPABLE } from './recipients.js';
import { users } from '../../directory/user.resource.js';
import { namesInPath } from '../../resources/http/resource.controller.js';

const MAIL_SETTINGS = namedSchema(
  'MailSettings',
  atLeast({ digest: flag, reminders: flag, offered: listOf({ enum: [...STOPPABLE] }) }),
);

/** Which mails about their tasks users get. Users set their own, administrators anyone's. */
@Controller('api/v2/directory/users/:id/mail-settings')
@namesInPath({ id: users })
export class MailSettingsController {
  constructor(
    readonly reader: ResourceReader,
    private readonly settings: MailSettingsService,
  ) {}

  @ApiOperation({
    operationId: 'getMailSettings',
    tag: 'Users',
    summary: 'Get which mails about tasks a user gets',
    description:
      '`offered` lists those that the server sends at all; it is empty on a server that sends no mails.',
    answer: MAIL_SETTINGS,
  })
  @Get()
  @Access(managesAccount('users:change'))
  get(@Param('id') id: string): Promise<PresentedSettings> {
    return this.settings.get(id);
  }

  @ApiOperation({
    operationId: 'replaceMailSettings',
    tag: 'Users',
    summary: 'Set which mails about tasks a user gets',
    answer: MAIL_SETTINGS,
  })
  @Put()
  @Access(managesAccount('users:change'))
  replace(
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
    @Body(FixedBodyPipe) { digest, reminders }: MailSettingsDto,
  ): Promise<PresentedSettings> {
    return this.settings.replace(auditContext, id, { digest, reminders });
  }
}
