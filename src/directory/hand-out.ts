import { forbidden } from '../base/errors/api-errors.js';
import { reason } from '../base/errors/reason.js';
import { type Grant, Rights } from '../base/rights/rights.js';
import type { Reader } from '../database/database.js';
import type { Caller } from '../security/caller.js';

/** The rights of a user; undefined when there is no such user. */
export async function rightsOf(reader: Reader, id: string): Promise<Rights | undefined> {
  const [row] = await reader.query<{ rights: string; sysadmin: boolean }>({
    text: 'SELECT rights::text, sysadmin FROM users WHERE id = $1',
    values: [id],
  });
  return row && Rights.of(row.rights, row.sysadmin);
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
 * @throws ApiError 403
 */
export async function requireRightsOf(reader: Reader, caller: Caller, id: string): Promise<void> {
  if (caller.id === id) return;
  const rights = await rightsOf(reader, id);
  if (rights) requireNotMore(caller, rights);
}

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
