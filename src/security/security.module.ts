import { Global, Module } from '@nestjs/common';
import { AddressRule } from './address-rule.js';
import { AuditService } from './audit.service.js';
import { ClientAddressService } from './client-address.service.js';
import { ParametersService } from './parameters.service.js';
import { RefusalLog } from './refusal-log.js';

/** Who may call at all: addresses, server parameters, the audit trail. */
@Global()
@Module({
  providers: [AddressRule, AuditService, ClientAddressService, ParametersService, RefusalLog],
  exports: [AddressRule, AuditService, ClientAddressService, ParametersService, RefusalLog],
})
export class SecurityModule {}
