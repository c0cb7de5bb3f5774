var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountController, InvitationsController } from './account.controller.js';
import { AccountService } from './account.service.js';
import { ApiKeysController } from './api-keys.controller.js';
import { Group, GroupMember } from './group.entity.js';
import { GroupsController } from './groups.controller.js';
import { MembersController } from './members.controller.js';
import { Organization } from './organization.entity.js';
import { OrganizationsController } from './organizations.controller.js';
import { Photo } from './photo.entity.js';
import { PhotoController } from './photo.controller.js';
import { PhotosService } from './photos.service.js';
import { UserKeysService } from './user-keys.service.js';
import { User } from './user.entity.js';
import { UserRules } from './user.rules.js';
import { PasswordRulesController, UsersController } from './users.controller.js';
/** Users, organizations, groups and their members. */
let DirectoryModule = class DirectoryModule {
};
DirectoryModule = __decorate([
    Module({
        imports: [TypeOrmModule.forFeature([Photo, User, Organization, Group, GroupMember])],
        controllers: [
            AccountController,
            ApiKeysController,
            InvitationsController,
            UsersController,
            PasswordRulesController,
            OrganizationsController,
            GroupsController,
            MembersController,
            PhotoController,
        ],
        providers: [AccountService, PhotosService, UserKeysService, UserRules],
        exports: [AccountService, PhotosService],
    })
], DirectoryModule);
export { DirectoryModule };
//# sourceMappingURL=directory.module.js.map