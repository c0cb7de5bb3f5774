import { Injectable, Logger } from '@nestjs/common';
import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { unavailable } from '../errors/api-errors.js';
import { readJson } from './read-json.js';

/** How long fetched keys count as fresh, and the shortest time between attempts after a failure (milliseconds). */
const FRESH = 600_000;
const COOLDOWN = 30_000;

/** How long a sign-in may wait for the provider, in milliseconds. */
const FETCH_TIMEOUT = 1_500;

export type KeySet = ReturnType<typeof createLocalJWKSet>;

/**
 * The keys of the OpenID Connect provider, found by its discovery document (OpenID Connect Discovery 1.0
 * section 4). Fetched keys remain in use while the provider is away (docs/decisions/0022).
 */
@Injectable()
export class ProviderKeys {
  private readonly logger = new Logger(ProviderKeys.name);
  private keys: KeySet | undefined;
  /** When keys were last fetched, and when the last cool-down began (performance.now()). */
  private fetched = -Infinity;
  private cooling = -Infinity;
  private fetching: Promise<KeySet> | undefined;

  /**
   * Returns known keys without waiting, and fetches them again when they are no longer fresh.
   * @throws ApiError 503 while no keys are known and none can be fetched
   */
  async current(issuer: string): Promise<KeySet> {
    const { keys } = this;
    const isFresh = performance.now() - this.fetched < FRESH;
    const mayFetch = performance.now() - this.cooling > COOLDOWN;
    if (keys && (isFresh || !mayFetch)) return keys;
    if (!mayFetch) throw unavailable(COOLDOWN / 1000);
    const fetching = this.fetch(issuer).catch((error: unknown) => {
      this.cooling = performance.now();
      this.logger.warn(`the identity provider cannot be reached: ${String(error)}`);
      throw unavailable(COOLDOWN / 1000);
    });
    if (!keys) return fetching;
    // Nobody waits for a provider whose keys are known.
    fetching.catch(() => undefined);
    return keys;
  }

  /**
   * Fetches the keys for a token that names an unknown one: the provider may have rotated them.
   * @returns undefined during a cool-down, and when the provider cannot be reached
   */
  async renew(issuer: string): Promise<KeySet | undefined> {
    const now = performance.now();
    if (now - this.cooling < COOLDOWN) return undefined;
    this.cooling = now;
    return this.fetch(issuer).catch(() => undefined);
  }

  /** Callers that overlap share one fetch. */
  private fetch(issuer: string): Promise<KeySet> {
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

/** Keys are fetched over https, unless the issuer itself is not. */
const isAsSafe = (address: string, issuer: string): boolean =>
  address.startsWith('https://') || (address.startsWith('http://') && issuer.startsWith('http://'));
