import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKey } from '../auth/credentials/api-key.entity.js';
import { CredentialsModule } from '../auth/credentials/credentials.module.js';
import { BoundIdentity } from '../auth/credentials/identity.entity.js';
import { Invitation } from '../auth/credentials/invitation.entity.js';
import { PasswordReset } from '../auth/credentials/password-reset.entity.js';
import { SecurityModule } from '../security/security.module.js';
import { AccountService } from './account.service.js';
import { ErasureService } from './erasure.service.js';
import { Organization } from './organization.entity.js';
import { Provider } from './provider.entity.js';
import { User } from './user.entity.js';

/** Accounts without the directory, for the commands about them. */
@Module({
  imports: [
    // A user refers to an organization and a provider, and every credential to a user.
    TypeOrmModule.forFeature([
      User,
      Organization,
      Provider,
      ApiKey,
      BoundIdentity,
      Invitation,
      PasswordReset,
    ]),
    CredentialsModule,
    SecurityModule,
  ],
  providers: [AccountService, ErasureService],
  exports: [AccountService, ErasureService, CredentialsModule],
})
export class AccountModule {}
