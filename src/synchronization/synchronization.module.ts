import { Module } from '@nestjs/common';
import { CredentialsModule } from '../auth/credentials/credentials.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { SecurityModule } from '../security/security.module.js';
import { DirectoryBinds } from './directory-binds.service.js';
import { RunsController } from './runs.controller.js';
import { Synchronizations } from './synchronizations.service.js';
import { DirectoryTestsController } from './directory-tests.controller.js';

/** LDAP directories that keep people and groups (docs/ldap.md). */
@Module({
  imports: [CredentialsModule, ResourcesModule, SecurityModule],
  controllers: [DirectoryTestsController, RunsController],
  providers: [DirectoryBinds, Synchronizations],
})
export class SynchronizationModule {}
