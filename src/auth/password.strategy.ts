import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-custom';
import type { IssuedToken } from './issue-tokens.js';
import { hasBody } from '../http/body-parser.js';
import { validateBody } from '../http/validate-body.js';
import { auditContextOf } from '../security/audit-context.js';
import { Credentials } from './credentials.dto.js';
import { SignInService } from './sign-in.service.js';

/** The payload of variants A and B; what is missing is a 400 that names it. */
export const credentialsOf = (request: Request): Credentials =>
  validateBody(Credentials, hasBody(request) ? request.body : {});

/** Variant A: login and password in the body. The last to be asked. */
@Injectable()
export class PasswordStrategy extends PassportStrategy(Strategy, 'password') {
  constructor(private readonly signIn: SignInService) {
    super();
  }

  validate(request: Request): Promise<IssuedToken> {
    return this.signIn.byPassword(credentialsOf(request), auditContextOf(request));
  }
}
