import { Module } from '@nestjs/common';
import { CredentialsModule } from '../auth/credentials/credentials.module.js';
import { DirectoryBinds } from './directory-binds.service.js';

/** LDAP directories that keep people and groups (docs/ldap.md). */
@Module({
  imports: [CredentialsModule],
  providers: [DirectoryBinds],
})
export class SynchronizationModule {}
