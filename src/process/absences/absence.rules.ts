import { Injectable } from '@nestjs/common';
import { Any, Not, Raw } from 'typeorm';
import type { Transaction } from '../../database/database.js';
import { User } from '../../directory/user.entity.js';
import { users } from '../../directory/user.resource.js';
import { requireSysadmin } from '../../directory/hand-out.js';
import { SYSADMIN } from '../../directory/user.rules.js';
import { conflict, forbidden, type InvalidField } from '../../base/errors/api-errors.js';
import { linkIdIn } from '../../resources/attributes/link-input.js';
import type { Ref } from '../../resources/ref.js';
import { uriOf } from '../../resources/uri.js';
import { faultsOfReference } from '../../resources/write/given-reference.js';
import {
  type PendingWrite,
  validValues,
  type Values,
} from '../../resources/write/pending-write.js';
import type { WriteHooks } from '../../resources/write/write-hooks.js';
import type { Caller } from '../../security/caller.js';
import { USER_STATUS } from '../../security/user-status.js';
import { chainedRules, closingRule } from './absence-circles.js';
import { Absence } from './absence.entity.js';
import { AbsenceMails } from './absence-mails.service.js';
import { applications } from '../applications/application.resource.js';
import { reason } from '../../base/errors/reason.js';

/** The advisory lock of every write of a rule: each write sees the others' rules before it decides. */
const LOCK = 2_026_112_404;

/** Longest absence in days: a year. A rule that a person forgot, or an intruder set up, ends by itself. */
const MAX_DAYS = 366;
const DAY = 86_400_000;

/** Absences of one person that have not ended. */
const MOST_OF_ONE = 100;

/** Who may write absences, and which rules fit together (docs/api-contract.md#absences). */
@Injectable()
export class AbsenceRules implements WriteHooks {
  readonly ownerMayDelete = true;
  readonly constraints = { absences_overlap: () => conflict(reason('absences-overlap')) };

  constructor(private readonly mails: AbsenceMails) {}

  mayCreate(): boolean {
    return true;
  }

  isOwner(caller: Caller, { user }: Values): boolean {
    return userIn(user) === caller.id;
  }

  /** Without a name it is the absence of the caller. */
  complete({ change, values, before }: Pick<PendingWrite, 'change' | 'values' | 'before'>): Values {
    return before || (values.user ?? null) !== null
      ? values
      : { ...values, user: uriOf(users.ref.uri, change.caller.id) };
  }

  beforeWrite(write: PendingWrite): Promise<InvalidField[]> {
    return checkAbsence(write);
  }

  /**
   * A substitute sees and decides the tasks of another person, whatever password that person sets. Shortening an
   * absence asks for no proof, so that any session can end it.
   */
  asksForProof({ before, values }: PendingWrite, changed: string[]): boolean {
    if (!before) return true;
    const { startDate, endDate } = { ...before, ...values };
    const isLonger =
      !(moment(startDate) >= moment(before.startDate)) ||
      !(moment(endDate) <= moment(before.endDate));
    return isLonger || WIDENING.some((name) => changed.includes(name));
  }

  async afterWrite({ transaction }: PendingWrite, id: string): Promise<void> {
    await this.mails.queue(id, transaction);
  }

  afterCommit(): Promise<void> {
    this.mails.wake();
    return Promise.resolve();
  }

  checkDelete(caller: Caller, { user }: Values): void {
    if ((user as Ref).reference === SYSADMIN) requireSysadmin(caller);
  }
}

/** The attributes whose change gives tasks to a person who did not have them. */
const WIDENING = ['user', 'substitute', 'application'];

const userIn = (value: unknown): string | undefined => linkIdIn(value, [users.ref.uri]);

const moment = (value: unknown): number => Date.parse(String(value));

/** A rule before it is stored. */
interface Rule {
  /** Undefined for a new one. */
  id: string | undefined;
  user: string;
  substitute: string;
  /** Null for all applications. */
  application: string | null;
  start: string;
  end: string;
}

async function checkAbsence(write: PendingWrite): Promise<InvalidField[]> {
  const { before, change, transaction } = write;
  const { user, substitute, startDate, endDate, application } = {
    ...before,
    ...validValues(write),
  };
  const { caller } = change;
  const userId = userIn(user);
  const isOther = userId !== undefined && userId !== caller.id;
  if (isOther && !caller.rights.permits('absences:change'))
    throw forbidden(reason('absence-of-others'));
  if (await isSysadmin(transaction, [userId, userIn(before?.user)])) requireSysadmin(caller);
  const faults: InvalidField[] = caller.rights.permits('absences:change')
    ? []
    : faultsOfReference('ABSENCE', write.values, before);
  const substituteId = userIn(substitute);
  if (substituteId !== undefined && substituteId === userId)
    faults.push({ name: 'substitute', reason: reason('own-substitute') });
  else if (substituteId !== undefined && (await isInactive(transaction, substituteId)))
    faults.push({ name: 'substitute', reason: reason('inactive-substitute') });
  const start = String(startDate);
  const end = String(endDate);
  if (moment(end) <= moment(start))
    faults.push({ name: 'endDate', reason: reason('not-after', { other: 'startDate' }) });
  if (moment(end) > moment(start) + MAX_DAYS * DAY)
    faults.push({ name: 'endDate', reason: reason('absence-too-long', { days: MAX_DAYS }) });
  if (faults.length > 0 || write.faults.length > 0) return faults;
  await requireFit(transaction, {
    id: change.id,
    user: userId!,
    substitute: substituteId!,
    application: await applicationOf(write, application),
    start,
    end,
  });
  return [];
}

/** Whether sysadmin is among some people. */
const isSysadmin = (transaction: Transaction, ids: (string | undefined)[]): Promise<boolean> =>
  transaction.of(User).existsBy({ sysadmin: true, id: Any(ids.filter((id) => id !== undefined)) });

/** The check of the link reports a user who does not exist. */
const isInactive = (transaction: Transaction, id: string): Promise<boolean> =>
  transaction.of(User).existsBy({ id, status: Not(USER_STATUS.active) });

/** The caller reads null for a hidden application; the stored one stays. */
async function applicationOf(
  { before, change, transaction }: PendingWrite,
  application: unknown,
): Promise<string | null> {
  const id = linkIdIn(application, [applications.ref.uri]);
  if (id !== undefined) return id;
  if (!before || before.application !== null) return null;
  const stored = await transaction.of(Absence).findOneByOrFail({ id: change.id! });
  return stored.applicationId;
}

/** @throws ApiError 409 with the reference of the conflicting rule */
async function requireFit(transaction: Transaction, rule: Rule): Promise<void> {
  await transaction.rows({ text: 'SELECT pg_advisory_xact_lock($1)', values: [LOCK] });
  const overlapping = await overlappingRule(transaction, rule);
  if (overlapping !== undefined)
    throw conflict(reason('absences-overlap-with', { reference: overlapping }));
  await requireFew(transaction, rule);
  const others = await chainedRules(transaction, rule, rule.id);
  const closing = closingRule(
    { ...rule, start: Date.parse(rule.start), end: Date.parse(rule.end) },
    others,
  );
  if (closing !== undefined) throw conflict(reason('circle-of-absences', { reference: closing }));
}

/** The search for circles follows the rules of all possible substitutes. */
async function requireFew(transaction: Transaction, { user, id }: Rule): Promise<void> {
  const count = await transaction.of(Absence).countBy({
    userId: user,
    endDate: Raw((column) => `${column} > now()`),
    ...(id !== undefined && { id: Not(id) }),
  });
  if (count >= MOST_OF_ONE) throw conflict(reason('too-many-absences', { max: MOST_OF_ONE }));
}

async function overlappingRule(
  transaction: Transaction,
  { id, user, application, start, end }: Rule,
): Promise<string | undefined> {
  const [row] = await transaction.rows({
    text: OVERLAPPING,
    values: [user, application, start, end, id ?? null],
  });
  return row && String(row[0]);
}

/** Another rule of the same person and scope at the same time. */
const OVERLAPPING = `SELECT reference FROM absences
  WHERE user_id = $1 AND application_id IS NOT DISTINCT FROM $2::bigint
    AND tstzrange(start_date, end_date) && tstzrange($3::timestamptz, $4::timestamptz) AND id IS DISTINCT FROM $5::bigint
  ORDER BY start_date LIMIT 1`;
