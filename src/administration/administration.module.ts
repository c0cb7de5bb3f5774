import { Module } from '@nestjs/common';
import { ResourcesModule } from '../resources/resources.module.js';
import { SecurityModule } from '../security/security.module.js';
import { AddressCheckController } from './address-check.controller.js';
import { AuditController } from './audit.controller.js';
import { ParametersController } from './parameters.controller.js';

/** What administrators set and look at: server parameters, addresses, the audit trail. */
@Module({
  imports: [ResourcesModule, SecurityModule],
  controllers: [AddressCheckController, AuditController, ParametersController],
})
export class AdministrationModule {}
