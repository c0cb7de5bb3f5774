import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { AuditContext } from '../security/audit.service.js';
import type { Caller } from '../security/caller.js';
import { ApiKeysService } from './credentials/api-keys.service.js';
import { hashSecret } from './credentials/secret.js';
import { TokensService } from './credentials/tokens.service.js';
import { SignInService } from './sign-in.service.js';

/** Most keys whose tokens a process keeps. */
const MAX_KEPT = 1_000;

/**
 * Callers who present an API key in place of a token: programs for provisioning send one credential that lasts. The key signs
 * in as always, with its limits, throttle and audit line, and each process keeps the token while it is valid.
 */
@Injectable()
export class KeySessions {
  /** Tokens by the hash of the key. */
  private readonly tokens = new LRUCache<string, Promise<string>>({ max: MAX_KEPT });

  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly signIn: SignInService,
    private readonly validTokens: TokensService,
  ) {}

  /**
   * The caller of a key.
   * @throws ApiError 401, 429
   */
  async callerOf(
    key: string,
    auditContext: AuditContext,
    options: { fresh: boolean },
  ): Promise<Caller | undefined> {
    const hash = hashSecret(key).toString('base64');
    const known = this.tokens.get(hash);
    const caller = known && (await this.validTokens.find(await known, options));
    if (caller) return caller;
    // Of calls that come together, the first signs in.
    if (this.tokens.get(hash) === known)
      this.tokens.set(hash, this.tokenOf(key, auditContext, hash));
    return this.validTokens.find(await this.tokens.get(hash)!, options);
  }

  private async tokenOf(key: string, auditContext: AuditContext, hash: string): Promise<string> {
    try {
      const login = (await this.apiKeys.loginOf(key)) ?? '';
      const credentials = { login, password: key, code: null };
      return (await this.signIn.byApiKey(credentials, auditContext)).token.token;
    } catch (error) {
      this.tokens.delete(hash);
      throw error;
    }
  }
}
