import { Injectable } from '@nestjs/common';
import { Config } from '../base/config/config.js';
import { conflict, forbidden, invalidField, notFound } from '../base/errors/api-errors.js';
import { reason } from '../base/errors/reason.js';
import { DedicatedConnection } from '../database/dedicated-connection.js';
import { Notifications } from '../database/notifications.js';
import { type AuditContext, recordAudit } from '../security/audit.service.js';
import { USER_STATUS } from '../security/user-status.js';
import { userUri } from '../security/user-uri.js';
import { warnOfResponsibilities } from './responsibilities.js';

/** The account of a person who is to be erased. */
interface Account {
  login: string;
  status: number;
  sysadmin: boolean;
  service: boolean;
  /** Whether nobody else but the system administrator would be an administrator. */
  isLast: boolean;
  /** Whether another user has the login that the person would get. */
  isTaken: boolean;
}

/** The login of a person who was erased. */
export const formerLogin = (id: string): string => `former-${id}`;

/** Erases people: everything personal goes, links to them stay (docs/api-contract.md#erasure). */
@Injectable()
export class ErasureService {
  constructor(
    private readonly config: Config,
    private readonly notifications: Notifications,
  ) {}

  /**
   * Erases a person; does nothing for one who was erased before. It reads the whole audit trail, so it has a connection of
   * its own, without the limit of a statement.
   * @param confirmed the login that the caller gave
   * @returns warnings about what still waits for the person
   * @throws ApiError 400 for another login, 403 for a service account, 404, 409 for the caller, sysadmin, the last
   * administrator, and while another user has the login
   */
  async erase(auditContext: AuditContext, id: string, confirmed: string): Promise<string[]> {
    const warnings = await DedicatedConnection.on(this.config, (session) =>
      session.transaction(async () => {
        const [account] = await session.query<Account>({ text: ACCOUNT, values: [id] });
        if (!account) throw notFound();
        if (account.login === formerLogin(id) && account.status === USER_STATUS.archived)
          return { keep: false, result: [] };
        requireErasable(account, auditContext.caller?.id === id);
        if (confirmed !== account.login) throw invalidField('login', reason('other-login'));
        if (account.isTaken)
          throw conflict(reason('former-login-taken', { login: formerLogin(id) }));
        await session.execute({ text: 'SELECT erase_person($1)', values: [id] });
        await recordAudit(session, auditContext, { action: 'erase', objectUri: userUri(id) });
        return { keep: true, result: await warnOfResponsibilities(session, id) };
      }),
    );
    await this.notifications.waitUntilDelivered();
    return warnings;
  }
}

/** The lock makes concurrent erasures of two administrators wait for each other. */
const ACCOUNT = `SELECT u.login, u.status, u.sysadmin, u.service,
    u.administrator AND NOT EXISTS (
      SELECT 1 FROM users o WHERE o.administrator AND NOT o.sysadmin AND NOT o.service AND o.id <> u.id AND o.status = ${USER_STATUS.active}
    ) AS "isLast",
    EXISTS (SELECT 1 FROM users o WHERE login_key(o.login) = 'former-' || u.id AND o.id <> u.id) AS "isTaken"
  FROM users u, pg_advisory_xact_lock(2026112805) WHERE u.id = $1`;

/** @throws ApiError 403, 409 */
function requireErasable({ sysadmin, service, isLast }: Account, isOwn: boolean): void {
  if (sysadmin) throw conflict(reason('sysadmin-deleted'));
  if (service) throw forbidden(reason('service-account'));
  if (isOwn) throw conflict(reason('own-erasure'));
  if (isLast) throw conflict(reason('last-administrator'));
}
