import { Injectable } from '@nestjs/common';
import { MAX_PASSWORD } from '../auth/credentials/password-rules.js';
import { type NewPassword, PasswordsService } from '../auth/credentials/passwords.service.js';
import { Notifications } from '../database/notifications.js';
import { isBlank } from '../base/validation/class-validation.js';
import {
  badPassword,
  conflict,
  forbidden,
  type InvalidField,
  missingPermission,
} from '../base/errors/api-errors.js';
import type { Transaction } from '../database/database.js';
import { requireGrantable, requireMayManage, requireRightsOf } from './hand-out.js';
import type { Change, PendingWrite, Values } from '../resources/write/pending-write.js';
import type { WriteHooks } from '../resources/write/write-hooks.js';
import {
  hasPermissionWith,
  requirePermissionWith,
} from '../resources/http/require-permission-with.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { AuditService } from '../security/audit.service.js';
import type { Caller } from '../security/caller.js';
import { hasRecentProof, requireRecentProof } from '../security/recent-proof.js';
import { USER_STATUS } from '../security/user-status.js';
import { userUri } from '../security/user-uri.js';
import { warnOfResponsibilities } from './responsibilities.js';
import { MAX_TITLE, users } from './user.resource.js';
import { reason } from '../base/errors/reason.js';

/** The login of the system administrator, which cannot change. */
export const SYSADMIN = 'sysadmin';
const setCredentialsOf = (id: string) =>
  ({ resource: users, id, permission: 'users:set-credentials' }) as const;
const OWN_PASSWORD = '/api/v2/directory/users/{id}/password, with the current one';

/** The write hooks of users: the password, defaults, protection of the account of sysadmin. */
@Injectable()
export class UserRules implements WriteHooks {
  constructor(
    private readonly passwords: PasswordsService,
    private readonly notifications: Notifications,
    private readonly reader: ResourceReader,
    private readonly audit: AuditService,
  ) {}

  isOwner(caller: Caller, before: Values): boolean {
    return caller.id === before.id;
  }

  /**
   * Evaluates the password of another user before the transaction. Callers change their own password by another route,
   * which requires the current one, so that a person who finds an open session cannot take over the account.
   */
  async prepare({ caller, id }: Change, { password }: Values): Promise<NewPassword | undefined> {
    if (password === undefined || password === null) return undefined;
    if (caller.id === id) throw forbidden(reason('own-password', { call: `PUT ${OWN_PASSWORD}` }));
    if (id !== undefined) {
      await requireRightsOf(this.reader.database, caller, id);
      await requirePermissionWith(this.reader, caller, setCredentialsOf(id));
      requireRecentProof(caller);
    }
    if (typeof password !== 'string') return undefined;
    if ([...password].length > MAX_PASSWORD) return undefined;
    return this.passwords.evaluate(password, id);
  }

  complete({
    values,
    before,
    prepared,
  }: Pick<PendingWrite, 'values' | 'before' | 'prepared'>): Values {
    return completeUser(values, before === undefined, prepared !== undefined);
  }

  async beforeWrite({
    values,
    before,
    faults,
    prepared,
    change: { caller, id, provider },
    transaction,
  }: PendingWrite): Promise<InvalidField[]> {
    if (id !== undefined)
      await requireMayManage(transaction, caller, id, provider, lettingIn(values, before));
    // An identity provider finds the account by its login, so that it is as good as a password.
    const isRenamed = before !== undefined && 'login' in values && values.login !== before.login;
    if (isRenamed && provider === undefined && caller.id !== id)
      await requirePermissionWith(this.reader, caller, setCredentialsOf(id!), transaction);
    await requireMayPromote(caller, values, before, transaction);
    if (before?.reference === SYSADMIN) keepSysadmin(values);
    const { codes = [] } = (prepared ?? {}) as Partial<NewPassword>;
    // A body with invalid attributes and a bad password gets the ValidationError first.
    if (faults.length === 0 && codes.length > 0) throw badPassword(codes);
    return [];
  }

  /**
   * The attributes that decide who can sign in to an account, and with which rights: an identity provider's token names
   * the login, and the status allows a sign-in or an invitation.
   */
  asksForProof(
    { values, before, change: { caller, id } }: PendingWrite,
    changed: string[],
  ): boolean {
    const isPromoted = ['administrator', 'processEngine'].some(
      (role) => changed.includes(role) && values[role] === true,
    );
    if (before === undefined) return isPromoted || changed.includes('password');
    const isLetIn =
      changed.includes('status') &&
      [USER_STATUS.active, USER_STATUS.invited].includes(values.status as number);
    const isOwnAddress = caller.id === id && changed.includes('email');
    return isPromoted || changed.includes('login') || isLetIn || isOwnAddress;
  }

  async afterWrite(
    { change, values, before, prepared, transaction }: PendingWrite,
    id: string,
  ): Promise<void> {
    if (before && 'email' in values && values.email !== before.email)
      await transaction.execute(
        (await this.provesAddress(change.caller, id, transaction))
          ? { text: 'DELETE FROM unproven_emails WHERE user_id = $1', values: [id] }
          : {
              text: 'INSERT INTO unproven_emails (user_id) VALUES ($1) ON CONFLICT DO NOTHING',
              values: [id],
            },
      );
    if (prepared === undefined) return;
    const password = prepared as NewPassword;
    const endedApiKeys = await this.passwords.set(id, password, transaction, { endsOthers: true });
    await this.audit.record(transaction, change.auditContext, {
      action: 'change-password',
      objectUri: userUri(id),
      after: { endedApiKeys },
    });
  }

  /**
   * Whether a forgotten password may go to an address that the caller writes: a mail to a chosen address is as good as a
   * password, so that of another person takes the permission to set one.
   */
  private async provesAddress(
    caller: Caller,
    id: string,
    transaction: Transaction,
  ): Promise<boolean> {
    if (!hasRecentProof(caller)) return false;
    if (caller.id === id) return true;
    return hasPermissionWith(this.reader, caller, setCredentialsOf(id), transaction);
  }

  /** Says what a user who becomes inactive leaves behind. */
  async warn({ values, before, transaction }: PendingWrite, id: string): Promise<string[]> {
    const hasLeft = ({ status }: Values): boolean => GONE.includes(status as number);
    if (!before || hasLeft(before) || !hasLeft(values)) return [];
    return warnOfResponsibilities(transaction, id);
  }

  /** Makes ended tokens and changed roles effective for the next request. */
  afterCommit(): Promise<void> {
    return this.notifications.waitUntilDelivered();
  }

  async checkDelete(
    caller: Caller,
    { id, reference }: Values,
    transaction: Transaction,
    provider?: string,
  ): Promise<void> {
    if (reference === SYSADMIN) throw conflict(reason('sysadmin-deleted'));
    await requireMayManage(transaction, caller, String(id), provider);
  }

  warnOfDeletion({ id }: Values, transaction: Transaction): Promise<string[]> {
    return warnOfResponsibilities(transaction, String(id));
  }
}

/** The changed attributes that decide who can sign in to an account; the status unless it shuts the person out. */
const lettingIn = (values: Values, before: Values | undefined): string[] =>
  ['login', 'email', 'status'].filter(
    (name) =>
      name in values &&
      values[name] !== before?.[name] &&
      !(name === 'status' && GONE.includes(values.status as number)),
  );

/** The statuses of users who have left. */
const GONE: number[] = [USER_STATUS.inactive, USER_STATUS.archived];

/** The attributes that are a role of the user, and its reference. */
const ROLES = { administrator: 'administrator', processEngine: 'process-engine' };

/**
 * Two attributes of a user are roles (docs/api-contract.md#roles): who sets one assigns the role, or takes it away.
 * @throws ApiError 403
 */
async function requireMayPromote(
  caller: Caller,
  values: Values,
  before: Values | undefined,
  transaction: Transaction,
): Promise<void> {
  const changed = Object.entries(ROLES).filter(
    ([name]) =>
      name in values && values[name] !== (before?.[name] ?? false) && values[name] !== null,
  );
  if (changed.length === 0) return;
  const action = changed.some(([name]) => values[name] === true) ? 'create' : 'delete';
  if (!caller.rights.permits(`role-assignments:${action}`))
    throw missingPermission(`role-assignments:${action}`);
  const roles = await transaction.query<{ permissions: string[] }>({
    text: 'SELECT permissions FROM roles WHERE shipped AND reference = ANY ($1)',
    values: [changed.map(([, role]) => role)],
  });
  for (const { permissions } of roles) requireGrantable(caller, { permissions });
}

/** Fills blank values: the title from the names, the status of a new user (without a password: invited). */
export function completeUser(values: Values, isNew: boolean, hasPassword = false): Values {
  const { title, status, firstName, lastName } = values;
  const isTitleBlank = title === null || (typeof title === 'string' && isBlank(title));
  return {
    ...values,
    ...(isTitleBlank && { title: titleOf(firstName, lastName) }),
    ...(isNew &&
      status === null && { status: hasPassword ? USER_STATUS.active : USER_STATUS.invited }),
  };
}

/** The default title, made from the names and cut to the maximum length. */
function titleOf(...names: unknown[]): string {
  const title = names.filter(isFilledText).join(' ');
  return [...title].slice(0, MAX_TITLE).join('');
}

/** The hook runs before the validation, so a name can have any type. */
const isFilledText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Keeps sysadmin able to sign in, as the account that can repair everything else. */
function keepSysadmin(values: Values): void {
  const isDeprived =
    ('status' in values && values.status !== USER_STATUS.active) ||
    ('administrator' in values && values.administrator !== true) ||
    values.login !== SYSADMIN;
  if (isDeprived) throw conflict(reason('sysadmin-protected'));
}
