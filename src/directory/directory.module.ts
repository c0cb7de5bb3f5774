import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { CredentialsModule } from '../auth/credentials/credentials.module.js';
import { MailModule } from '../mail/mail.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { SecurityModule } from '../security/security.module.js';
import { ApiKeysController, ServiceAccountKeysController } from './api-keys.controller.js';
import { AccountController } from './account.controller.js';
import { AccountModule } from './account.module.js';
import { Group, GroupMember } from './group.entity.js';
import { GroupsController } from './groups.controller.js';
import { IdentitiesController } from './identities.controller.js';
import {
  InvitationOrdersController,
  InvitationsController,
  UserInvitationController,
} from './invitations.controller.js';
import { InvitationsService } from './invitations.service.js';
import { MembersController } from './members.controller.js';
import { OrganizationMembersController } from './organization-members.controller.js';
import { OrganizationsController } from './organizations.controller.js';
import { PasswordResetsController } from './password-resets.controller.js';
import { PasswordResetsService } from './password-resets.service.js';
import { Photo } from './photo.entity.js';
import { SecondStepResetsController } from './second-step-resets.controller.js';
import { SecondStepsController } from './second-steps.controller.js';
import { ErasureController } from './erasure.controller.js';
import { ResponsibilitiesController } from './responsibilities.controller.js';
import { UserPhotoController } from './user-photo.controller.js';
import { PhotosService } from './photos.service.js';
import { ManagedGroupController, ManagedUserController } from './managed-rows.controller.js';
import { ProvidersController } from './providers.controller.js';
import { ProviderPeople } from './provider-people.service.js';
import { ServiceAccountsController } from './service-accounts.controller.js';
import { TokenExchangeController } from './token-exchange.controller.js';
import { UserRules } from './user.rules.js';
import { PasswordRulesController, UsersController } from './users.controller.js';

/** Users, organizations, groups and their members. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Photo, Group, GroupMember]),
    AccountModule,
    AuthModule,
    CredentialsModule,
    MailModule,
    ResourcesModule,
    SecurityModule,
  ],
  controllers: [
    AccountController,
    ApiKeysController,
    IdentitiesController,
    SecondStepsController,
    ServiceAccountKeysController,
    ServiceAccountsController,
    ProvidersController,
    ManagedUserController,
    ManagedGroupController,
    TokenExchangeController,
    SecondStepResetsController,
    UserInvitationController,
    PasswordResetsController,
    InvitationOrdersController,
    InvitationsController,
    UsersController,
    PasswordRulesController,
    OrganizationsController,
    OrganizationMembersController,
    GroupsController,
    MembersController,
    UserPhotoController,
    ResponsibilitiesController,
    ErasureController,
  ],
  providers: [InvitationsService, PasswordResetsService, PhotosService, ProviderPeople, UserRules],
  exports: [AccountModule, InvitationsService, PhotosService, UserRules],
})
export class DirectoryModule {}
