import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ResourcesModule } from '../resources/resources.module.js';
import { SecurityModule } from '../security/security.module.js';
import { Role, RoleAssignment } from './role.entity.js';
import { UserRightsController } from './user-rights.controller.js';
import { RoleAssignmentsController, RolesController } from './roles.controller.js';

/** Roles, and who has them where. */
@Module({
  imports: [TypeOrmModule.forFeature([Role, RoleAssignment]), ResourcesModule, SecurityModule],
  controllers: [RolesController, RoleAssignmentsController, UserRightsController],
})
export class RolesModule {}
