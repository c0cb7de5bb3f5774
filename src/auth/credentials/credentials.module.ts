import { Module } from '@nestjs/common';
import { ApiKeysService } from './api-keys.service.js';
import { JournalModule } from '../../journal/journal.module.js';
import { SecurityModule } from '../../security/security.module.js';
import { BrowserSessions } from './browser-sessions.service.js';
import { CurrentPassword } from './current-password.service.js';
import { DirectoryPasswords } from './directory-passwords.service.js';
import { Passkeys } from './passkeys.service.js';
import { PasswordSignIn } from './password-sign-in.service.js';
import { PasswordsService } from './passwords.service.js';
import { SecondStepResets } from './second-step-resets.service.js';
import { SecondSteps } from './second-steps.service.js';
import { SignInLimits } from './sign-in-limits.service.js';
import { TokensService } from './tokens.service.js';

/** Passwords, API keys, tokens and sign-in limits, keyed by a plain user id. */
@Module({
  imports: [JournalModule, SecurityModule],
  providers: [
    ApiKeysService,
    BrowserSessions,
    CurrentPassword,
    DirectoryPasswords,
    Passkeys,
    PasswordSignIn,
    PasswordsService,
    SecondStepResets,
    SecondSteps,
    SignInLimits,
    TokensService,
  ],
  exports: [
    ApiKeysService,
    BrowserSessions,
    CurrentPassword,
    DirectoryPasswords,
    Passkeys,
    PasswordSignIn,
    PasswordsService,
    SecondStepResets,
    SecondSteps,
    SignInLimits,
    TokensService,
  ],
})
export class CredentialsModule {}
