import { Injectable } from '@nestjs/common';
import { Config } from '../../base/config/config.js';
import { Database, type Transaction } from '../../database/database.js';
import { DIGEST_PARTS, type DigestPart, type Mail } from '../../mail/mail.js';
import { Outbox, type QueuedMail } from '../../mail/outbox.service.js';
import { isOpen, waitingTasks } from '../tasks/task.resource.js';
import {
  ParametersService,
  type ParameterValues,
} from '../../security/parameters/parameters.service.js';
import { findRecipient, getsMails } from './recipients.js';
import { StopLinks } from './stop-links.service.js';
import { listedTasks, type TaskRow, writeTaskMail } from './task-mail.js';

/** People per transaction. */
const SLICE = 500;

/** How long the server retries a digest, in minutes: it is of use on its day. */
const MAIL_MINUTES = 12 * 60;

/** The longest time in days for which tasks are new, after days without a digest. */
const LONGEST_NEW = 3;

/**
 * How many hours after midnight a digest may still begin that was due shortly before midnight: rounds are minutes
 * apart.
 */
const AFTER_MIDNIGHT = 2;

/** SQL of the end of the day of the digest; `zone` is SQL of the time zone. */
const endOfDay = (zone: string): string =>
  `(SELECT (d.digest_day + 1)::timestamp AT TIME ZONE ${zone} FROM task_mail_rounds d)`;

/** SQL of the open tasks `t` that a digest lists: overdue, due on its day, or new since the last one. */
const isTold = (zone: string): string =>
  `${isOpen('t')} AND (t.due_date < ${endOfDay(zone)} OR t.creation_date >= (SELECT d.new_since FROM task_mail_rounds d))`;

/**
 * Sends people a digest of their tasks, at most once a day (docs/decisions/0045). It lists the tasks that are theirs,
 * and those without an assignee that they may take.
 */
@Injectable()
export class DigestService {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly parameters: ParametersService,
    private readonly config: Config,
    private readonly stopLinks: StopLinks,
  ) {
    outbox.register('digest', {
      minutes: MAIL_MINUTES,
      isBulk: true,
      write: (mail, transaction) => this.writeMail(mail, transaction),
    });
  }

  /** Queues the digests of the day, once it is time for them. */
  async decide(parameters: ParameterValues): Promise<void> {
    if (!parameters.flag('mailDigest')) return;
    const [zone, time] = [parameters.timeZone, parameters.text('digestTime')];
    await this.beginDay(zone, time);
    while (await this.database.transaction((transaction) => this.queueSlice(transaction, zone)));
  }

  /** Begins with the first person, unless this day was begun already. */
  private async beginDay(zone: string, time: string): Promise<void> {
    await this.database.execute({
      text: `WITH due AS (
          SELECT local, local::date - (local::time < $2::time)::integer AS day FROM (SELECT now() AT TIME ZONE $1 AS local) n)
        UPDATE task_mail_rounds SET digest_day = due.day, digest_start = now(), after_user = 0,
          new_since = greatest(coalesce(digest_start, now() - interval '1 day'), now() - interval '${LONGEST_NEW} days')
        FROM due WHERE (digest_day IS NULL OR digest_day < due.day)
          AND (due.day = local::date OR local < due.day + $2::time + interval '${AFTER_MIDNIGHT} hours')`,
      values: [zone, time],
    });
  }

  /**
   * Queues the digests of the next people. The same transaction stores how far it went, so each person gets exactly
   * one, whichever process continues.
   * @returns whether there are more people
   */
  private async queueSlice(transaction: Transaction, zone: string): Promise<boolean> {
    const [round] = await transaction.query<{ after: string }>({
      text: 'SELECT after_user AS after FROM task_mail_rounds WHERE after_user IS NOT NULL FOR UPDATE',
      values: [],
    });
    if (!round) return false;
    const [last] = await transaction.query<{ id: string }>({
      text: `SELECT id FROM users WHERE id > $1 ORDER BY id OFFSET ${SLICE - 1} LIMIT 1`,
      values: [round.after],
    });
    const until = last?.id ?? null;
    await this.outbox.queueBulk('digest', RECIPIENTS, [round.after, until, zone], transaction);
    await transaction.execute({
      text: 'UPDATE task_mail_rounds SET after_user = $1',
      values: [until],
    });
    return until !== null;
  }

  /** Writes the digest of a person from the tasks as they are when it is sent. */
  private async writeMail(
    { recipient }: QueuedMail,
    transaction: Transaction,
  ): Promise<Mail | undefined> {
    const parameters = await this.parameters.current();
    if (!parameters.flag('mailDigest')) return undefined;
    const to = await findRecipient(transaction, recipient, 'digest');
    if (!to) return undefined;
    const rows = await transaction.query<TaskRow<DigestPart>>({
      text: listedTasks(
        `tasks t WHERE ${waitingTasks('t', '$1')} AND (t.assignee_id IS NULL OR t.assignee_id = $1::bigint) AND ${isTold('$3')}`,
        `CASE WHEN t.due_date < now() THEN 'overdue' WHEN t.due_date < ${endOfDay('$3')} THEN 'today' ELSE 'new' END`,
        DIGEST_PARTS,
        '$2',
      ),
      values: [recipient, to.locale, parameters.timeZone],
    });
    if (rows.length === 0) return undefined;
    const stopPath = await this.stopLinks.pathOf({ kind: 'digest', userId: recipient });
    const mail = { kind: 'digest', to, parts: DIGEST_PARTS, rows, stopPath } as const;
    return writeTaskMail(mail, this.config, parameters);
  }
}

/** SQL of whether a digest would list a task of a person or a group `p`. */
const HAS_NEWS = `EXISTS (SELECT 1 FROM tasks t WHERE t.assignee_id = p.id AND ${isTold('$4')})
  OR EXISTS (SELECT 1 FROM tasks t WHERE t.group_id = p.id AND t.assignee_id IS NULL AND ${isTold('$4')})
  OR EXISTS (SELECT 1 FROM task_candidates c JOIN tasks t ON t.id = c.task_id
    WHERE c.principal_id = p.id AND c.open AND t.assignee_id IS NULL AND ${isTold('$4')})`;

/**
 * SQL of the people after `$2` and up to `$3` (null: all) who get a digest; `$4` is the time zone. It checks each group
 * once, however many of its members are among these people.
 */
const RECIPIENTS = `WITH person AS MATERIALIZED (
    SELECT u.id FROM users u
    WHERE u.id > $2 AND ($3::bigint IS NULL OR u.id <= $3) AND ${getsMails('u', 'digest')}
  ), concerned AS MATERIALIZED (
    SELECT id AS user_id, id AS principal_id FROM person
    UNION ALL SELECT m.user_id, m.group_id FROM group_members m JOIN person ON person.id = m.user_id
  ), with_news AS MATERIALIZED (
    SELECT p.id FROM (SELECT DISTINCT principal_id AS id FROM concerned) AS p WHERE ${HAS_NEWS}
  )
  SELECT DISTINCT c.user_id::text FROM concerned c JOIN with_news ON with_news.id = c.principal_id`;
