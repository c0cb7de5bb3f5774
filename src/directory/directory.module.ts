import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Group, GroupMember } from './group.entity.js';
import { GroupsController } from './groups.controller.js';
import { Organization } from './organization.entity.js';
import { OrganizationsController } from './organizations.controller.js';
import { User } from './user.entity.js';
import { UsersController } from './users.controller.js';

/** Users, organizations, groups and their members. */
@Module({
  imports: [TypeOrmModule.forFeature([User, Organization, Group, GroupMember])],
  controllers: [UsersController, OrganizationsController, GroupsController],
})
export class DirectoryModule {}
