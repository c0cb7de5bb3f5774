import { Global, Module } from '@nestjs/common';
import { AddressRule } from './address-rule.js';
import { AuditService } from './audit.service.js';
import { AuditSums } from './audit-sums.js';
import { ClientAddressService } from './client-address.service.js';
import { ParametersService } from './parameters.service.js';
import { RefusalLog } from './refusal-log.js';
import { SessionLog } from './session-log.js';

/** Who may call at all: addresses, server parameters, the audit trail. */
@Global()
@Module({
  providers: [
    AddressRule,
    AuditService,
    AuditSums,
    ClientAddressService,
    ParametersService,
    RefusalLog,
    SessionLog,
  ],
  exports: [
    AddressRule,
    AuditService,
    AuditSums,
    ClientAddressService,
    ParametersService,
    RefusalLog,
    SessionLog,
  ],
})
export class SecurityModule {}
