import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import pg from 'pg';
import { Config } from '../config/config.js';
import type { BoundStatement } from './database.js';
import { clientOptions } from './connection-options.js';

/** The heartbeat of the listening connection, and how old its last answer may be (milliseconds). */
const HEARTBEAT = 250;
const MAX_SILENCE = 700;

/** Wait before a lost connection is tried again, in milliseconds. */
const RECONNECT_DELAY = 200;

/** A cache that listens: it drops what changed, or everything. */
export interface Subscriber {
  channel: string;
  /** @param payload what the database sent */
  changed(payload: string): void;
  /** The connection was lost and is back: every cached value may be stale. */
  reset(): void;
}

/**
 * The one LISTEN connection of a process. A cache checks `isLive` before each use: while no notification can
 * arrive, no cached value may be used (docs/decisions/0003).
 */
@Injectable()
export class Notifications implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(Notifications.name);
  private readonly subscribers: Subscriber[] = [];
  private client: pg.Client | undefined;
  private lastAnswer = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  /** Statements on the connection run one after another. */
  private lastQuestion: Promise<unknown> = Promise.resolve();
  private nextQuestion: Promise<unknown> | undefined;

  constructor(private readonly config: Config) {}

  /** Whether a change would have been announced by now. */
  get isLive(): boolean {
    return performance.now() - this.lastAnswer < MAX_SILENCE;
  }

  /**
   * Waits until this process has received every notification of what was committed before. A caller who was
   * told of a revocation is then never answered from a cache older than it: the reply of the listening
   * session follows the notifications that were sent to it. One ping serves all who wait for it.
   */
  async waitUntilDelivered(): Promise<void> {
    const { client } = this;
    if (!client || !this.isLive) return;
    this.nextQuestion ??= this.lastQuestion.then(() => {
      this.nextQuestion = undefined;
      return this.ping(client);
    });
    await this.nextQuestion.catch(() => undefined);
  }

  /**
   * Runs a short statement on this connection, which no request occupies.
   * @throws Error when there is no connection, and the error of pg
   */
  async query<T>({ text, values }: BoundStatement): Promise<T[]> {
    const { client } = this;
    if (!client) throw new Error('the LISTEN connection is down');
    const { rows } = await this.enqueue(() => client.query<T & pg.QueryResultRow>(text, values));
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
    const client = new pg.Client(clientOptions(this.config));
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
      this.heartbeat(client);
    } catch {
      this.disconnect(client);
    }
  }

  private heartbeat(client: pg.Client): void {
    this.timer = setTimeout(() => {
      const asked = performance.now();
      const deadline = setTimeout(() => this.disconnect(client), MAX_SILENCE);
      this.ping(client)
        .then(() => {
          if (this.client !== client) return;
          // A gap (a stopped process, a frozen socket) may have hidden a change.
          if (asked - this.lastAnswer > MAX_SILENCE)
            for (const subscriber of this.subscribers) subscriber.reset();
          this.lastAnswer = asked;
          this.heartbeat(client);
        })
        .catch(() => this.disconnect(client))
        .finally(() => clearTimeout(deadline));
    }, HEARTBEAT);
    this.timer.unref();
  }

  private ping(client: pg.Client): Promise<unknown> {
    return this.enqueue(() => client.query('SELECT 1'));
  }

  private enqueue<T>(ask: () => Promise<T>): Promise<T> {
    const answer = this.lastQuestion.then(ask);
    this.lastQuestion = answer.catch(() => undefined);
    return answer;
  }

  private disconnect(client: pg.Client): void {
    if (this.client !== client) return;
    this.client = undefined;
    this.lastAnswer = -Infinity;
    clearTimeout(this.timer);
    // end() would wait for an answer that never comes on a frozen socket.
    (
      client as unknown as { connection: { stream: { destroy(): void } } }
    ).connection.stream.destroy();
    if (this.stopped) return;
    this.logger.warn('the LISTEN connection is down: caches are not used until it is back');
    this.timer = setTimeout(() => void this.connect(), RECONNECT_DELAY);
    this.timer.unref();
  }

  private pass(channel: string, payload: string): void {
    for (const subscriber of this.subscribers)
      if (subscriber.channel === channel) subscriber.changed(payload);
  }
}
