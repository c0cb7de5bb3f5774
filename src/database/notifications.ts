import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import pg from 'pg';
import { Config } from '../base/config/config.js';
import { type BoundStatement, nameOf, type Row } from './database.js';
import { clientOptions } from './connection-options.js';

/**
 * Maximum age of the last answer while caches may be used, in milliseconds. The reader of the journal asks twice a
 * second.
 */
const MAX_SILENCE = 900;

/** How long an answer may take until the connection counts as lost, in milliseconds. */
const ANSWER_TIMEOUT = 2_000;

/**
 * Forces one plan for all values, which uses the indexes: without the values, the planner expects a third of all rows.
 */
const PLANS =
  '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off';

/** Wait before a reconnection, in milliseconds. */
const RECONNECT_DELAY = 200;

/** A cache with a subscription: it drops the changed entries, or everything. */
export interface Subscriber {
  channel: string;
  /** @param payload the payload of the notification */
  changed(payload: string): void;
  /** Called after a reconnection: every cached value may be stale. */
  reset(): void;
}

/**
 * The one LISTEN connection of a process, on which it also reads the journal. A cache checks `isLive` before each use:
 * while no notification can arrive, no cached value may be used (docs/decisions/0003).
 */
@Injectable()
export class Notifications implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(Notifications.name);
  private readonly subscribers: Subscriber[] = [];
  private client: pg.Client | undefined;
  /** Whether it listens. */
  private isConnected = false;
  /** Whether the log has the outage: it gets one line, not one for each attempt. */
  private isReported = false;
  private lastAnswer = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  /** Statements on the connection run one after another. */
  private lastQuestion: Promise<unknown> = Promise.resolve();
  private nextQuestion: Promise<unknown> | undefined;

  constructor(private readonly config: Config) {}

  /** Whether the connection is alive, so that a change would have arrived. */
  get isLive(): boolean {
    return performance.now() - this.lastAnswer < MAX_SILENCE;
  }

  /**
   * Waits until this process has received the notifications of all earlier commits, because the reply of the listening
   * session follows them. So a caller who knows of a revocation never gets an answer from an older cache. One ping
   * serves all who wait.
   */
  async waitUntilDelivered(): Promise<void> {
    if (!this.isLive) return;
    this.nextQuestion ??= this.lastQuestion.then(() => {
      this.nextQuestion = undefined;
      return this.query({ text: 'SELECT 1', values: [] });
    });
    await this.nextQuestion.catch(() => undefined);
  }

  /**
   * Runs a short statement on this connection, which no request occupies. Its answer proves that the connection is
   * alive.
   * @throws Error when there is no connection, and the error of pg
   */
  async query<T>({ text, values }: BoundStatement): Promise<T[]> {
    const { rows } = await this.ask((client) => client.query<T & pg.QueryResultRow>(text, values));
    return rows;
  }

  /** The same with rows as arrays, and with a plan that the session keeps. */
  async rows(statement: BoundStatement): Promise<Row[]> {
    const { text, values } = statement;
    const query = { name: nameOf(statement), text, values, rowMode: 'array' as const };
    const { rows } = await this.ask((client) => client.query<Row>(query));
    return rows;
  }

  subscribe(subscriber: Subscriber): void {
    this.subscribers.push(subscriber);
  }

  async onModuleInit(): Promise<void> {
    await this.connect();
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const { options = '', ...address } = clientOptions(this.config);
    const client = new pg.Client({
      ...address,
      options: `${options} ${PLANS}`,
      statement_timeout: ANSWER_TIMEOUT,
    });
    this.client = client;
    this.lastQuestion = Promise.resolve();
    this.nextQuestion = undefined;
    client.on('error', () => this.disconnect(client));
    client.on('end', () => this.disconnect(client));
    client.on('notification', ({ channel, payload }) => this.pass(channel, payload ?? ''));
    try {
      await client.connect();
      // LISTEN first, then reset: a change between the two would otherwise be missed.
      await client.query(`SET application_name = 'process-platform listener'`);
      for (const channel of new Set(this.subscribers.map((subscriber) => subscriber.channel)))
        await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
      for (const subscriber of this.subscribers) subscriber.reset();
      this.lastAnswer = performance.now();
      this.isConnected = true;
      this.isReported = false;
    } catch {
      this.disconnect(client);
    }
  }

  /** Sends the ping after all earlier statements. */
  private ask<T>(question: (client: pg.Client) => Promise<T>): Promise<T> {
    const { client } = this;
    if (!client || !this.isConnected)
      return Promise.reject(new Error('the LISTEN connection is down'));
    const answer = this.lastQuestion.then(() => this.answerOf(client, question));
    this.lastQuestion = answer.catch(() => undefined);
    return answer;
  }

  private async answerOf<T>(
    client: pg.Client,
    question: (client: pg.Client) => Promise<T>,
  ): Promise<T> {
    const asked = performance.now();
    const deadline = setTimeout(() => this.disconnect(client), ANSWER_TIMEOUT);
    try {
      const answer = await question(client);
      if (this.client !== client) return answer;
      // A gap (a stopped process, a frozen socket) may have lost a change.
      if (asked - this.lastAnswer > MAX_SILENCE)
        for (const subscriber of this.subscribers) subscriber.reset();
      this.lastAnswer = asked;
      return answer;
    } finally {
      clearTimeout(deadline);
    }
  }

  private disconnect(client: pg.Client): void {
    if (this.client !== client) return;
    this.client = undefined;
    this.isConnected = false;
    this.lastAnswer = -Infinity;
    // end() would wait for an answer that never comes on a frozen socket.
    (
      client as unknown as { connection: { stream: { destroy(): void } } }
    ).connection.stream.destroy();
    if (this.stopped) return;
    if (!this.isReported)
      this.logger.warn('the LISTEN connection is down: caches are not used until it is back');
    this.isReported = true;
    this.timer = setTimeout(() => void this.connect(), RECONNECT_DELAY);
    this.timer.unref();
  }

  private pass(channel: string, payload: string): void {
    for (const subscriber of this.subscribers)
      if (subscriber.channel === channel) subscriber.changed(payload);
  }
}
