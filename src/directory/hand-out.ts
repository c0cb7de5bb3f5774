import { forbidden } from '../base/errors/api-errors.js';
import { reason } from '../base/errors/reason.js';
import { type Grant, Rights } from '../base/rights/rights.js';
import type { Reader } from '../database/database.js';
import { linkIdIn } from '../resources/attributes/link-input.js';
import type { PendingWrite } from '../resources/write/pending-write.js';
import type { Caller } from '../security/caller.js';

/** What decides who may manage an account. */
export interface ManagedAccount {
  rights: Rights;
  /** Whether it is the account of a program. */
  isService: boolean;
}

/** SQL of what an account `u` may do: its roles, and what the sources and endpoints that name it permit. */
export const RIGHTS_OF_ACCOUNT = `(u.rights
    || CASE WHEN EXISTS (SELECT FROM sources s WHERE s.service_account_id = u.id) THEN '[{"permissions":["sources:push"]}]' ELSE '[]' END::jsonb
    || CASE WHEN EXISTS (SELECT FROM endpoints e WHERE e.account_id = u.id) THEN '[{"permissions":["endpoints:work"]}]' ELSE '[]' END::jsonb)`;

/** An account; undefined when there is none with this id. */
export async function accountOf(reader: Reader, id: string): Promise<ManagedAccount | undefined> {
  const [row] = await reader.query<{ rights: string; sysadmin: boolean; service: boolean }>({
    text: `SELECT ${RIGHTS_OF_ACCOUNT}::text AS rights, u.sysadmin, u.service FROM users u WHERE u.id = $1`,
    values: [id],
  });
  return row && { rights: Rights.of(row.rights, row.sysadmin), isService: row.service };
}

/** Whether a write makes another person the account of something, by a link: neither the caller nor a service account. */
export async function appointsAnother(
  { values, before, change: { caller }, transaction }: PendingWrite,
  name: string,
): Promise<boolean> {
  const [id, former] = [values, before].map((state) =>
    linkIdIn(state?.[name], ['/directory/users']),
  );
  if (id === undefined || id === former || id === caller.id) return false;
  return (await accountOf(transaction, id))?.isService === false;
}

/**
 * Nobody hands out more than they have.
 * @throws ApiError 403 naming what the caller lacks
 */
export function requireGrantable({ rights }: Caller, grant: Grant): void {
  const lacking = rights.lackOf(Rights.of(JSON.stringify([grant])));
  if (lacking.length > 0) throw forbidden(reason('more-than-own', { permissions: lacking }));
}

/**
 * Protects accounts that may do more than the caller: a password for one of them would give the caller its rights.
 * @param isService whether a service account is to be managed; those are managed at their own resource alone
 * @throws ApiError 403
 */
export async function requireRightsOf(
  reader: Reader,
  caller: Caller,
  id: string,
  isService = false,
): Promise<void> {
  if (caller.id === id) return;
  const account = await accountOf(reader, id);
  if (!account) return;
  if (account.isService && !isService) throw forbidden(reason('service-account'));
  requireNotMore(caller, account.rights);
}

/**
 * The same for a provider, which keeps every person but the system administrator: who leaves the company may be an
 * administrator here. Of an account with rights it cannot change what decides who signs in to it, because an identity
 * provider finds the account by its login or address.
 * @param provider undefined for everybody else
 * @param changed the attributes that the write changes, and whether it lets the person in
 * @throws ApiError 403
 */
export async function requireMayManage(
  reader: Reader,
  caller: Caller,
  id: string,
  provider: string | undefined,
  changed: string[] = [],
): Promise<void> {
  if (provider === undefined) return requireRightsOf(reader, caller, id);
  const account = await accountOf(reader, id);
  if (account?.isService) throw forbidden(reason('service-account'));
  if (account?.rights.isSysadmin) throw forbidden(reason('other-account'));
  if (changed.length > 0 && account && hasRights(account))
    throw forbidden(reason('attributes-forbidden', { attributes: changed }));
}

const NO_RIGHTS = Rights.of('[]');

/** Whether an account may do more than everybody. */
export const hasRights = ({ rights }: ManagedAccount): boolean => !NO_RIGHTS.covers(rights);

/** Protects the account of sysadmin. @throws ApiError 403 */
export function requireSysadmin(caller: Caller): void {
  if (!caller.sysadmin) throw forbidden(reason('other-account'));
}

/** @throws ApiError 403 for the rights of an account that may do more than the caller */
export function requireNotMore(caller: Caller, others: Rights): void {
  if (others.isSysadmin) requireSysadmin(caller);
  const lacking = caller.rights.lackOf(others);
  if (lacking.length > 0) throw forbidden(reason('more-rights', { permissions: lacking }));
}
