import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { networkOf } from '../base/config/parse-cidr-list.js';
import { Database } from '../database/database.js';
import { type ApiError, badCredentials } from '../base/errors/api-errors.js';
import { AuditService, type AuditContext } from '../security/audit.service.js';
import { PROOF_SECONDS } from '../security/recent-proof.js';
import { USER_STATUS } from '../security/user-status.js';
import { userUri } from '../security/user-uri.js';
import { BoundIdentity } from './credentials/identity.entity.js';
import type { Identity } from './id-token-verifier.service.js';
import { ProviderLogouts } from './provider-logouts.service.js';

/** The user of an identity, with the data for a sign-in. */
interface IdentityUser {
  id: string;
  login: string;
  /** The version of their credentials. */
  version: number;
}

/** The directory of people, which follows what the identity provider says about them. */
export interface ProviderDirectory {
  /**
   * Makes and binds the user of an identity, where that is switched on and no account has its login.
   * @throws ApiError 401 when the claims make no valid user
   */
  make(identity: Identity, auditContext: AuditContext): Promise<void>;
  /** Updates the user of an identity. */
  update(identity: Identity, userId: string, auditContext: AuditContext): Promise<void>;
}

/**
 * Users behind identities (docs/api-contract.md#sign-in). An identity is an issuer and a subject: the first use binds
 * it to the user of its login. From then on the login in the token does not count, because the provider can give it to
 * another person.
 */
@Injectable()
export class BoundIdentitiesService {
  private directory: ProviderDirectory | undefined;

  constructor(
    @InjectRepository(BoundIdentity) private readonly identities: Repository<BoundIdentity>,
    private readonly database: Database,
    private readonly audit: AuditService,
    private readonly logouts: ProviderLogouts,
  ) {}

  /** @throws ApiError 401 unless it belongs to a user who may sign in this way from this address */
  async userOf(identity: Identity, auditContext: AuditContext): Promise<IdentityUser> {
    await this.logouts.requireOpen(identity);
    const user =
      (await this.findBound(identity, auditContext)) ??
      (await this.firstUserOf(identity, auditContext));
    await this.directory?.update(identity, user.id, auditContext);
    return user;
  }

  /** Registers the directory, which stands above this module. */
  follow(directory: ProviderDirectory): void {
    this.directory = directory;
  }

  private async firstUserOf(identity: Identity, auditContext: AuditContext): Promise<IdentityUser> {
    const isBound = await this.bind(identity, auditContext);
    if (!isBound) await this.directory?.make(identity, auditContext);
    // The stored binding decides, because a concurrent sign-in may have bound another user.
    const now = await this.findBound(identity, auditContext);
    if (!now) throw await this.refusalOf(identity);
    return now;
  }

  /** 401 for an identity. The caller learns no reason; log and audit trail do. */
  private async refusalOf({ issuer, subject, login, age }: Identity): Promise<ApiError> {
    const refused = (reason: string, objectUri?: string) =>
      badCredentials(`identity provider: ${reason}`, objectUri);
    const bound = await this.identities.findOneBy({ issuer, subject });
    if (bound) return refused('locked or not active', userUri(bound.userId));
    if (login === undefined) return refused('no login');
    return refused(age > PROOF_SECONDS ? 'too old for a first sign-in' : 'unknown person');
  }

  /**
   * Binds an identity to the user of its login. It requires a fresh token, because the binding outlives the session. It
   * binds neither sysadmin, whose IP allowlist and password a provider would bypass, nor a service account, which only its
   * keys open.
   * @returns whether there was such a user
   */
  private async bind(
    { issuer, subject, login, age }: Identity,
    auditContext: AuditContext,
  ): Promise<boolean> {
    if (login === undefined || age > PROOF_SECONDS) return false;
    return this.database.transaction(async (transaction) => {
      const [user] = await transaction.query<Pick<IdentityUser, 'id' | 'login'>>({
        text: `INSERT INTO identities (issuer, subject, user_id)
          SELECT $1, $2, u.id FROM users u
          WHERE login_key(u.login) = login_key($3) AND u.status = ${USER_STATUS.active}
            AND NOT u.sysadmin AND NOT u.service
          ON CONFLICT DO NOTHING
          RETURNING user_id AS id, (SELECT login FROM users WHERE id = user_id)`,
        values: [issuer, subject, login],
      });
      if (!user) return false;
      await this.audit.record(
        transaction,
        { ...auditContext, caller: user },
        {
          action: 'bind-identity',
          objectUri: userUri(user.id),
          after: { issuer, subject },
        },
      );
      return true;
    });
  }

  /** The user of an identity, if that user may sign in from this address. */
  private async findBound(
    { issuer, subject }: Identity,
    { address = '' }: AuditContext,
  ): Promise<IdentityUser | undefined> {
    const [user] = await this.database.query<IdentityUser>({
      text: `SELECT u.id, u.login, coalesce(s.credential_version, 0) AS version FROM identities i JOIN users u ON u.id = i.user_id
          LEFT JOIN sign_ins s ON s.user_id = u.id
          LEFT JOIN known_addresses a ON a.user_id = u.id AND a.address = $3
        WHERE i.issuer = $1 AND i.subject = $2 AND u.status = ${USER_STATUS.active} AND NOT u.sysadmin AND
          (CASE WHEN a.user_id IS NULL THEN s.locked_until ELSE a.locked_until END > now()) IS NOT TRUE`,
      values: [issuer, subject, networkOf(address)],
    });
    return user;
  }
}
