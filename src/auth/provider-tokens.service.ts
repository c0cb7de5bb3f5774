import { Injectable } from '@nestjs/common';
import { type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose';
import { Config } from '../base/config/config.js';
import { ProviderKeys } from './provider-keys.service.js';
import { BadToken, faultBehind, faultOf, type TokenKind } from './token-fault.js';

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

/** What a token must be. */
export interface Expected {
  kind: TokenKind;
  requiredClaims: string[];
  /** Seconds since its issue. */
  maxAge: number;
}

/** The claims of a token, and the provider that has signed it. */
export interface ProviderClaims extends JWTPayload {
  iss: string;
  iat: number;
}

/** Verifies what all signed tokens of the OpenID Connect provider have in common. */
@Injectable()
export class ProviderTokens {
  constructor(
    private readonly config: Config,
    private readonly keys: ProviderKeys,
  ) {}

  /**
   * The claims of a token of the provider for a client of OIDC_AUDIENCE (OpenID Connect Core 1.0 section 3.1.3.7).
   * @throws BadToken, or ApiError 503 without keys that can be fetched
   */
  async verify(token: string, { kind, requiredClaims, maxAge }: Expected): Promise<ProviderClaims> {
    const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: clients = [] } = this.config.env;
    if (issuer === undefined) throw new BadToken('none is configured');
    if (token.length > MAX_TOKEN || !isCompact(token)) throw new BadToken('format');
    const options: JWTVerifyOptions = {
      issuer,
      audience: clients,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE,
      requiredClaims,
      maxTokenAge: maxAge,
    };
    const { payload, protectedHeader } = await jwtVerify(token, this.keys.find, options).catch(
      (error: unknown) => {
        const fault = faultBehind(error);
        throw fault === undefined ? error : new BadToken(fault);
      },
    );
    const fault = faultOf(payload, protectedHeader.typ, clients, kind);
    if (fault !== undefined) throw new BadToken(fault);
    return payload as ProviderClaims;
  }
}

/** A text of at most 255 characters (OpenID Connect Core section 2), however the payload is typed. */
export const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 255 && !value.includes('\0');
