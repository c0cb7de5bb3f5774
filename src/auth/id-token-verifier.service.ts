import { Injectable } from '@nestjs/common';
import { type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose';
import { Config } from '../base/config/config.js';
import { badCredentials, type ApiError } from '../base/errors/api-errors.js';
import { ParametersService } from '../security/parameters/parameters.service.js';
import { ProviderKeys } from './provider-keys.service.js';
import { faultBehind, faultOf, type TokenFault } from './token-fault.js';

/** Accepted signatures, all asymmetric. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Three canonical parts of base64url; the library alone would accept more. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const isCompact = (token: string): boolean =>
  COMPACT.test(token) &&
  token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
const MAX_TOKEN = 8_192;

/** Clocks may differ by this many seconds. */
const CLOCK_TOLERANCE = 5;

/** The identity of a person according to the identity provider. */
export interface Identity {
  issuer: string;
  /** The value of the claim that OIDC_SUBJECT_CLAIM names. */
  subject: string;
  /** The value of the claim that OIDC_LOGIN_CLAIM names. */
  login: string | undefined;
  /** How long ago the provider issued the token, in seconds. */
  age: number;
  /** How long ago the person proved their identity there, in seconds; undefined when the token does not show it. */
  proofAge: number | undefined;
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
    private readonly keys: ProviderKeys,
  ) {}

  /**
   * The identity of a token's bearer.
   * @throws ApiError 401 for anything but a valid ID token of the provider for this server, 503 without keys that can
   * be fetched
   */
  async identify(token: string): Promise<Identity> {
    const { OIDC_ISSUER: issuer, OIDC_LOGIN_CLAIM, OIDC_SUBJECT_CLAIM } = this.config.env;
    if (issuer === undefined) throw badCredentials('identity provider: none is configured');
    if (token.length > MAX_TOKEN || !isCompact(token)) throw refused('format');
    const payload = await this.verify(token, issuer);
    const subject = payload[OIDC_SUBJECT_CLAIM];
    if (!isSubject(payload.sub) || !isSubject(subject)) throw refused('subject');
    const login = payload[OIDC_LOGIN_CLAIM];
    const now = Date.now() / 1000;
    const proved = provedAt(payload, this.config.env.OIDC_SILENT);
    const isUnproven = OIDC_LOGIN_CLAIM === 'email' && payload.email_verified !== true;
    return {
      issuer,
      subject,
      login: typeof login === 'string' && login !== '' && !isUnproven ? login : undefined,
      age: now - payload.iat!,
      proofAge: proved === undefined ? undefined : now - proved,
    };
  }

  private async verify(token: string, issuer: string): Promise<JWTPayload> {
    const clients = this.config.env.OIDC_AUDIENCE!;
    const options: JWTVerifyOptions = {
      issuer,
      audience: clients,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE,
      requiredClaims: ['sub', 'exp', 'iat'],
      maxTokenAge: (await this.parameters.current()).number('bearerAge'),
    };
    const { payload, protectedHeader } = await jwtVerify(token, this.keys.find, options).catch(
      (error: unknown) => {
        const fault = faultBehind(error);
        throw fault === undefined ? error : refused(fault);
      },
    );
    const fault = faultOf(payload, protectedHeader.typ, clients);
    if (fault !== undefined) throw refused(fault);
    return payload;
  }
}

/** A text of at most 255 characters (OpenID Connect Core section 2), however the payload is typed. */
const isSubject = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 255;

/**
 * When the person proved their identity, in seconds since 1970: `auth_time` (OpenID Connect Core 1.0 section 2), never
 * after the issue. A token without it counts as a proof at its issue, except where the provider issues tokens silently.
 */
function provedAt({ iat, auth_time: proved }: JWTPayload, isSilent: boolean): number | undefined {
  if (typeof proved === 'number') return Math.min(proved, iat!);
  return isSilent ? undefined : iat;
}

/** 401 for a token. The caller learns no reason; log and audit trail do. */
const refused = (fault: TokenFault): ApiError => badCredentials(`identity provider: ${fault}`);
