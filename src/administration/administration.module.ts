import { Module } from '@nestjs/common';
import { AddressCheckController } from './address-check.controller.js';
import { AuditController } from './audit.controller.js';
import { ParametersController } from './parameters.controller.js';
import { ServerParametersService } from './server-parameters.service.js';

/** What administrators set and look at: server parameters, addresses, the audit trail. */
@Module({
  controllers: [AddressCheckController, AuditController, ParametersController],
  providers: [ServerParametersService],
  exports: [ServerParametersService],
})
export class AdministrationModule {}
