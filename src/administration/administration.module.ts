import { Module } from '@nestjs/common';
import { ResourcesModule } from '../resources/resources.module.js';
import { SecurityModule } from '../security/security.module.js';
import { AddressCheckController } from './address-check.controller.js';
import { AuditController } from './audit.controller.js';
import { ParametersController } from './parameters.controller.js';

/** The routes of administration: server parameters, address check, audit trail. */
@Module({
  imports: [ResourcesModule, SecurityModule],
  controllers: [AddressCheckController, AuditController, ParametersController],
})
export class AdministrationModule {}
