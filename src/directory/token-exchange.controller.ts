import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { EXCHANGED_TOKEN } from '../auth/authentication.schemas.js';
import { TokenExchangeDto } from '../auth/credentials.dto.js';
import { TokensService } from '../auth/credentials/tokens.service.js';
import { forbidden, invalidField, missingPermission } from '../base/errors/api-errors.js';
import { reason } from '../base/errors/reason.js';
import { ANY } from '../base/rights/permissions.js';
import { Database } from '../database/database.js';
import { FixedBodyPipe } from '../http/fixed-body.pipe.js';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { CurrentAuditContext } from '../security/audit-context.js';
import { type AuditContext, AuditService } from '../security/audit.service.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { RequirePermission } from '../security/permission.guard.js';
import { USER_STATUS } from '../security/user-status.js';
import { userUri } from '../security/user-uri.js';
import { users } from './user.resource.js';

/** The type of the token that the answer holds (RFC 8693 section 3). */
const TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';

/** A token as OAuth names its parts (RFC 8693 section 2.2.1). */
interface ExchangedToken {
  access_token: string;
  issued_token_type: string;
  token_type: string;
  expires_in: number;
  expiration: string;
}

/** Tokens of people for service accounts, which act on their behalf (docs/api-contract.md#on-behalf-of-a-person). */
@Controller('api/v2/authentication/token-exchange')
export class TokenExchangeController {
  constructor(
    private readonly database: Database,
    private readonly reader: ResourceReader,
    private readonly tokens: TokensService,
    private readonly audit: AuditService,
  ) {}

  @ApiOperation({
    operationId: 'exchangeToken',
    tag: 'Authentication',
    summary: 'Get a short token of a person for the calling service account (RFC 8693)',
    answer: EXCHANGED_TOKEN,
  })
  @Post()
  @HttpCode(200)
  @RequirePermission('users:act-for', 'somewhere')
  async exchange(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Body(FixedBodyPipe) { subject_token: login }: TokenExchangeDto,
  ): Promise<ExchangedToken> {
    if (!caller.isService) throw forbidden(reason('no-service-account'));
    const issued = await this.database.transaction(async (transaction) => {
      const [person] = await transaction.query<{ id: string }>({
        text: `SELECT id FROM users WHERE login_key(login) = login_key($1)
          AND status = ${USER_STATUS.active} AND NOT sysadmin AND NOT service FOR KEY SHARE`,
        values: [login],
      });
      if (!person) throw invalidField('subject_token', reason('not-a-subject'));
      const { id } = person;
      const permission = 'users:act-for';
      const granted = await this.reader.granted(users, caller, { permission, id }, transaction);
      if (!granted.has(ANY)) throw missingPermission(permission);
      const address = auditContext.address ?? '';
      const token = await this.tokens.issueFor(caller, { id, address }, transaction);
      const objectUri = userUri(id);
      await this.audit.record(transaction, auditContext, { action: 'act-for', objectUri });
      return token;
    });
    return {
      access_token: issued.token,
      issued_token_type: TOKEN_TYPE,
      token_type: 'Bearer',
      expires_in: issued.lifetime,
      expiration: issued.expiration,
    };
  }
}
