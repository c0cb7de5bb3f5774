import { Injectable } from '@nestjs/common';
import { ApiKeysService, type PresentedKey } from '../credentials/api-keys.service.js';
import { HASHES_AT_ONCE, idleLikeVerify, verifyPassword } from '../credentials/password-hash.js';
import { type Counted, SignInLimits } from '../credentials/sign-in-limits.service.js';
import { type IssuedToken, TokensService } from '../credentials/tokens.service.js';
import { Batches } from '../database/batches.js';
import { Database } from '../database/database.js';
import { Notifications } from '../database/notifications.js';
import { sqlStateOf } from '../errors/database-errors.js';
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

/** Who proved who they are, by what, and where. */
interface Proof {
  id: string;
  login: string;
  by: 'password' | 'API key' | 'identity';
  apiKey?: PresentedKey;
  origin: Origin;
}

/** How the audit trail calls what somebody proved it by. */
const AUDITED = { password: 'password', 'API key': 'API key', identity: 'identity provider' };

/** What a token refers to is gone (PostgreSQL, appendix A). */
const FOREIGN_KEY_VIOLATION = '23503';

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
  private readonly issuing = new Batches((proofs: Proof[], waited) =>
    this.issueTokens(proofs, undefined, waited),
  );

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
      const owner = await this.apiKeys.find({ login, key: password, address });
      const mayTry = owner?.isActive && (!owner.sysadmin || (await this.isSysadminAddress(origin)));
      if (mayTry && owner.key && !owner.locked)
        return this.issueToken({
          id: owner.id,
          login: owner.login,
          by: 'API key',
          apiKey: owner.key,
          origin,
        });
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
        return await this.issueToken({ id, login, by: 'identity', origin });
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
    return this.issueToken({ id: id!, login, by: 'password', origin }, counted);
  }

  /**
   * Issues the token of somebody who proved who they are.
   * @throws Refusal 401 when they or their key were deleted since
   */
  private async issueToken(proof: Proof, counted?: Counted): Promise<IssuedToken> {
    try {
      if (!counted) return await this.issuing.take(proof);
      // Alone, for it takes back its own count; argon2 lets so few through that they rarely meet.
      const [token] = await this.issueTokens([proof], counted);
      return token!;
    } catch (error) {
      if (sqlStateOf(error) !== FOREIGN_KEY_VIOLATION) throw error;
      throw badCredentials(proof.by, accountUri(proof.id));
    }
  }

  /**
   * Issues the tokens of people who proved who they are: everything is one statement.
   * @param counted what the attempt of the only one was counted by
   */
  private issueTokens(
    proofs: Proof[],
    counted: Counted | undefined,
    waited = 0,
  ): Promise<IssuedToken[]> {
    const holders = proofs.map(({ id, apiKey, origin }) => ({
      userId: id,
      address: addressOf(origin),
      apiKey,
    }));
    const bindings = new Bindings();
    const { bind } = bindings;
    const parts = this.limits.succeeding(holders, counted, bind);
    const uses = holders.flatMap(({ apiKey, address }) =>
      apiKey ? [{ id: apiKey.id, address }] : [],
    );
    if (uses.length > 0) parts.used = this.apiKeys.using(uses, bind);
    const forgotten = counted === 'account' ? ', failures = 0, locked_until = NULL' : '';
    // After the addresses, as SignInLimits asks for.
    parts.signed_in = `INSERT INTO sign_ins (user_id, last_login_date)
      SELECT DISTINCT user_id, now() FROM unnest(${bind(proofs.map(({ id }) => id))}::bigint[]) AS user_id
      WHERE (SELECT count(*) FROM remembered) >= 0 ORDER BY 1
      ON CONFLICT (user_id) DO UPDATE SET last_login_date = excluded.last_login_date${forgotten} RETURNING 1`;
    const lines = proofs.map(({ id, login, by, origin }) => ({
      origin: { ...origin, caller: { id, login } },
      entry: { action: 'sign-in' as const, after: { by: AUDITED[by] } },
    }));
    parts.audited = this.audit.recording(lines, bind);
    return this.tokens.issue(holders, bindings, parts, 'signed_in', waited);
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
