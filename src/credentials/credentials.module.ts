import { Global, Module } from '@nestjs/common';
import { TokensService } from './tokens.service.js';

/** Passwords, tokens, keys and locks, keyed by a plain user id. */
@Global()
@Module({ providers: [TokensService], exports: [TokensService] })
export class CredentialsModule {}
