import { Controller, Get } from '@nestjs/common';
import { AnyParameters } from '../http/request-format.guard.js';
import {
  type AttributeDescription,
  describeAttributes,
} from '../resources/attributes/describe-attributes.js';
import { answerList, type ListCall, ListOf } from '../resources/list/list-of.decorator.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { AdministratorOnly } from '../security/roles.guard.js';
import { audit } from './audit.resource.js';

/** docs/api-contract.md#audit-trail */
@Controller('api/v2/administration/audit')
@AdministratorOnly()
export class AuditController {
  constructor(private readonly reader: ResourceReader) {}

  @Get()
  @AnyParameters()
  list(@ListOf(audit) call: ListCall): Promise<Record<string, unknown>[]> {
    return answerList(this.reader, audit, call);
  }

  @Get('attributes')
  describe(@CurrentCaller() caller: Caller): AttributeDescription[] {
    return describeAttributes(audit, caller);
  }
}
