import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-custom';
import { auditContextOf } from '../security/audit-context.js';
import { PasskeyDto } from './passkey.dto.js';
import { browserOf } from './session-cookie.js';
import { type SignedIn, SignInService } from './sign-in.service.js';

/** A passkey in the body, alone. */
@Injectable()
export class PasskeyStrategy extends PassportStrategy(Strategy, 'passkey') {
  constructor(private readonly signIn: SignInService) {
    super();
  }

  async validate(request: Request): Promise<SignedIn | null> {
    const body: unknown = request.body;
    if (!(body instanceof PasskeyDto)) return null;
    return this.signIn.byPasskey(body.passkey, auditContextOf(request), browserOf(request));
  }
}
