import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-custom';
import { isApiKey } from './credentials/api-keys.service.js';
import { auditContextOf } from '../security/audit-context.js';
import type { CredentialsDto } from './credentials.dto.js';
import { type SignedIn, SignInService } from './sign-in.service.js';

/** Variant B: login and API key in the body; the key's shape distinguishes it from a password. */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(Strategy, 'api-key') {
  constructor(private readonly signIn: SignInService) {
    super();
  }

  async validate(request: Request): Promise<SignedIn | null> {
    const credentials = request.body as CredentialsDto;
    if (!isApiKey(credentials.password)) return null;
    return this.signIn.byApiKey(credentials, auditContextOf(request));
  }
}
