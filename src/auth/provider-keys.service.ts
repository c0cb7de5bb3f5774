import { Injectable, Logger } from '@nestjs/common';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type ExportedJWKSCache,
  type JSONWebKeySet,
  jwksCache,
  type JWTVerifyGetKey,
} from 'jose';
import { Config } from '../base/config/config.js';
import { ApiError, unavailable } from '../base/errors/api-errors.js';
import { readJson } from './read-json.js';

/** How long fetched keys count as fresh, in milliseconds. */
const FRESH = 600_000;

/** How long a sign-in may wait for the provider, in milliseconds. */
const FETCH_TIMEOUT = 1_500;

/** When a client may try again while there are no keys, in seconds. */
const RETRY_AFTER = 30;

/**
 * The keys of the OpenID Connect provider, found by its discovery document (OpenID Connect Discovery 1.0
 * section 4). Fetched keys remain in use while the provider is away (docs/decisions/0022).
 */
@Injectable()
export class ProviderKeys {
  private readonly logger = new Logger(ProviderKeys.name);
  /** What jose has fetched, and when (Date.now()). */
  private readonly fetched: Partial<ExportedJWKSCache> = {};
  private readonly keys: ReturnType<typeof createRemoteJWKSet> | undefined;

  constructor({ env: { OIDC_ISSUER: issuer } }: Config) {
    if (issuer === undefined) return;
    const discovery = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    this.keys = createRemoteJWKSet(new URL(discovery), {
      timeoutDuration: FETCH_TIMEOUT,
      cacheMaxAge: Infinity,
      [jwksCache]: this.fetched as ExportedJWKSCache,
      [customFetch]: (_, { signal }) =>
        fetchKeys(discovery, issuer, signal).catch((error: unknown) => {
          this.logger.warn(`the identity provider cannot be reached: ${String(error)}`);
          throw unavailable(RETRY_AFTER);
        }),
    });
  }

  /**
   * The key of a token. Known keys are used without waiting, and fetched again when they are no longer fresh.
   * @throws JOSEError when the provider has no such key, ApiError 503 while no keys are known and none can be fetched
   */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const { uat, jwks } = this.fetched;
    if (uat !== undefined && Date.now() - uat > FRESH) this.keys!.reload().catch(() => undefined);
    try {
      return await this.keys!(header, token);
    } catch (error) {
      throw jwks && error instanceof ApiError ? new errors.JWKSNoMatchingKey() : error;
    }
  };
}

async function fetchKeys(
  discovery: string,
  issuer: string,
  signal: AbortSignal,
): Promise<Response> {
  const found = await readJson<{ issuer?: unknown; jwks_uri?: unknown }>(discovery, signal);
  if (found.issuer !== issuer) throw new Error(`${discovery} is about another issuer`);
  const { jwks_uri: address } = found;
  if (typeof address !== 'string' || !isAsSafe(address, issuer))
    throw new Error(`${discovery} names no usable jwks_uri`);
  const keys = await readJson<JSONWebKeySet>(address, signal);
  createLocalJWKSet(keys); // Throws where these are no keys.
  return Response.json(keys);
}

/** Keys are fetched over https, unless the issuer itself is not. */
const isAsSafe = (address: string, issuer: string): boolean =>
  address.startsWith('https://') || (address.startsWith('http://') && issuer.startsWith('http://'));
