import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-custom';
import { auditContextOf } from '../security/audit-context.js';
import type { CredentialsDto } from './credentials.dto.js';
import { browserOf } from './session-cookie.js';
import { type SignedIn, SignInService } from './sign-in.service.js';

/** Variant A: login and password in the body. Passport tries this strategy last. */
@Injectable()
export class PasswordStrategy extends PassportStrategy(Strategy, 'password') {
  constructor(private readonly signIn: SignInService) {
    super();
  }

  validate(request: Request): Promise<SignedIn> {
    const credentials = request.body as CredentialsDto;
    return this.signIn.byPassword(credentials, auditContextOf(request), browserOf(request));
  }
}
