import { Logger } from '@nestjs/common';
import type { Database } from '../../database/database.js';
import type { Decision, TaskEnds, Verdict } from '../../process/tasks/task-end.js';
import { recordAudit } from '../../security/audit.service.js';
import { awaitedDecision, decisionOf, reasonIn } from '../events/confirmations.js';
import {
  type CheckedAddress,
  type Destinations,
  ForbiddenDestination,
} from '../engines/destinations.js';
import { messageIdOf } from '../events/delivery.resource.js';
import { byIndex, deliveryColumns, dueSql } from '../events/due-deliveries.js';
import { type EngineAnswer, EngineCaller, isSuccess, UnusableTaskId } from './engine-caller.js';
import { reportFailed, reportOutage } from '../events/endpoint-reports.js';
import type { EndpointSettings } from '../settings/endpoint-settings.service.js';
import { TAKEN } from '../engines/engines.js';
import { presentEvent, type StoredDelivery } from '../events/event.js';
import { FAILURES_OF_SLOW, pauseAfter, retryAfter, waitAfter } from '../events/retry-schedule.js';
import { webhookHeaders } from '../settings/signatures.js';
import { type AttemptResult, Connections, post } from '../engines/webhook.js';

/** Most concurrent messages to one endpoint, each of another task. */
const AT_ONCE = 32;

/** Deliveries that the sender reads ahead, and the rest at which it reads more. */
const READ_AHEAD = 128;
const FEW = READ_AHEAD / 2;

/**
 * Attempts that one transaction records while more messages wait, and the longest wait of the first one (milliseconds).
 */
const RECORDED_AT_ONCE = 64;
const LINGER = 10;

/** Most finished attempts that are not recorded yet. At this number, sending pauses. */
const MAX_UNRECORDED = 128;

/** How long the sender uses a checked address without another lookup, in milliseconds. */
const ADDRESS_LIFETIME = 5_000;

/** Bytes of an answer that the log may keep. */
const KEPT_BODY = 1_024;

/** Entries that a log of attempts keeps. */
const LOG_ENTRIES = 20;

/** Statuses that are about the endpoint rather than the message. */
const OVERLOADED = new Set([408, 425, 429, 502, 503, 504]);

/** Statuses with which an engine refuses a decision if it gives a reason, and the attributes of that reason. */
const REFUSALS = new Set([409, 422]);
const REASONS = ['reason', 'detail', 'message'];

/** 410: the receiver wants no more messages. */
const GONE = 410;

/** The actor of changes without a user. */
const ACTOR = { actor: 'event delivery' };

/** What all endpoints share. */
export interface SenderContext {
  database: Database;
  ends: TaskEnds;
  /** The term in which this process may send; undefined while it does not lead. */
  term: () => number | undefined;
  destinations: () => Promise<Destinations>;
  keepsAnswers: () => Promise<boolean>;
  /** The address of this server in events. */
  source: string;
  counts: AttemptCounts;
}

/** Attempts since the start, by their result. */
export interface AttemptCounts {
  delivered: number;
  refused: number;
  unreachable: number;
  forbidden: number;
}

/** An attempt, and its effect on the delivery. */
interface Outcome {
  delivery: StoredDelivery;
  result: AttemptResult;
  /** When the attempt began, by the clock of this process (milliseconds). */
  begun: number;
  isDelivered: boolean;
  /** Nothing was sent. */
  isSkipped: boolean;
  /** The message about an answer in the log. */
  note?: string | undefined;
  /** Whether other messages to the endpoint would fail too. */
  isEndpointAtFault: boolean;
  /** Seconds until the next attempt; undefined when there is none. */
  wait: number | undefined;
}

/** Sends the deliveries of one endpoint. */
export class DeliverySender {
  private readonly logger = new Logger(DeliverySender.name);
  private readonly connections = new Connections();
  /** The tasks of deliveries that are read ahead, under way or not recorded yet, by the deliveries' ids. */
  private readonly held = new Map<string, string | null>();
  /** Deliveries read ahead, in the order in which they leave. */
  private ready: StoredDelivery[] = [];
  /** The term in which they were read. In a later term, another process may have sent them. */
  private readyTerm: number | undefined;
  private underWay = 0;
  private finished: Outcome[] = [];
  private firstFinished = 0;
  /** An attempt has failed by the endpoint's fault, or with a 410: sending pauses until that is recorded. */
  private hasFault = false;
  private running: Promise<void> | undefined;
  /** The time of the endpoint's last counted failure. */
  private lastFault = -Infinity;
  private isWoken = false;
  private isStopped = false;
  /** Records finished attempts and sends due deliveries. */
  private goOn: () => void = () => undefined;
  private called: { of: string; caller: EngineCaller } | undefined;
  private checked: (CheckedAddress & { until: number; of: string }) | undefined;

  constructor(
    public settings: EndpointSettings,
    private readonly context: SenderContext,
  ) {}

  /** Sends what is due. */
  wake(): void {
    this.isWoken = true;
    this.goOn();
    if (this.isStopped) return;
    this.running ??= this.run()
      .catch((error: unknown) => this.logger.warn(`deliveries cannot be sent: ${String(error)}`))
      .finally(() => (this.running = undefined));
  }

  /** Stops sending, and resolves once the messages under way are recorded. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.goOn();
    await this.running;
    this.connections.close();
  }

  /** Aborts the messages under way, which are sent again later. */
  abandon(): void {
    this.connections.close();
  }

  private async run(): Promise<void> {
    for (;;) {
      this.sendReady();
      if (this.shouldRecord) await this.recordFinished();
      else if (this.isWoken && this.ready.length <= FEW && this.places > 0) {
        this.isWoken = false;
        const term = this.context.term();
        const picked = await this.pick();
        if (this.readyTerm !== term) this.dropReady();
        this.readyTerm = term;
        for (const { id, taskId } of picked) this.held.set(id, taskId);
        this.ready.push(...picked);
      } else if (this.held.size > 0) await this.news();
      else return;
    }
  }

  /** Whether messages may leave at all. */
  private get maySend(): boolean {
    return !this.isStopped && this.context.term() !== undefined && this.settings.blockedFor <= 0;
  }

  /** How many more messages may leave now. */
  private get places(): number {
    if (!this.maySend || this.hasFault || this.finished.length >= MAX_UNRECORDED) return 0;
    if (this.settings.failures < FAILURES_OF_SLOW) return AT_ONCE - this.underWay;
    return this.underWay + this.finished.length === 0 ? 1 : 0;
  }

  /**
   * Records attempts in batches while more messages wait, otherwise at once, so that a task's next change can leave.
   */
  private get shouldRecord(): boolean {
    const count = this.finished.length;
    if (count === 0) return false;
    const isBusy = this.ready.length > 0 && !this.hasFault && count < RECORDED_AT_ONCE;
    return !isBusy || performance.now() - this.firstFinished >= LINGER;
  }

  private sendReady(): void {
    if (!this.maySend || this.readyTerm !== this.context.term()) this.dropReady();
    while (this.ready.length > 0 && this.places > 0) this.begin(this.ready.shift()!);
  }

  /** They stay in the database; the sender reads them again. */
  private dropReady(): void {
    for (const { id } of this.ready.splice(0)) this.held.delete(id);
  }

  private async recordFinished(): Promise<void> {
    const outcomes = this.finished;
    this.finished = [];
    await this.record(outcomes).finally(() => {
      for (const { delivery } of outcomes) this.held.delete(delivery.id);
      this.hasFault = this.finished.some(stopsOthers);
    });
    // Later changes of the same tasks may leave now.
    this.isWoken = true;
  }

  /** Waits until an attempt finishes, a delivery is due, or finished attempts have to be recorded. */
  private async news(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = this.finished.length > 0 ? setTimeout(resolve, LINGER) : undefined;
      this.goOn = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.goOn = () => undefined;
  }

  private begin(delivery: StoredDelivery): void {
    this.underWay++;
    void this.attempt(delivery).then((outcome) => {
      this.underWay--;
      if (this.finished.length === 0) this.firstFinished = performance.now();
      this.finished.push(outcome);
      if (stopsOthers(outcome)) this.hasFault = true;
      this.sendReady();
      this.goOn();
    });
  }

  private pick(): Promise<StoredDelivery[]> {
    const limit = this.settings.failures < FAILURES_OF_SLOW ? READ_AHEAD - this.ready.length : 1;
    const held = [...this.held.values()].filter((task) => task !== null);
    const values = [this.settings.id, limit, [...this.held.keys()], held];
    return byIndex(this.context.database, (transaction) =>
      transaction.query<StoredDelivery>({
        text: `SELECT ${deliveryColumns('d')} FROM deliveries d WHERE ${dueSql('$1')} AND d.status = 'waiting' AND d.id <> ALL ($3::bigint[])
            AND (d.task_id <> ALL ($4::bigint[])) IS NOT FALSE
            AND EXISTS (SELECT FROM endpoints p WHERE p.id = $1 AND p.status = 'active')
          ORDER BY d.next_attempt, d.id LIMIT $2`,
        values,
      }),
    );
  }

  private async attempt(delivery: StoredDelivery): Promise<Outcome> {
    const begun = performance.now();
    const { result, verdict, skipped, of, isUnusable } = await this.deliver(delivery);
    const { status = 0 } = result;
    const attempts = delivery.attempts + 1;
    const decision = of ?? decisionOf(delivery);
    const isSettled = !decision || !verdict || (await this.settle(decision, verdict));
    const isTaken = skipped !== undefined || isSuccess(result) || verdict !== undefined;
    const isDelivered = isSettled && isTaken;
    const asked = OVERLOADED.has(status) ? retryAfter(result.retryAfter) : undefined;
    const wait = waitAfter(attempts);
    return {
      delivery,
      result,
      begun,
      isDelivered,
      isSkipped: skipped !== undefined,
      note: isSettled ? (skipped ?? noteOf(verdict)) : UNSETTLED,
      isEndpointAtFault: !isDelivered && !isUnusable && (status === 0 || OVERLOADED.has(status)),
      wait: wait === undefined ? undefined : Math.max(wait, asked ?? 0),
    };
  }

  /** Never throws: the result says what prevented the attempt. */
  private async deliver(delivery: StoredDelivery): Promise<EngineAnswer> {
    const { counts } = this.context;
    const started = performance.now();
    try {
      const answer = await (this.engine()?.deliver(delivery) ?? this.send(delivery));
      const { result, verdict, skipped } = answer;
      if (skipped !== undefined) return answer;
      if (result.status === undefined) counts.unreachable++;
      else if (isSuccess(result) || verdict?.says === 'confirmed') counts.delivered++;
      else counts.refused++;
      return answer;
    } catch (error) {
      if (error instanceof ForbiddenDestination) counts.forbidden++;
      else counts.unreachable++;
      const duration = Math.round(performance.now() - started);
      return {
        result: { error: error instanceof Error ? error.message : String(error), duration },
        isUnusable: error instanceof UnusableTaskId,
      };
    }
  }

  /** Keeps the sign-in at the engine while the settings, read each second, stay the same. */
  private engine(): EngineCaller | undefined {
    const { engine } = this.settings;
    if (!engine) return undefined;
    const of = JSON.stringify(engine);
    if (this.called?.of !== of) {
      const { database, ends } = this.context;
      const address = (url: URL) => this.address(url);
      const sender = { database, ends, connections: this.connections, address };
      this.called = { of, caller: new EngineCaller(engine, sender) };
    }
    return this.called.caller;
  }

  /** @returns whether the verdict is stored; otherwise the message is sent again */
  private async settle(decision: Decision, verdict: Verdict): Promise<boolean> {
    const { database, ends } = this.context;
    try {
      await database.transaction(async (transaction) => {
        await ends.settle(transaction, decision, verdict, ACTOR);
        // Other receivers act on the event that the decision was withdrawn.
        if (this.settings.engine && verdict.says === 'confirmed')
          await ends.restore(transaction, decision, TAKEN, ACTOR);
      });
      return true;
    } catch (error) {
      this.logger.warn(`an engine's answer cannot be stored: ${String(error)}`);
      return false;
    }
  }

  private async send(delivery: StoredDelivery): Promise<EngineAnswer> {
    const { url, content, signers } = this.settings;
    const address = await this.address(url);
    const body = JSON.stringify(presentEvent(delivery, this.context.source, content));
    const seconds = Math.floor(Date.now() / 1000);
    const headers = {
      'Content-Type': 'application/cloudevents+json; charset=utf-8',
      'User-Agent': 'process-platform',
      ...webhookHeaders(messageIdOf(delivery.messageId), seconds, body, signers),
    };
    const result = await post(url, address, headers, body, this.connections);
    return { result, verdict: awaitedDecision(delivery) && verdictOf(result) };
  }

  /** The name is resolved again after a moment. The connection goes to the checked address. */
  private async address(url: URL): Promise<CheckedAddress> {
    const destinations = await this.context.destinations();
    const of = `${url.origin} ${destinations.text}`;
    if (this.checked?.of === of && this.checked.until > performance.now()) return this.checked;
    const checked = await destinations.check(url);
    this.checked = { ...checked, of, until: performance.now() + ADDRESS_LIFETIME };
    return checked;
  }

  private async record(outcomes: Outcome[]): Promise<void> {
    const { database } = this.context;
    const keepsAnswers = await this.context.keepsAnswers();
    const isAlive = outcomes.some(({ isDelivered, isSkipped }) => isDelivered && !isSkipped);
    const faults = outcomes.filter(({ isEndpointAtFault }) => isEndpointAtFault);
    const isGone = outcomes.some(saysGone);
    const wasSlow = this.settings.failures >= FAILURES_OF_SLOW;
    // Concurrent messages that fail together count as one failure, so that a restart of the receiver does not cause a
    // wait of minutes.
    const isAnother = faults.some(({ begun }) => begun > this.lastFault);
    if (isAnother) this.lastFault = performance.now();
    const failures = isAlive ? 0 : this.settings.failures + (isAnother ? 1 : 0);
    const asked = Math.max(0, ...faults.map(({ result }) => retryAfter(result.retryAfter) ?? 0));
    const pause = Math.max(asked, isAlive ? 0 : (pauseAfter(failures) ?? 0));
    await byIndex(database, async (transaction) => {
      // In the order in which the deletion of the endpoint takes its locks.
      await transaction.execute({
        text: 'SELECT FROM endpoints WHERE id = $1 FOR KEY SHARE',
        values: [this.settings.id],
      });
      await transaction.execute({
        text: RECORD,
        values: [
          outcomes.map(({ delivery }) => delivery.id),
          outcomes.map((outcome) => statusOf(outcome, isGone)),
          outcomes.map(({ wait }) => wait ?? 0),
          outcomes.map((outcome) => JSON.stringify(logEntry(outcome, keepsAnswers))),
        ],
      });
      if (!isAlive || faults.length > 0 || this.settings.failures > 0 || pause > 0)
        await transaction.execute({
          text: HEALTH,
          values: [
            this.settings.id,
            failures,
            pause,
            isAlive,
            faults.length > 0,
            isAlive ? null : lastError(outcomes),
          ],
        });
      else await transaction.execute({ text: HEALTHY, values: [this.settings.id] });
      if (faults.length > 0) await reportOutage(transaction, this.settings.id);
      if (outcomes.some((outcome) => statusOf(outcome, isGone) === 'failed'))
        await reportFailed(transaction, this.settings.id);
      // Deliveries that failed while the endpoint was down are due at once when it answers again.
      if (isAlive && wasSlow)
        await transaction.execute({
          text: `UPDATE deliveries SET next_attempt = now() WHERE endpoint_id = $1 AND status = 'waiting' AND attempts > 0 AND next_attempt > now()`,
          values: [this.settings.id],
        });
      if (isGone) {
        const paused = await transaction.execute({
          text: `UPDATE endpoints SET status = 'paused', revision = revision + 1, modification_date = now()
            WHERE id = $1 AND status = 'active'`,
          values: [this.settings.id],
        });
        if (paused > 0)
          await recordAudit(transaction, ACTOR, {
            action: 'update',
            objectUri: `/process/endpoints/${this.settings.id}`,
            before: { status: 'active' },
            after: { status: 'paused', reason: 'the receiver answered 410' },
          });
      }
    });
    if (isGone) this.dropReady();
    this.settings = { ...this.settings, failures, blockedFor: pause * 1000 };
  }
}

const saysGone = ({ result }: Outcome): boolean => result.status === GONE;

/** Whether other messages to the endpoint would fail too. */
const stopsOthers = (outcome: Outcome): boolean => outcome.isEndpointAtFault || saysGone(outcome);

/** The verdict of a confirming endpoint on a decision; undefined to send it again. */
function verdictOf(result: AttemptResult): Verdict | undefined {
  if (isSuccess(result)) return { says: 'confirmed' };
  const reason = REFUSALS.has(result.status ?? 0) ? reasonIn(result.body, REASONS) : undefined;
  return reason === undefined ? undefined : { says: 'refused', reason };
}

/** The message about a verdict in the log. */
const noteOf = (verdict: Verdict | undefined): string | undefined =>
  verdict?.says === 'refused' ? `refused: ${verdict.reason}` : verdict?.note;

const UNSETTLED = 'what the engine answered could not be stored';

/** After 410, a delivery waits like all others until an administrator resumes the endpoint. */
const statusOf = ({ isDelivered, wait }: Outcome, isGone: boolean): string => {
  if (isDelivered) return 'delivered';
  return wait === undefined && !isGone ? 'failed' : 'waiting';
};

/** The last attempt that failed, as JSON; null when none has. */
function lastError(outcomes: Outcome[]): string | null {
  const failed = outcomes.findLast(({ isDelivered }) => !isDelivered);
  if (!failed) return null;
  const { date, status, message } = logEntry(failed, false);
  return JSON.stringify({ date, status, message });
}

const logEntry = ({ result, note }: Outcome, keepsAnswers: boolean): Record<string, unknown> => ({
  date: new Date().toISOString(),
  duration: result.duration,
  status: result.status ?? null,
  message: result.error ?? note ?? null,
  ...(keepsAnswers && result.body !== undefined && { answer: beginningOf(result.body) }),
});

/** PostgreSQL stores no NUL in JSON. */
const beginningOf = (text: string): string =>
  Buffer.from(text).subarray(0, KEPT_BODY).toString('utf8').replaceAll('\0', '\ufffd');

const RECORD = `
  UPDATE deliveries d SET status = r.status, attempts = d.attempts + 1,
    next_attempt = now() + make_interval(secs => r.wait),
    completion_date = CASE WHEN r.status IN ('delivered', 'failed') THEN now() END,
    in_doubt = d.in_doubt AND r.status <> 'delivered',
    log = (CASE WHEN jsonb_array_length(d.log) >= ${LOG_ENTRIES} THEN d.log - 0 ELSE d.log END) || r.entry
  FROM unnest($1::bigint[], $2::text[], $3::float8[], $4::jsonb[]) AS r (id, status, wait, entry)
  WHERE d.id = r.id AND d.status = 'waiting'`;

const HEALTH = `
  INSERT INTO endpoint_health AS h (endpoint_id, failures, blocked_until, last_success, last_failure, failing_since, last_error)
  SELECT p.id, $2::integer, now() + make_interval(secs => nullif($3::float8, 0)),
    CASE WHEN $4::boolean THEN now() END, CASE WHEN $5::boolean THEN now() END, CASE WHEN $2::integer > 0 THEN now() END, $6::jsonb
  FROM endpoints p WHERE p.id = $1
  ON CONFLICT (endpoint_id) DO UPDATE SET failures = excluded.failures, blocked_until = excluded.blocked_until,
    failing_since = CASE WHEN excluded.failures > 0 THEN coalesce(h.failing_since, now()) END,
    outage_reported = h.outage_reported AND excluded.failures > 0,
    last_success = coalesce(excluded.last_success, h.last_success),
    last_failure = coalesce(excluded.last_failure, h.last_failure),
    last_error = CASE WHEN excluded.last_success IS NULL THEN coalesce(excluded.last_error, h.last_error) END`;

/** A row that changes with every message would be a bottleneck, so the date is only accurate to some seconds. */
const HEALTHY = `
  INSERT INTO endpoint_health AS h (endpoint_id, last_success) SELECT id, now() FROM endpoints WHERE id = $1
  ON CONFLICT (endpoint_id) DO UPDATE SET last_success = now(), last_error = NULL
    WHERE h.last_error IS NOT NULL OR h.last_success IS NULL OR h.last_success < now() - interval '5 seconds'`;
