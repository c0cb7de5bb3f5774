import { Module } from '@nestjs/common';
import { SecurityModule } from '../security/security.module.js';
import { ApiKeysService } from './api-keys.service.js';
import { CurrentPassword } from './current-password.service.js';
import { PasswordsService } from './passwords.service.js';
import { SignInLimits } from './sign-in-limits.service.js';
import { TokensService } from './tokens.service.js';

/** Passwords, tokens, keys and locks, keyed by a plain user id. */
@Module({
  imports: [SecurityModule],
  providers: [ApiKeysService, CurrentPassword, PasswordsService, SignInLimits, TokensService],
  exports: [ApiKeysService, CurrentPassword, PasswordsService, SignInLimits, TokensService],
})
export class CredentialsModule {}
