import { Injectable } from '@nestjs/common';
import { ApiKeysService, type PresentedKey } from '../credentials/api-keys.service.js';
import { HASHES_AT_ONCE, idleLikeVerify, verifyPassword } from '../credentials/password-hash.js';
import { type Counted, SignInLimits } from '../credentials/sign-in-limits.service.js';
import { type IssuedToken, TokensService } from '../credentials/tokens.service.js';
import { Database } from '../database/database.js';
import { Notifications } from '../database/notifications.js';
import { badCredentials, Refusal } from '../errors/refusals.js';
import { users } from '../directory/user.resource.js';
import { Bindings } from '../listing/attribute.js';
import { uriOf } from '../resources/uri.js';
import { AuditService, type Origin } from '../security/audit.service.js';
import { ParametersService } from '../security/parameters.service.js';
import type { Credentials } from './credentials.js';
import { holdBack } from './hold-back.js';
import { type Identity, IdentitiesService } from './identities.service.js';
import { Turns } from './turns.js';

/** Who proved who they are, and by what. */
interface Proof {
  id: string;
  login: string;
  by: 'password' | 'API key' | 'identity provider';
  apiKey?: PresentedKey;
  /** What the attempt was counted by. */
  counted?: Counted;
}

/** An account as signing in with a password sees it. */
interface Account {
  /** The form of the login under which attempts take turns, also when there is no such account. */
  key: string;
  id: string | undefined;
  login: string;
  /** Whether this account may sign in with a password from where the caller is. */
  mayTry: boolean;
  hash: string | undefined;
}

/** Signing in, which issues a token, and out. Every refusal is the same 401, after the same time. */
@Injectable()
export class SignInService {
  /** More at once for one account would only be counted as failures of each other. */
  private readonly turns = new Turns(HASHES_AT_ONCE);

  constructor(
    private readonly database: Database,
    private readonly notifications: Notifications,
    private readonly tokens: TokensService,
    private readonly apiKeys: ApiKeysService,
    private readonly identities: IdentitiesService,
    private readonly limits: SignInLimits,
    private readonly parameters: ParametersService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Variant A: login and password.
   * @throws Refusal 401, 429 when the address failed too often, 503 when too many wait
   */
  async byPassword({ login, password }: Credentials, origin: Origin): Promise<IssuedToken> {
    this.limits.refuseExceeded(addressOf(origin));
    return holdBack(async () => {
      const account = await this.findAccount(login, origin);
      const work = () => this.tryPassword(account, password, origin);
      const token = await this.turns.take(account.key, work);
      if (token) return token;
      // Not in a turn, which the owner may be waiting for.
      await idleLikeVerify();
      throw badCredentials('locked', accountUri(account.id));
    });
  }

  /**
   * Variant B: login and API key.
   * @throws Refusal 401, 429
   */
  byApiKey({ login, password }: Credentials, origin: Origin): Promise<IssuedToken> {
    return holdBack(async () => {
      const address = addressOf(origin);
      const owner = await this.apiKeys.find(login, password, address);
      const mayTry = owner?.isActive && (!owner.sysadmin || (await this.isSysadminAddress(origin)));
      if (mayTry && owner.key && !owner.locked)
        return this.issueToken(
          { id: owner.id, login: owner.login, by: 'API key', apiKey: owner.key },
          origin,
        );
      await this.limits.count(mayTry ? owner.id : undefined, address);
      throw badCredentials(mayTry && owner.locked ? 'locked' : 'API key', accountUri(owner?.id));
    });
  }

  /**
   * Variant C: a token of the identity provider.
   * @throws Refusal 401, 429, 503 when the provider's keys cannot be had
   */
  byIdentity(identity: () => Promise<Identity>, origin: Origin): Promise<IssuedToken> {
    return holdBack(async () => {
      const address = addressOf(origin);
      try {
        const { id, login } = await this.identities.userOf(await identity(), address);
        return await this.issueToken({ id, login, by: 'identity provider' }, origin);
      } catch (error) {
        if (error instanceof Refusal && error.status === 401)
          await this.limits.count(undefined, address);
        throw error;
      }
    });
  }

  /** Ends the token at once. */
  async signOut(tokenId: string, origin: Origin): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await this.tokens.revoke(tokenId, transaction);
      await this.audit.record(transaction, origin, { action: 'sign-out' });
    });
    await this.notifications.settle();
  }

  /**
   * Counted before it is evaluated.
   * @returns undefined for a locked account, which is not evaluated at all
   * @throws Refusal 401 for a wrong password
   */
  private async tryPassword(
    { id, login, mayTry, hash }: Account,
    password: string,
    origin: Origin,
  ): Promise<IssuedToken | undefined> {
    const counted = await this.limits.count(mayTry ? id : undefined, addressOf(origin));
    if (mayTry && !counted) return undefined;
    // Whoever may not sign in is compared with a decoy.
    if (!(await verifyPassword(mayTry ? hash : undefined, password)))
      throw badCredentials('password', accountUri(id));
    return this.issueToken({ id: id!, login, by: 'password', counted }, origin);
  }

  /** Issues the token of somebody who proved who they are: everything is one statement. */
  private issueToken(proof: Proof, origin: Origin): Promise<IssuedToken> {
    const { id, login, by, apiKey, counted } = proof;
    const address = addressOf(origin);
    const bindings = new Bindings();
    const { bind } = bindings;
    const parts = this.limits.succeeding(id, address, counted, bind);
    if (apiKey) parts.used = this.apiKeys.using(apiKey.id, address, bind);
    const forgotten = counted === 'account' ? ', failures = 0, locked_until = NULL' : '';
    // After the address, as SignInLimits asks for.
    parts.signed_in = `INSERT INTO sign_ins (user_id, last_login_date)
      SELECT ${bind(id)}::bigint, now() WHERE (SELECT count(*) FROM remembered) >= 0
      ON CONFLICT (user_id) DO UPDATE SET last_login_date = excluded.last_login_date${forgotten} RETURNING 1`;
    const signedIn = { ...origin, caller: { id, login } };
    parts.audited = this.audit.recording(signedIn, { action: 'sign-in', after: { by } }, bind);
    return this.tokens.issue({ userId: id, address, apiKey }, bindings, parts, 'signed_in');
  }

  private async findAccount(login: string, origin: Origin): Promise<Account> {
    const [row] = await this.database.rows({
      text: `SELECT given.key, u.id, u.login, u.status, u.sysadmin, p.hash
        FROM (SELECT login_key($1) AS key) given
          LEFT JOIN users u ON login_key(u.login) = given.key
          LEFT JOIN passwords p ON p.user_id = u.id`,
      values: [login],
    });
    const [key, id, name, status, sysadmin, hash] = row!;
    const mayTry = status === 1 && (!sysadmin || (await this.isSysadminAddress(origin)));
    return {
      key: String(key),
      id: typeof id === 'string' ? id : undefined,
      login: String(name),
      mayTry,
      hash: typeof hash === 'string' ? hash : undefined,
    };
  }

  private async isSysadminAddress(origin: Origin): Promise<boolean> {
    const { sysadminAddresses } = await this.parameters.current();
    return sysadminAddresses.has(addressOf(origin));
  }
}

const accountUri = (id: string | undefined): string | undefined =>
  id === undefined ? undefined : uriOf(users.ref.uri, id);

const addressOf = ({ address }: Origin): string => address ?? '';
