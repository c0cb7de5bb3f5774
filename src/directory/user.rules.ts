import { Injectable } from '@nestjs/common';
import { MAX_PASSWORD } from '../credentials/password-rules.js';
import { PasswordsService } from '../credentials/passwords.service.js';
import { Notifications } from '../database/notifications.js';
import { conflict, forbidden, invalid } from '../errors/refusals.js';
import { text } from '../resources/attributes.js';
import type { Draft, WriteRules } from '../resources/draft.js';
import type { Caller } from '../security/caller.js';

const ACTIVE = 1;
const INVITED = 2;
/** Its login, which cannot change. */
export const SYSADMIN = 'sysadmin';

/** What users add to the common way of writing: the password, defaults, the account of sysadmin. */
@Injectable()
export class UserRules implements WriteRules {
  readonly secret = { password: text({ max: 4096 }) };

  constructor(
    private readonly passwords: PasswordsService,
    private readonly notifications: Notifications,
  ) {}

  isOwner(caller: Caller, before: Record<string, unknown>): boolean {
    return caller.id === before.id;
  }

  async check({ values, before, bad, id, transaction, caller }: Draft): Promise<void> {
    if (before?.reference === SYSADMIN) requireSysadmin(caller);
    const password = typeof values.password === 'string' ? values.password : undefined;
    completeUser(values, before === undefined, password !== undefined);
    if (password !== undefined && [...password].length > MAX_PASSWORD)
      bad.push({ name: 'password', message: `must have at most ${MAX_PASSWORD} characters` });
    if (before?.reference === SYSADMIN) keepSysadmin(values);
    // A body that fails both ways learns of its attributes first.
    if (bad.length > 0) throw invalid(bad);
    if (password !== undefined) await this.passwords.check(password, id, transaction);
  }

  async stored({ id, values, transaction, caller }: Draft & { id: string }): Promise<void> {
    if (typeof values.password !== 'string') return;
    const keptTokenId = caller.id === id ? caller.tokenId : undefined;
    await this.passwords.set(id, values.password, transaction, keptTokenId);
  }

  /** Tokens that ended and roles that changed hold for the next call. */
  committed(): Promise<void> {
    return this.notifications.settle();
  }

  checkDelete(_caller: Caller, { reference }: Record<string, unknown>): void {
    if (reference === SYSADMIN) throw conflict('The system administrator cannot be deleted');
  }
}

/** What is left blank: the title is made from the names, who has no password yet is invited. */
export function completeUser(
  values: Record<string, unknown>,
  isNew: boolean,
  hasPassword = false,
): void {
  if (values.title === null || values.title === '')
    values.title = [values.firstName, values.lastName].filter(Boolean).join(' ');
  if (isNew && values.status === null) values.status = hasPassword ? ACTIVE : INVITED;
}

/** An administrator who could set its password could become the system administrator. */
export function requireSysadmin(caller: Caller): void {
  if (!caller.sysadmin) throw forbidden('Only the system administrator may change this account');
}

/** The one account that can always help cannot be shut out. */
function keepSysadmin(values: Record<string, unknown>): void {
  const isDeprived =
    ('status' in values && values.status !== ACTIVE) ||
    ('administrator' in values && values.administrator !== true) ||
    values.login !== SYSADMIN;
  if (isDeprived)
    throw conflict('The system administrator cannot be renamed, deactivated or deprived');
}
