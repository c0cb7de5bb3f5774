import { Module } from '@nestjs/common';
import { ApiKeyStrategy } from './api-key.strategy.js';
import { AuthenticationController } from './authentication.controller.js';
import { BearerStrategy } from './bearer.strategy.js';
import { CredentialsGuard } from './credentials.guard.js';
import { IdentitiesService } from './identities.service.js';
import { IdentityProvider } from './identity-provider.service.js';
import { PasswordStrategy } from './password.strategy.js';
import { SignInService } from './sign-in.service.js';

/** Proving who the caller is. */
@Module({
  controllers: [AuthenticationController],
  providers: [
    ApiKeyStrategy,
    BearerStrategy,
    CredentialsGuard,
    IdentitiesService,
    IdentityProvider,
    PasswordStrategy,
    SignInService,
  ],
})
export class AuthModule {}
