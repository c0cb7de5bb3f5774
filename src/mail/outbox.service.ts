import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Database, type Reader, type Transaction } from '../database/database.js';
import { AuditService } from '../security/audit.service.js';
import type { Mail, MailKind, TaskMailKind } from './mail.js';
import { CONNECTIONS, isRejected, isUnreachable, Smtp } from './smtp.service.js';

/** How often the outbox is searched for mails that are due, in milliseconds. */
const INTERVAL = 5_000;

/**
 * The wait after the first attempt in seconds, which doubles with every further one up to the maximum. It is longer
 * than an attempt usually takes, so that no other process sends the same mail meanwhile.
 */
const FIRST_WAIT = 120;
const MAX_WAIT = 3_600;

/** A mail in the outbox. */
export interface QueuedMail {
  id: string;
  kind: MailKind;
  /** The id of a user, or a login as the caller typed it. */
  recipient: string;
}

/** Writes one kind of mail, immediately before it is sent. */
export interface MailWriter {
  /** How long the server retries it, in minutes. */
  minutes: number;
  /** @returns undefined for a mail that is no longer needed */
  write(mail: QueuedMail, transaction: Transaction): Promise<Mail | undefined>;
  /** Records that the mail was sent or given up. */
  finish?(mail: QueuedMail, transaction: Transaction): Promise<void>;
  /** Set for mails in bulk, of which the audit trail records only those given up. */
  isBulk?: true;
}

/** The result of one attempt; `paused` when the SMTP server was unreachable. */
type Look = 'done' | 'empty' | 'paused';

/**
 * The outbox of mails (docs/decisions/0025). A request stores the mail in its own transaction and does not wait for the
 * SMTP server. Any process then takes it, writes it with a new one-time code, and sends it. After a failure or a crash,
 * a process tries again.
 */
@Injectable()
export class Outbox implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Outbox.name);
  private readonly writers = new Map<MailKind, MailWriter>();
  private timer: NodeJS.Timeout | undefined;
  private delivering: Promise<void> | undefined;
  private isStopped = false;

  constructor(
    private readonly database: Database,
    private readonly smtp: Smtp,
    private readonly audit: AuditService,
  ) {}

  /** Whether this server sends mail. */
  get isEnabled(): boolean {
    return this.smtp.isEnabled;
  }

  /** Sets the writer of a kind of mail. */
  register(kind: MailKind, writer: MailWriter): void {
    this.writers.set(kind, writer);
  }

  /** Stores mails of one kind. A recipient whose mail still waits gets only one. Call `wake` after the commit. */
  async queue(kind: MailKind, recipients: string[], reader: Reader): Promise<void> {
    await reader.execute({
      text: `INSERT INTO mails (kind, recipient) SELECT $1, unnest($2::text[]) ORDER BY 2
        ON CONFLICT (kind, recipient) DO UPDATE SET id = excluded.id, attempts = 0,
          creation_date = excluded.creation_date, next_attempt = excluded.next_attempt`,
      values: [kind, recipients],
    });
  }

  /**
   * Stores mails about tasks, which wait behind all others. A recipient whose mail still waits gets no second one. Call
   * `wake` after the commit.
   * @param recipients SQL of a query with one column: the ids of users, as text
   * @param values the bound values of the query, from `$2` on
   * @returns the number of new mails
   */
  queueBulk(
    kind: TaskMailKind,
    recipients: string,
    values: unknown[],
    reader: Reader,
  ): Promise<number> {
    return reader.execute({
      text: `INSERT INTO mails (kind, recipient, bulk) SELECT $1, r.recipient, true FROM (${recipients}) AS r (recipient)
        ON CONFLICT (kind, recipient) DO NOTHING`,
      values: [kind, ...values],
      // The best plan depends on the beginning of a slice.
      prepared: false,
    });
  }

  /** Removes mails that still wait. */
  async cancel(kind: MailKind, recipients: string[], reader: Reader): Promise<void> {
    await reader.execute({
      text: 'DELETE FROM mails WHERE kind = $1 AND recipient = ANY ($2::text[])',
      values: [kind, recipients],
    });
  }

  /** Sends due mails without waiting for the next search. */
  wake(): void {
    if (!this.isEnabled || this.isStopped) return;
    this.delivering ??= this.deliver().finally(() => (this.delivering = undefined));
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.wake(), INTERVAL).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.delivering;
  }

  private async deliver(): Promise<void> {
    const sendAll = async () => {
      while (!this.isStopped && (await this.sendNext()) === 'done');
    };
    try {
      await Promise.all(Array.from({ length: CONNECTIONS }, sendAll));
    } catch (error) {
      this.logger.warn(`the outbox cannot be read: ${String(error)}`);
    }
  }

  /** Sends one mail that is due. */
  private async sendNext(): Promise<Look> {
    const [queued] = await this.database.query<QueuedMail>({
      text: `UPDATE mails SET attempts = attempts + 1,
          next_attempt = now() + make_interval(secs => least(${MAX_WAIT}, ${FIRST_WAIT} * 2 ^ least(attempts, 10)))
        WHERE id = (SELECT id FROM mails WHERE next_attempt <= now() ORDER BY bulk, next_attempt LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING id, kind, recipient`,
      values: [],
    });
    if (!queued) return 'empty';
    const mail = await this.write(queued);
    if (mail) return this.send(queued, mail);
    await this.remove(queued, this.database);
    return 'done';
  }

  private write(queued: QueuedMail): Promise<Mail | undefined> {
    return this.database.transaction(async (transaction) => {
      // A newer request may have replaced or cancelled the mail since.
      const [isQueued] = await transaction.rows({
        text: 'SELECT 1 FROM mails WHERE id = $1 FOR UPDATE',
        values: [queued.id],
      });
      return isQueued && this.writers.get(queued.kind)?.write(queued, transaction);
    });
  }

  private async send(queued: QueuedMail, mail: Mail): Promise<Look> {
    const { kind } = queued;
    try {
      await this.smtp.send(mail);
      await this.finish(queued, mail, 'send-mail', { kind });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.warn(`the mail ${queued.id} (${kind}) was not sent: ${reason}`);
      if (isRejected(error) || (await this.isTooOld(queued)))
        await this.finish(queued, mail, 'fail-mail', { kind, reason });
      if (isUnreachable(error)) return 'paused';
    }
    return 'done';
  }

  private async isTooOld({ id, kind }: QueuedMail): Promise<boolean> {
    const old = await this.database.rows({
      text: 'SELECT 1 FROM mails WHERE id = $1 AND next_attempt > creation_date + make_interval(mins => $2)',
      values: [id, this.writers.get(kind)?.minutes ?? 0],
    });
    return old.length > 0;
  }

  private finish(
    queued: QueuedMail,
    { objectUri }: Mail,
    action: 'send-mail' | 'fail-mail',
    after: Record<string, unknown>,
  ): Promise<void> {
    return this.database.transaction(async (transaction) => {
      await this.remove(queued, transaction);
      const writer = this.writers.get(queued.kind);
      await writer?.finish?.(queued, transaction);
      if (writer?.isBulk && action === 'send-mail') return;
      await this.audit.record(
        transaction,
        { actor: 'mail delivery' },
        { action, objectUri, after },
      );
    });
  }

  private async remove({ id }: QueuedMail, reader: Reader): Promise<void> {
    await reader.execute({ text: 'DELETE FROM mails WHERE id = $1', values: [id] });
  }
}
