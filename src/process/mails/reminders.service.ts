import { Injectable } from '@nestjs/common';
import { Config } from '../../base/config/config.js';
import { Database, type Transaction } from '../../database/database.js';
import { type Mail, type Reminder, REMINDERS } from '../../mail/mail.js';
import { Outbox, type QueuedMail } from '../../mail/outbox.service.js';
import { isOpen } from '../tasks/task.resource.js';
import {
  ParametersService,
  type ParameterValues,
} from '../../security/parameters/parameters.service.js';
import { findRecipient, getsMails } from './recipients.js';
import { StopLinks } from './stop-links.service.js';
import { listedTasks, type TaskRow, writeTaskMail } from './task-mail.js';

/** Tasks per statement. */
const SLICE = 5_000;

/** A task in the order of the due dates. */
interface Place {
  id: string;
  dueDate: string;
}

/** How long the server retries the mail of a reminder, in minutes. */
const MAIL_MINUTES = 24 * 60;

/**
 * How long after its due date a task still gets its reminder, in days: a server that begins to send mails does not
 * remind people of old tasks. The digest lists them.
 */
const LATEST = 3;

/** SQL of the earliest due date of a task that gets a reminder. */
const AFTER: Record<Reminder, string> = {
  overdue: `now() - interval '${LATEST} days'`,
  'due-soon': 'now()',
};

/** SQL of whether a queued reminder still fits its task. */
const FITS = `(${isOpen('t')} AND t.assignee_id = r.user_id AND CASE r.kind
  WHEN 'overdue' THEN t.due_date <= now() ELSE t.due_date > now() END) IS TRUE`;

/**
 * Reminds the assignees of tasks that are due soon or overdue (docs/decisions/0045). A task gets each kind of reminder
 * once in its life. Reminders for one person from the same round share a mail.
 */
@Injectable()
export class RemindersService {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly parameters: ParametersService,
    private readonly config: Config,
    private readonly stopLinks: StopLinks,
  ) {
    outbox.register('reminder', {
      minutes: MAIL_MINUTES,
      isBulk: true,
      write: (mail, transaction) => this.writeMail(mail, transaction),
      finish: finishMail,
    });
  }

  /** Queues reminders for all tasks that have become due soon or overdue. */
  async decide(parameters: ParameterValues): Promise<void> {
    if (!parameters.flag('mailReminders')) return;
    await this.decideKind('overdue', 0);
    await this.decideKind('due-soon', parameters.number('mailReminderHours'));
    // A mail may leave while the round adds reminders for its recipient, who then needs another mail.
    await this.outbox.queueBulk(
      'reminder',
      'SELECT DISTINCT user_id::text FROM task_reminders WHERE user_id IS NOT NULL',
      [],
      this.database,
    );
  }

  /** @param hours before the due date */
  private async decideKind(kind: Reminder, hours: number): Promise<void> {
    let last: Place | undefined;
    do last = await this.decideSlice(kind, hours, last);
    while (last);
  }

  /**
   * Queues reminders for the next tasks in the order of their due dates. The primary key skips those that have one:
   * with an anti-join, the planner chose badly while the table grew, and a slice took 15 seconds.
   * @returns the last task of a full slice, after which the next one begins
   */
  private async decideSlice(
    kind: Reminder,
    hours: number,
    last: Place | undefined,
  ): Promise<Place | undefined> {
    const rows = await this.database.query<Place>({
      text: `WITH slice AS MATERIALIZED (
          SELECT t.id, t.due_date, t.assignee_id, ${isOpen('t')} AS open FROM tasks t
          WHERE (t.due_date, t.id) > (coalesce($2::timestamptz, ${AFTER[kind]}), coalesce($3::bigint, 0))
            AND t.due_date <= now() + make_interval(hours => $1)
          ORDER BY t.due_date, t.id LIMIT ${SLICE}
        ), decided AS (
          INSERT INTO task_reminders (task_id, kind, user_id)
          SELECT s.id, $4, s.assignee_id FROM slice s JOIN users u ON u.id = s.assignee_id
          WHERE s.open AND ${getsMails('u', 'reminders')}
          ON CONFLICT DO NOTHING
        )
        SELECT id, due_date AS "dueDate" FROM slice ORDER BY due_date, id OFFSET ${SLICE - 1}`,
      values: [hours, last?.dueDate ?? null, last?.id ?? null, kind],
      // The best plan depends on the bounds.
      prepared: false,
    });
    return rows[0];
  }

  /** Writes the mail of a person with the queued reminders that still fit when it is sent. */
  private async writeMail(
    { id, recipient }: QueuedMail,
    transaction: Transaction,
  ): Promise<Mail | undefined> {
    const parameters = await this.parameters.current();
    const to = await findRecipient(transaction, recipient, 'reminders');
    if (!to || !parameters.flag('mailReminders')) {
      await settle(transaction, 'true', [recipient]);
      return undefined;
    }
    await dropUnfit(transaction, recipient);
    await transaction.execute({
      text: 'UPDATE task_reminders SET mail_id = $2 WHERE user_id = $1',
      values: [recipient, id],
    });
    const rows = await transaction.query<TaskRow<Reminder>>({
      text: listedTasks(
        'task_reminders r JOIN tasks t ON t.id = r.task_id WHERE r.user_id = $1',
        'r.kind',
        REMINDERS,
        '$2',
      ),
      values: [recipient, to.locale],
    });
    if (rows.length === 0) return undefined;
    const stopPath = await this.stopLinks.pathOf({ kind: 'reminders', userId: recipient });
    const mail = { kind: 'reminder', to, parts: REMINDERS, rows, stopPath } as const;
    return writeTaskMail(mail, this.config, parameters);
  }
}

/**
 * Withdraws reminders that no longer fit: the task is closed, or has another assignee or due date. The server can queue
 * a reminder again if it never tried to send it. One that it tried may have arrived, and counts.
 */
async function dropUnfit(transaction: Transaction, recipient: string): Promise<void> {
  await transaction.execute({
    text: `DELETE FROM task_reminders r USING tasks t
      WHERE r.user_id = $1 AND t.id = r.task_id AND r.mail_id IS NULL AND NOT ${FITS}`,
    values: [recipient],
  });
  const unfit = `task_id IN (SELECT r.task_id FROM task_reminders r JOIN tasks t ON t.id = r.task_id
    WHERE r.user_id = $1 AND r.kind = task_reminders.kind AND NOT ${FITS})`;
  await settle(transaction, unfit, [recipient]);
}

const finishMail = ({ id, recipient }: QueuedMail, transaction: Transaction): Promise<void> =>
  settle(transaction, 'mail_id = $2', [recipient, id]);

/** Marks the reminders of a person that match a condition as needing no mail. */
async function settle(
  transaction: Transaction,
  condition: string,
  values: string[],
): Promise<void> {
  await transaction.execute({
    text: `UPDATE task_reminders SET user_id = NULL WHERE user_id = $1 AND ${condition}`,
    values,
  });
}
