import { Injectable } from '@nestjs/common';
import type { JWTPayload } from 'jose';
import { Config } from '../base/config/config.js';
import { badCredentials } from '../base/errors/api-errors.js';
import { ParametersService } from '../security/parameters/parameters.service.js';
import { isIdentifier, ProviderTokens } from './provider-tokens.service.js';
import { BadToken } from './token-fault.js';

/** The identity of a person according to the identity provider. */
export interface Identity {
  issuer: string;
  /** The value of the claim that OIDC_SUBJECT_CLAIM names. */
  subject: string;
  /** The value of the claim that OIDC_LOGIN_CLAIM names. */
  login: string | undefined;
  /** How long ago the provider issued the token, in seconds. */
  age: number;
  /** When the provider issued it, in seconds since 1970. */
  issued: number;
  /** How long ago the person proved their identity there, in seconds; undefined when the token does not show it. */
  proofAge: number | undefined;
  /** The session at the provider, the claim `sid`; empty where the token names none. */
  session: string;
  /** All claims of the token. */
  claims: JWTPayload;
}

/**
 * Verifies ID tokens of the OpenID Connect provider (docs/api-contract.md#sign-in; OpenID Connect Core 1.0
 * section 3.1.3.7).
 */
@Injectable()
export class IdTokenVerifier {
  constructor(
    private readonly config: Config,
    private readonly parameters: ParametersService,
    private readonly tokens: ProviderTokens,
  ) {}

  /**
   * The identity of a token's bearer.
   * @throws ApiError 401 for anything but a valid ID token of the provider for this server, 503 without keys that can
   * be fetched
   */
  async identify(token: string): Promise<Identity> {
    try {
      return await this.read(token);
    } catch (error) {
      // The caller learns no reason; log and audit trail do.
      throw error instanceof BadToken ? badCredentials(`identity provider: ${error.fault}`) : error;
    }
  }

  private async read(token: string): Promise<Identity> {
    const { OIDC_LOGIN_CLAIM, OIDC_SUBJECT_CLAIM, OIDC_SILENT } = this.config.env;
    const claims = await this.tokens.verify(token, {
      kind: 'ID token',
      requiredClaims: ['sub', 'exp', 'iat'],
      maxAge: (await this.parameters.current()).number('bearerAge'),
    });
    // A logout token, whatever its type says (OpenID Connect Back-Channel Logout 1.0 section 2.4).
    if (claims.events !== undefined) throw new BadToken('event');
    const subject = claims[OIDC_SUBJECT_CLAIM];
    if (!isIdentifier(claims.sub) || !isIdentifier(subject)) throw new BadToken('subject');
    const login = claims[OIDC_LOGIN_CLAIM];
    const now = Date.now() / 1000;
    const proved = provedAt(claims, OIDC_SILENT);
    const isUnproven = OIDC_LOGIN_CLAIM === 'email' && claims.email_verified !== true;
    return {
      issuer: claims.iss,
      subject,
      login: typeof login === 'string' && login !== '' && !isUnproven ? login : undefined,
      age: now - claims.iat,
      issued: claims.iat,
      proofAge: proved === undefined ? undefined : now - proved,
      session: isIdentifier(claims.sid) ? claims.sid : '',
      claims,
    };
  }
}

/**
 * When the person proved their identity, in seconds since 1970: `auth_time` (OpenID Connect Core 1.0 section 2), never
 * after the issue. A token without it counts as a proof at its issue, except where the provider issues tokens silently.
 */
function provedAt({ iat, auth_time: proved }: JWTPayload, isSilent: boolean): number | undefined {
  if (typeof proved === 'number') return Math.min(proved, iat!);
  return isSilent ? undefined : iat;
}
