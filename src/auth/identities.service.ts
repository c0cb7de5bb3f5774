import { Injectable } from '@nestjs/common';
import { networkOf } from '../config/address-list.js';
import { Database } from '../database/database.js';
import { badCredentials } from '../errors/refusals.js';

/** Who the identity provider says somebody is. */
export interface Identity {
  issuer: string;
  subject: string;
  /** The value of the claim that OIDC_LOGIN_CLAIM names. */
  login: string | undefined;
}

/**
 * Users behind identities (decisions: Tokens and credentials). An identity is an issuer and a
 * subject: the first use binds it to the user of its login, from then on the login in the token
 * does not count, for it can change hands at the provider.
 */
@Injectable()
export class IdentitiesService {
  constructor(private readonly database: Database) {}

  /** @throws Refusal 401 when nobody is behind it who may sign in this way from this address */
  async userOf(
    { issuer, subject, login }: Identity,
    address: string,
  ): Promise<{ id: string; login: string }> {
    const bound = await this.findBound(issuer, subject, address);
    if (bound) return bound;
    if (login !== undefined) await this.bind(issuer, subject, login);
    // What is bound now decides: somebody else may have been bound at the same moment.
    const now = await this.findBound(issuer, subject, address);
    if (!now) throw badCredentials('identity');
    return now;
  }

  /** Never sysadmin, whose address rule and password a provider would pass by. */
  private async bind(issuer: string, subject: string, login: string): Promise<void> {
    await this.database.rows({
      text: `INSERT INTO identities (issuer, subject, user_id)
        SELECT $1, $2, u.id FROM users u
        WHERE login_key(u.login) = login_key($3) AND u.status = 1 AND NOT u.sysadmin
        ON CONFLICT DO NOTHING`,
      values: [issuer, subject, login],
    });
  }

  /** The user of an identity, while they may sign in from this address. */
  private async findBound(
    issuer: string,
    subject: string,
    address: string,
  ): Promise<{ id: string; login: string } | undefined> {
    const [row] = await this.database.rows({
      text: `SELECT u.id, u.login FROM identities i JOIN users u ON u.id = i.user_id
          LEFT JOIN sign_ins s ON s.user_id = u.id
          LEFT JOIN known_addresses a ON a.user_id = u.id AND a.address = $3
        WHERE i.issuer = $1 AND i.subject = $2 AND u.status = 1 AND NOT u.sysadmin AND
          (CASE WHEN a.user_id IS NULL THEN s.locked_until ELSE a.locked_until END > now()) IS NOT TRUE`,
      values: [issuer, subject, networkOf(address)],
    });
    return row && { id: String(row[0]), login: String(row[1]) };
  }
}
