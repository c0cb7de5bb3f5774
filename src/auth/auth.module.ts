import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CredentialsModule } from './credentials/credentials.module.js';
import { BoundIdentity } from './credentials/identity.entity.js';
import { SecurityModule } from '../security/security.module.js';
import { ApiKeyStrategy } from './api-key.strategy.js';
import { AuthenticationController } from './authentication.controller.js';
import { BackchannelLogoutController } from './backchannel-logout.controller.js';
import { BearerStrategy } from './bearer.strategy.js';
import { BoundIdentitiesService } from './bound-identities.service.js';
import { IdTokenVerifier } from './id-token-verifier.service.js';
import { KeySessions } from './key-sessions.service.js';
import { PasskeyStrategy } from './passkey.strategy.js';
import { PasswordStrategy } from './password.strategy.js';
import { LogoutTokenVerifier } from './logout-token-verifier.service.js';
import { ProviderKeys } from './provider-keys.service.js';
import { ProviderLogouts } from './provider-logouts.service.js';
import { ProviderTokens } from './provider-tokens.service.js';
import { RenewalController } from './renewal.controller.js';
import { RenewalService } from './renewal.service.js';
import { SignInService } from './sign-in.service.js';

/** Authenticates callers and issues their tokens. */
@Module({
  imports: [TypeOrmModule.forFeature([BoundIdentity]), CredentialsModule, SecurityModule],
  controllers: [AuthenticationController, BackchannelLogoutController, RenewalController],
  providers: [
    ApiKeyStrategy,
    BearerStrategy,
    BoundIdentitiesService,
    IdTokenVerifier,
    KeySessions,
    LogoutTokenVerifier,
    PasskeyStrategy,
    PasswordStrategy,
    ProviderKeys,
    ProviderLogouts,
    ProviderTokens,
    RenewalService,
    SignInService,
  ],
  exports: [BoundIdentitiesService, KeySessions],
})
export class AuthModule {}
