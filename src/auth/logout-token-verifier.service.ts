import { Injectable } from '@nestjs/common';
import { Config } from '../base/config/config.js';
import { isIdentifier, ProviderTokens } from './provider-tokens.service.js';
import { BadToken } from './token-fault.js';

/** The event that a logout token reports. */
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** Seconds after its issue in which a logout token counts. Providers send it at once. */
const MAX_AGE = 300;

/** A sign-out at the identity provider: of a session, of all sessions of a person, or of a session of that person. */
export interface ProviderLogout {
  issuer: string;
  /** The claim `jti`, which the provider gives only once. */
  tokenId: string;
  /** The value of the claim that OIDC_SUBJECT_CLAIM names. */
  subject: string | null;
  /** The claim `sid`. */
  session: string | null;
  /** When the provider issued the token, in seconds since 1970. */
  issued: number;
}

/** Verifies logout tokens (OpenID Connect Back-Channel Logout 1.0 section 2.6). */
@Injectable()
export class LogoutTokenVerifier {
  constructor(
    private readonly config: Config,
    private readonly tokens: ProviderTokens,
  ) {}

  /** @throws BadToken, or ApiError 503 without keys that can be fetched */
  async verify(token: string): Promise<ProviderLogout> {
    const claims = await this.tokens.verify(token, {
      kind: 'logout token',
      requiredClaims: ['exp', 'iat', 'jti', 'events'],
      maxAge: MAX_AGE,
    });
    if (!isObject(claims.events) || !isObject(claims.events[EVENT])) throw new BadToken('event');
    // With it, an ID token could pass for a logout token.
    if (claims.nonce !== undefined) throw new BadToken('nonce');
    if (!isIdentifier(claims.jti)) throw new BadToken('token id');
    const subject = claims[this.config.env.OIDC_SUBJECT_CLAIM] ?? null;
    const session = claims.sid ?? null;
    const areReadable = [subject, session].every((one) => one === null || isIdentifier(one));
    if (!areReadable || (subject === null && session === null)) throw new BadToken('subject');
    return {
      issuer: claims.iss,
      tokenId: claims.jti,
      subject: subject as string | null,
      session: session as string | null,
      issued: claims.iat,
    };
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
