import { Module } from '@nestjs/common';
import { AuditService } from './audit.service.js';
import { AuditSums } from './audit-sums.js';
import { ClientAddressService } from './client-address.service.js';
import { ParametersService } from './parameters/parameters.service.js';
import { ParameterWriterService } from './parameters/parameter-writer.service.js';
import { DeniedAccessAudit } from './denied-access-audit.js';
import { SignInAudit } from './sign-in-audit.js';

/** Access control before any resource: IP allowlist, server parameters, audit trail. */
@Module({
  providers: [
    AuditService,
    AuditSums,
    ClientAddressService,
    ParametersService,
    ParameterWriterService,
    DeniedAccessAudit,
    SignInAudit,
  ],
  exports: [
    AuditService,
    AuditSums,
    ClientAddressService,
    ParametersService,
    ParameterWriterService,
    DeniedAccessAudit,
    SignInAudit,
  ],
})
export class SecurityModule {}
