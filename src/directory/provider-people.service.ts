import { Injectable, Logger } from '@nestjs/common';
import {
  BoundIdentitiesService,
  type ProviderDirectory,
} from '../auth/bound-identities.service.js';
import type { Identity } from '../auth/id-token-verifier.service.js';
import { providerActor } from '../auth/provider-actor.js';
import { Config } from '../base/config/config.js';
import { ApiError, badCredentials } from '../base/errors/api-errors.js';
import { Rights } from '../base/rights/rights.js';
import { Database, type Reader, type Transaction } from '../database/database.js';
import { Notifications } from '../database/notifications.js';
import type { Values } from '../resources/write/pending-write.js';
import { ResourceWriter } from '../resources/write/resource-writer.js';
import { uriOf } from '../resources/uri.js';
import { type AuditContext, AuditService } from '../security/audit.service.js';
import { callerWithoutUser } from '../security/caller.js';
import { listed } from '../security/parameters/list-value.js';
import {
  ParametersService,
  type ParameterValues,
} from '../security/parameters/parameters.service.js';
import { PROOF_SECONDS } from '../security/recent-proof.js';
import { USER_STATUS } from '../security/user-status.js';
import { userUri } from '../security/user-uri.js';
import { groups } from './group.resource.js';
import { groupClaim, isEmailProven, userValues } from './provider-claims.js';
import { UserRules } from './user.rules.js';
import { users } from './user.resource.js';

/** The attributes that later sign-ins update. */
const UPDATED = ['firstName', 'lastName', 'email'];

/** The caller of what the server writes by itself in the name of the provider. */
const SYSTEM = callerWithoutUser(Rights.ofAdministrator);

/** A group that the server parameter `groupMapping` names. */
interface MappedGroup {
  id: string;
  reference: string;
  isMember: boolean;
}

/**
 * Keeps the directory in step with the claims of the identity provider, where server parameters say so
 * (docs/decisions/0061): people who are made by their first sign-in, their names, and their groups.
 */
@Injectable()
export class ProviderPeople implements ProviderDirectory {
  private readonly logger = new Logger(ProviderPeople.name);
  private readonly actor: string;

  constructor(
    private readonly database: Database,
    private readonly writer: ResourceWriter,
    private readonly rules: UserRules,
    private readonly parameters: ParametersService,
    private readonly notifications: Notifications,
    private readonly audit: AuditService,
    boundIdentities: BoundIdentitiesService,
    config: Config,
  ) {
    this.actor = providerActor(config);
    boundIdentities.follow(this);
  }

  /**
   * Makes the user of an identity by the rules of a POST, binds it, and adds the groups. Concurrent first sign-ins make one
   * user. Like a binding it requires a fresh token, because the user outlives the session.
   * @throws ApiError 401 when the claims make no valid user
   */
  async make(identity: Identity, auditContext: AuditContext): Promise<void> {
    const parameters = await this.parameters.current();
    const { login, age } = identity;
    if (!parameters.flag('createUsers') || login === undefined || age > PROOF_SECONDS) return;
    const context = this.inNameOfProvider(auditContext);
    try {
      await this.database.transaction((transaction) =>
        this.makeWithin(transaction, parameters, { ...identity, login }, context),
      );
    } catch (error) {
      const why = error instanceof ApiError ? whyNot(error) : undefined;
      throw why === undefined ? error : badCredentials(`identity provider: no new person: ${why}`);
    }
    await this.notifications.waitUntilDelivered();
  }

  /** Updates names and groups of the user of an identity, where they have changed. */
  async update(identity: Identity, userId: string, auditContext: AuditContext): Promise<void> {
    const parameters = await this.parameters.current();
    const context = this.inNameOfProvider(auditContext);
    const hasChanged = [
      await this.updateNames(identity, userId, parameters, context),
      await this.updateGroups(identity, userId, parameters, context),
    ];
    if (hasChanged.includes(true)) await this.notifications.waitUntilDelivered();
  }

  private async makeWithin(
    transaction: Transaction,
    parameters: ParameterValues,
    { issuer, subject, login, claims, issued }: Identity & { login: string },
    auditContext: AuditContext,
  ): Promise<void> {
    await transaction.execute({
      text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
      values: [JSON.stringify([issuer, subject])],
    });
    const taken = await transaction.rows({
      text: `SELECT FROM identities WHERE issuer = $1 AND subject = $2
        UNION ALL SELECT FROM users WHERE login_key(login) = login_key($3)`,
      values: [issuer, subject, login],
    });
    // Of another sign-in, or an account that was not to be taken over.
    if (taken.length > 0) return;
    const organization = parameters.text('newUserOrganization');
    const body = {
      ...(organization !== '' && { organization: { reference: organization } }),
      ...userValues(parameters.text('userClaims'), claims),
      login,
      status: USER_STATUS.active,
    };
    const change = { resource: users, caller: SYSTEM, auditContext };
    const made = await this.writer.createWithin({ transaction }, change, this.rules, body);
    const { id } = made.representation as { id: string };
    if ('email' in body && !isEmailProven(claims))
      await transaction.execute({
        text: 'INSERT INTO unproven_emails (user_id) VALUES ($1)',
        values: [id],
      });
    await transaction.execute({
      text: `INSERT INTO identities (issuer, subject, user_id, made, claims_date)
        VALUES ($1, $2, $3, true, to_timestamp($4))`,
      values: [issuer, subject, id, issued],
    });
    await this.audit.record(transaction, auditContext, {
      action: 'bind-identity',
      objectUri: userUri(id),
      after: { issuer, subject },
    });
    const { mapped, held } = groupClaim(parameters, claims);
    const first = listed(parameters.text('newUserGroups')).filter((one) => !mapped.includes(one));
    const wanted = [...first, ...(held ?? [])];
    for (const group of await this.groupsOf(transaction, id, wanted))
      await this.setMember(transaction, auditContext, id, group);
  }

  /** @returns whether it has changed anything */
  private async updateNames(
    identity: Identity,
    userId: string,
    parameters: ParameterValues,
    auditContext: AuditContext,
  ): Promise<boolean> {
    if (!parameters.flag('updateUsers')) return false;
    const values = userValues(parameters.text('userClaims'), identity.claims);
    const wanted = Object.entries(values).filter(([name]) => UPDATED.includes(name));
    const [stored] = await this.database.query<Values>({
      text: `SELECT u.first_name AS "firstName", u.last_name AS "lastName", u.email FROM users u
        JOIN identities i ON i.user_id = u.id AND i.issuer = $2 WHERE u.id = $1 AND i.made`,
      values: [userId, identity.issuer],
    });
    if (!stored || wanted.every(([name, value]) => stored[name] === value)) return false;
    const provenUntil = isEmailProven(identity.claims) ? Infinity : 0;
    const caller = { ...SYSTEM, provenUntil };
    const change = { resource: users, caller, id: userId, auditContext };
    try {
      return await this.database.transaction(async (transaction) => {
        if (!(await this.takesClaims(transaction, identity))) return false;
        const { representation } = await this.writer.lock(change, transaction, 'FOR NO KEY UPDATE');
        const body = { ...representation, ...Object.fromEntries(wanted) };
        // The title follows the names unless somebody has chosen another.
        const { title } = this.rules.complete({
          values: { ...representation, title: null },
          before: representation,
          prepared: undefined,
        });
        if (title === representation.title) Object.assign(body, { title: null });
        await this.writer.replaceWithin({ transaction }, change, this.rules, body);
        return true;
      });
    } catch (error) {
      const why = error instanceof ApiError ? whyNot(error) : undefined;
      if (why === undefined) throw error;
      this.logger.warn(`the identity provider cannot update ${userUri(userId)}: ${why}`);
      return false;
    }
  }

  /**
   * Adds the user to the mapped groups that the claim names, and removes them from all other mapped groups.
   * @returns whether it has changed anything
   */
  private async updateGroups(
    identity: Identity,
    userId: string,
    parameters: ParameterValues,
    auditContext: AuditContext,
  ): Promise<boolean> {
    const { mapped, held } = groupClaim(parameters, identity.claims);
    if (held === undefined)
      this.logger.warn('the identity provider left out the groups of a person who has too many');
    if (held === undefined || mapped.length === 0) return false;
    const changedIn = async (reader: Reader): Promise<MappedGroup[]> =>
      (await this.groupsOf(reader, userId, mapped)).filter(
        ({ reference, isMember }) => held.includes(reference) !== isMember,
      );
    return this.database.transaction(async (transaction) => {
      // Even where nothing changes: an older token must not undo what an administrator changes from now on.
      if (!(await this.takesClaims(transaction, identity))) return false;
      const changed = await changedIn(transaction);
      for (const group of changed) await this.setMember(transaction, auditContext, userId, group);
      return changed.length > 0;
    });
  }

  /** The groups with these references. Unknown ones are left out, and those that another provider manages. */
  private async groupsOf(
    reader: Reader,
    userId: string,
    references: string[],
  ): Promise<MappedGroup[]> {
    const found = await reader.query<MappedGroup>({
      text: `SELECT g.id, g.reference, EXISTS (
          SELECT FROM group_members m WHERE m.group_id = g.id AND m.user_id = $1) AS "isMember"
        FROM groups g WHERE g.reference = ANY ($2) AND g.managed_by_id IS NULL ORDER BY g.id`,
      values: [userId, references],
    });
    const known = new Set(found.map(({ reference }) => reference));
    const unknown = references.filter((reference) => !known.has(reference));
    if (unknown.length > 0)
      this.logger.warn(
        `server parameters of the identity provider name groups that are unknown or managed elsewhere: ${unknown.join(', ')}`,
      );
    return found;
  }

  /** Makes a member of who is none, and ends a membership. */
  private async setMember(
    transaction: Transaction,
    auditContext: AuditContext,
    userId: string,
    { id, isMember }: MappedGroup,
  ): Promise<void> {
    const changed = await transaction.execute({
      text: isMember
        ? 'DELETE FROM group_members WHERE group_id = $1 AND user_id = $2'
        : 'INSERT INTO group_members (group_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      values: [id, userId],
    });
    if (changed === 0) return;
    await this.audit.record(transaction, auditContext, {
      action: isMember ? 'remove-member' : 'add-member',
      objectUri: uriOf(groups.ref.uri, id),
      after: { member: userUri(userId) },
    });
  }

  /**
   * Whether no later token was compared with the user. Otherwise an old token would bring back what the provider has taken
   * away since. Locks the identity.
   */
  private async takesClaims(
    transaction: Transaction,
    { issuer, subject, issued }: Identity,
  ): Promise<boolean> {
    const taken = await transaction.execute({
      text: `UPDATE identities SET claims_date = to_timestamp($3)
        WHERE issuer = $1 AND subject = $2 AND (claims_date IS NULL OR claims_date <= to_timestamp($3))`,
      values: [issuer, subject, issued],
    });
    return taken > 0;
  }

  private inNameOfProvider(auditContext: AuditContext): AuditContext {
    return { ...auditContext, actor: this.actor };
  }
}

/** Why values make no user, without the values; undefined for errors that say nothing about them. */
function whyNot({ status, reason, details: { fields } }: ApiError): string | undefined {
  if (fields) return fields.map(({ name, reason: { code } }) => `${name} (${code})`).join(', ');
  return [400, 403, 409].includes(status) ? reason.code : undefined;
}
