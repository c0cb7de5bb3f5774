import { Global, Module } from '@nestjs/common';
import { PasswordsService } from './passwords.service.js';
import { TokensService } from './tokens.service.js';

/** Passwords, tokens, keys and locks, keyed by a plain user id. */
@Global()
@Module({
  providers: [PasswordsService, TokensService],
  exports: [PasswordsService, TokensService],
})
export class CredentialsModule {}
