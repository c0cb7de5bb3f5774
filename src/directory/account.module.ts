import { Module } from '@nestjs/common';
import { CredentialsModule } from '../auth/credentials/credentials.module.js';
import { SecurityModule } from '../security/security.module.js';
import { AccountService } from './account.service.js';

/** Accounts without the directory, for the commands about them. */
@Module({
  imports: [CredentialsModule, SecurityModule],
  providers: [AccountService],
  exports: [AccountService],
})
export class AccountModule {}
