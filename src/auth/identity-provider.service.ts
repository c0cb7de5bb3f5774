import { Injectable, Logger } from '@nestjs/common';
import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import { Config } from '../config/config.js';
import { badCredentials, unavailable } from '../errors/api-errors.js';
import { ParametersService } from '../security/parameters/parameters.service.js';
import type { Identity } from './identities.service.js';
import { readJson } from './read-json.js';

/** Signatures that are accepted: asymmetric ones alone. */
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

/** Three parts of base64url, each as an encoder writes it; the library alone would take more. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const isCompact = (token: string): boolean =>
  COMPACT.test(token) &&
  token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
const MAX_TOKEN = 8_192;

/** Clocks may differ by this many seconds. */
const CLOCK_TOLERANCE = 5;

/** Keys are fetched anew after this time, and for an unknown key id or after a failure at most this often (milliseconds). */
const FRESH = 600_000;
const COOLDOWN = 30_000;

/** How long somebody may have to wait for the provider, in milliseconds. */
const FETCH_TIMEOUT = 1_500;

type KeySet = ReturnType<typeof createLocalJWKSet>;

/**
 * Tokens of the OpenID Connect provider (docs/api-contract.md#sign-in; OpenID Connect Core 1.0
 * section 3.1.3.7; Discovery 1.0 section 4). Keys once fetched are used while the provider is away
 * (docs/decisions/0022).
 */
@Injectable()
export class IdentityProvider {
  private readonly logger = new Logger(IdentityProvider.name);
  private keys: KeySet | undefined;
  private fetched = -Infinity;
  private refused = -Infinity;
  private fetching: Promise<KeySet> | undefined;

  constructor(
    private readonly config: Config,
    private readonly parameters: ParametersService,
  ) {}

  /**
   * Who a token says its bearer is.
   * @throws ApiError 401 for anything but a valid ID token of the provider for this server, 503 when
   * the keys to tell were never fetched and cannot be
   */
  async identify(token: string): Promise<Identity> {
    const { OIDC_ISSUER: issuer, OIDC_LOGIN_CLAIM } = this.config.env;
    if (issuer === undefined || token.length > MAX_TOKEN || !isCompact(token))
      throw badCredentials('bearer');
    const payload = await this.verify(token, issuer);
    const login = payload[OIDC_LOGIN_CLAIM];
    const isUnproven = OIDC_LOGIN_CLAIM === 'email' && payload.email_verified !== true;
    return {
      issuer,
      subject: payload.sub!,
      login: typeof login === 'string' && login !== '' && !isUnproven ? login : undefined,
      age: Date.now() / 1000 - payload.iat!,
    };
  }

  private async verify(token: string, issuer: string): Promise<JWTPayload> {
    const audience = this.config.env.OIDC_AUDIENCE!;
    const options: JWTVerifyOptions = {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE,
      requiredClaims: ['sub', 'exp', 'iat'],
      maxTokenAge: (await this.parameters.current()).number('bearerAge'),
    };
    const keys = await this.currentKeys(issuer);
    try {
      const { payload, protectedHeader } = await this.verifyWith(keys, token, issuer, options);
      if (!isIdToken(payload, protectedHeader.typ, audience)) throw badCredentials('bearer');
      return payload;
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof TypeError)
        throw badCredentials('bearer');
      throw error;
    }
  }

  /** An unknown key may be one that the provider has changed to: asked for once in a while. */
  private async verifyWith(keys: KeySet, token: string, issuer: string, options: JWTVerifyOptions) {
    try {
      return await jwtVerify(token, keys, options);
    } catch (error) {
      const now = performance.now();
      if (!(error instanceof errors.JWKSNoMatchingKey) || now - this.refused < COOLDOWN)
        throw error;
      this.refused = now;
      const newer = await this.fetchKeys(issuer).catch(() => keys);
      return jwtVerify(token, newer, options);
    }
  }

  private async currentKeys(issuer: string): Promise<KeySet> {
    const { keys } = this;
    const isFresh = performance.now() - this.fetched < FRESH;
    const mayFetch = performance.now() - this.refused > COOLDOWN;
    if (keys && (isFresh || !mayFetch)) return keys;
    if (!mayFetch) throw unavailable(COOLDOWN / 1000);
    const fetching = this.fetchKeys(issuer).catch((error: unknown) => {
      this.refused = performance.now();
      this.logger.warn(`the identity provider cannot be asked: ${String(error)}`);
      throw unavailable(COOLDOWN / 1000);
    });
    if (!keys) return fetching;
    // Nobody waits for a provider whose keys are known.
    fetching.catch(() => undefined);
    return keys;
  }

  /** One attempt at a time, whoever waits for it. */
  private fetchKeys(issuer: string): Promise<KeySet> {
    this.fetching ??= this.fetchNow(issuer).finally(() => (this.fetching = undefined));
    return this.fetching;
  }

  private async fetchNow(issuer: string): Promise<KeySet> {
    const signal = AbortSignal.timeout(FETCH_TIMEOUT);
    const wellKnown = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const discovered = await readJson<{ issuer?: unknown; jwks_uri?: unknown }>(wellKnown, signal);
    if (discovered.issuer !== issuer) throw new Error(`${wellKnown} is about another issuer`);
    const { jwks_uri: address } = discovered;
    if (typeof address !== 'string' || !isAsSafe(address, issuer))
      throw new Error(`${wellKnown} names no usable jwks_uri`);
    this.keys = createLocalJWKSet(await readJson<JSONWebKeySet>(address, signal));
    this.fetched = performance.now();
    return this.keys;
  }
}

/** A text of at most 255 characters (OpenID Connect Core section 2), however the payload is typed. */
const isSubject = (sub: unknown): boolean =>
  typeof sub === 'string' && sub !== '' && sub.length <= 255;

/** Keys are fetched over https, unless the issuer itself is not. */
const isAsSafe = (address: string, issuer: string): boolean =>
  address.startsWith('https://') || (address.startsWith('http://') && issuer.startsWith('http://'));

/**
 * An ID token for this server alone, about somebody: no access token (RFC 9068 section 2.1; some providers say so
 * in the payload), no further audience, no other authorized party.
 */
function isIdToken(
  { aud, azp, sub, typ }: JWTPayload,
  headerType: string | undefined,
  audience: string,
): boolean {
  const audiences = Array.isArray(aud) ? aud : [aud];
  const isOfIdType = headerType === undefined || headerType.toUpperCase() === 'JWT';
  return (
    isOfIdType &&
    (typ === undefined || typ === 'ID') &&
    isSubject(sub) &&
    audiences.every((one) => one === audience) &&
    (azp === undefined || azp === audience)
  );
}
