import { Injectable } from '@nestjs/common';
import { verifyPassword } from '../credentials/password-hash.js';
import { type IssuedToken, TokensService } from '../credentials/tokens.service.js';
import { Database } from '../database/database.js';
import { Notifications } from '../database/notifications.js';
import { badCredentials } from '../errors/refusals.js';
import { AuditService, type Origin } from '../security/audit.service.js';
import { ParametersService } from '../security/parameters.service.js';
import type { Credentials } from './credentials.js';

/** Who proved who they are. */
export interface SignedIn {
  id: string;
  login: string;
}

/** Signing in and out. */
@Injectable()
export class SignInService {
  constructor(
    private readonly database: Database,
    private readonly notifications: Notifications,
    private readonly tokens: TokensService,
    private readonly parameters: ParametersService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Variant A: login and password.
   * @throws Refusal 401, the same for every reason
   */
  async byPassword({ login, password }: Credentials, origin: Origin): Promise<SignedIn> {
    const [row] = await this.database.rows({
      text: `SELECT u.id, u.login, u.status, u.sysadmin, p.hash
        FROM users u LEFT JOIN passwords p ON p.user_id = u.id WHERE login_key(u.login) = login_key($1)`,
      values: [login],
    });
    const [id, name, status, sysadmin, hash] = row ?? [];
    const mayTry = status === 1 && (!sysadmin || (await this.isSysadminAddress(origin)));
    // Whoever may not sign in is compared with a decoy: the time tells nothing.
    const matches = await verifyPassword(
      mayTry ? ((hash as string) ?? undefined) : undefined,
      password,
    );
    if (!matches) throw badCredentials();
    return { id: String(id), login: String(name) };
  }

  /** Issues the token of somebody who proved who they are. */
  async issueToken({ id, login }: SignedIn, origin: Origin): Promise<IssuedToken> {
    const token = await this.database.transaction(async (transaction) => {
      const issued = await this.tokens.issue(id, origin.address ?? '', transaction);
      await transaction.rows({
        text: `INSERT INTO sign_ins (user_id, last_login_date) VALUES ($1, now())
          ON CONFLICT (user_id) DO UPDATE SET last_login_date = excluded.last_login_date`,
        values: [id],
      });
      await this.audit.record(
        transaction,
        { ...origin, caller: { id, login } },
        { action: 'sign-in' },
      );
      return issued;
    });
    // The 51st token ended another one.
    await this.notifications.settle();
    return token;
  }

  /** Ends the token at once. */
  async signOut(tokenId: string, origin: Origin): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await this.tokens.revoke(tokenId, transaction);
      await this.audit.record(transaction, origin, { action: 'sign-out' });
    });
    await this.notifications.settle();
  }

  private async isSysadminAddress({ address }: Origin): Promise<boolean> {
    const { sysadminAddresses } = await this.parameters.current();
    return sysadminAddresses.has(address ?? '');
  }
}
