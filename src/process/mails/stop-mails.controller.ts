import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { invalidField } from '../../base/errors/api-errors.js';
import { ApiOperation } from '../../resources/openapi/api-operation.decorator.js';
import { namedSchema } from '../../resources/openapi/component.js';
import { exactly } from '../../resources/openapi/schemas.js';
import type { AuditContext } from '../../security/audit.service.js';
import { CurrentAuditContext } from '../../security/audit-context.js';
import { Public } from '../../security/permission.guard.js';
import { MailSettingsService } from './mail-settings.service.js';
import { STOP_PATH } from './stop-links.service.js';
import { reason } from '../../base/errors/reason.js';

/** The only field of the body (RFC 8058 section 3.2). */
const FIELD = 'List-Unsubscribe';
const CLICK = 'One-Click';

/** The field in a body of the type multipart/form-data (RFC 7578). */
const IN_MULTIPART = new RegExp(
  `^content-disposition:[^\\r\\n]*\\bname="?${FIELD}"?(?:\\r?\\n[^\\r\\n]+)*\\r?\\n\\r?\\n${CLICK}\\r?\\n--`,
  'im',
);

const ONE_CLICK = namedSchema('OneClick', exactly({ [FIELD]: { const: CLICK } }));

/**
 * Stops mails by one click in a mail program, or by the button of the page that has the same address
 * (docs/api-contract.md#mails-about-tasks). The token in the address is the authorization; the IP allowlist applies.
 */
@Controller(STOP_PATH.slice(1))
export class StopMailsController {
  constructor(private readonly settings: MailSettingsService) {}

  @ApiOperation({
    operationId: 'stopMails',
    tag: 'Users',
    summary: 'Stop mails about tasks with the link of such a mail (RFC 8058)',
    description: 'A GET of the same address is a page with a button, and changes nothing.',
    body: ONE_CLICK,
  })
  @Post(':token')
  @Public()
  @HttpCode(204)
  async stop(
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('token') token: string,
    @Body() body: Buffer | undefined,
  ): Promise<void> {
    if (!isOneClick(body)) throw invalidField(FIELD, reason('not-one-click', { value: CLICK }));
    await this.settings.stop(auditContext, token);
  }
}

function isOneClick(body: Buffer | undefined): boolean {
  const text = body?.toString('latin1') ?? '';
  return new URLSearchParams(text.trim()).get(FIELD) === CLICK || IN_MULTIPART.test(text);
}
