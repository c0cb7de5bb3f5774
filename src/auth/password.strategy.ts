import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-custom';
import { badCredentials, invalidField } from '../errors/refusals.js';
import { hasBody } from '../negotiation/body.js';
import { validateBody } from '../negotiation/validate-body.js';
import { originOf } from '../security/origin.js';
import { Credentials } from './credentials.js';
import { type SignedIn, SignInService } from './sign-in.service.js';

export const PASSWORD = 'password';

/** Variant A: login and password in the body. */
@Injectable()
export class PasswordStrategy extends PassportStrategy(Strategy, PASSWORD) {
  constructor(private readonly signIn: SignInService) {
    super();
  }

  async validate(request: Request): Promise<SignedIn> {
    if (request.headers.authorization !== undefined) {
      if (hasBody(request))
        throw invalidField('Authorization', 'give either a body or an Authorization header');
      throw badCredentials();
    }
    const credentials = validateBody(Credentials, hasBody(request) ? request.body : {});
    return this.signIn.byPassword(credentials, originOf(request));
  }
}
