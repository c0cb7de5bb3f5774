import { Module } from '@nestjs/common';
import { DirectoryModule } from '../directory/directory.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { SecurityModule } from '../security/security.module.js';
import { ScimGroupsController, ScimUsersController } from './objects.controller.js';
import { ScimObjects } from './objects.service.js';
import { ScimProviders } from './providers.service.js';
import { RequestLogController } from './request-log.controller.js';
import { ScimCalls } from './scim-calls.js';
import { ScimController } from './scim.controller.js';

/** SCIM 2.0: identity providers keep users and groups (docs/scim.md). */
@Module({
  imports: [DirectoryModule, ResourcesModule, SecurityModule],
  controllers: [ScimUsersController, ScimGroupsController, ScimController, RequestLogController],
  providers: [ScimCalls, ScimObjects, ScimProviders],
})
export class ScimModule {}
