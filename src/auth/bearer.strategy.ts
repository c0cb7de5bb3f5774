import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-custom';
import { badCredentials, invalidField } from '../base/errors/api-errors.js';
import { hasBody } from '../http/body-parser.js';
import { auditContextOf } from '../security/audit-context.js';
import { IdTokenVerifier } from './id-token-verifier.service.js';
import { browserOf } from './session-cookie.js';
import { type SignedIn, SignInService } from './sign-in.service.js';
import { reason } from '../base/errors/reason.js';

/** RFC 6750 section 2.1; the scheme is case-insensitive (RFC 9110 section 11.1). */
const SCHEME = /^Bearer( |$)/i;
const CREDENTIAL = /^Bearer +(\S+)$/i;

/** Variant C: a token of the identity provider in the header, and no body. Passport tries this strategy first. */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(
    private readonly signIn: SignInService,
    private readonly verifier: IdTokenVerifier,
  ) {
    super();
  }

  async validate(request: Request): Promise<SignedIn | null> {
    if (!presentsBearer(request)) return null;
    if (!hasBlankBody(request)) throw invalidField('Authorization', reason('two-credentials'));
    const [only, ...others] = new Set(authorizationOf(request));
    const token = others.length === 0 ? CREDENTIAL.exec(only!)?.[1] : undefined;
    const identify = async () => {
      if (token === undefined) throw badCredentials('identity provider: format');
      return this.verifier.identify(token);
    };
    return this.signIn.byIdentity(identify, auditContextOf(request), browserOf(request));
  }
}

/**
 * Whether a sign-in uses the Authorization header. Next to a body any scheme but Bearer is ignored, because
 * browsers and proxies add such headers on their own.
 */
export function presentsBearer(request: Request): boolean {
  const given = authorizationOf(request);
  if (given.length === 0) return false;
  return hasBlankBody(request) || given.some((value) => SCHEME.test(value));
}

const authorizationOf = ({ headersDistinct }: Request): string[] =>
  (headersDistinct.authorization ?? []).filter((value) => value !== '');

/** Some libraries cannot send a POST without a body. */
function hasBlankBody(request: Request): boolean {
  const body: unknown = request.body;
  if (!hasBody(request) || body === null) return true;
  return typeof body === 'object' && !Array.isArray(body) && Object.keys(body).length === 0;
}
