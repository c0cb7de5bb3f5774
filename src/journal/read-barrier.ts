import { setImmediate as endOfTurn } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Database } from '../database/database.js';
import { Notifications } from '../database/notifications.js';
import type { Change } from './change.js';
import { ChangeReader } from './change-reader.js';

/**
 * Longest time between two reads, in milliseconds. A read also proves that the connection is alive
 * (database/notifications.ts).
 */
const LONGEST = 500;

/** The time between two reads is at most this fraction of the time since the last change. */
const PART = 1 / 10;

/**
 * After this time without a change (milliseconds), other processes read rarely, so this process reads its own write at
 * once and wakes them.
 */
const QUIET = 500;

/** Shortest time between two such reads, in milliseconds. */
const WAKING = 50;

/** The channel on which processes wake each other. */
const WRITES = 'writes';

/**
 * How long the next read waits for further requests that can share it, in milliseconds, after requests arrived during a
 * read. It does not wait if enough requests wait already, nor for a single request.
 */
const GATHERING = 2;
const ENOUGH = 8;

/** A cache of data from the database, or a consumer that waits for changes. */
export interface ChangeSubscriber {
  /** Called before the barrier lets any request pass. */
  changed(changes: Change[]): void;
  /** Called when anything may have changed. */
  reset(): void;
}

/**
 * The one reader of the journal in a process. It polls, often after a change and rarely while nothing happens, and
 * notifies its subscribers. It also lets a request pass once this process has seen every change committed before the
 * request arrived, so that a cached answer is as new as one from the database (docs/decisions/0032).
 */
@Injectable()
export class ReadBarrier implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Reads of the journal, changes that they found, and reads that failed, since the start. */
  readonly counts = { reads: 0, changes: 0, failures: 0 };

  private readonly logger = new Logger(ReadBarrier.name);
  private readonly reader: ChangeReader;
  private readonly subscribers: ChangeSubscriber[] = [];
  /** Numbers of followers by their pace, the shortest time between two reads. */
  private readonly followers = new Map<number, number>();
  private timer: NodeJS.Timeout | undefined;
  private isStarted = false;
  private isFailing = false;
  private lastRead = performance.now();
  private lastChange = -Infinity;
  /** Whether this process may have written since the last read. */
  private hasWritten = false;
  /** The read that is under way, and the next one. */
  private current: Promise<unknown> = Promise.resolve();
  private next: Promise<boolean> | undefined;
  private isReading = false;
  /** The callers that wait for the next read, and the function that ends the gathering of more. */
  private waiting = 0;
  private stopGathering: () => void = () => undefined;

  constructor(
    private readonly notifications: Notifications,
    database: Database,
  ) {
    this.reader = new ChangeReader(notifications);
    notifications.subscribe({
      channel: WRITES,
      changed: () => this.expectChange(),
      reset: () => {
        this.reader.forget();
        this.expectChange();
      },
    });
    database.committed = () => {
      this.hasWritten = true;
      this.schedule();
    };
  }

  subscribe(subscriber: ChangeSubscriber): void {
    this.subscribers.push(subscriber);
  }

  /**
   * Polls faster for a follower; without followers, the barrier reads the journal twice a second.
   * @param pace the shortest time between two reads, in milliseconds
   * @returns a function that ends it, to be called once
   */
  follow(pace: number): () => void {
    const { followers } = this;
    followers.set(pace, (followers.get(pace) ?? 0) + 1);
    this.schedule();
    return () => {
      const left = followers.get(pace)! - 1;
      if (left === 0) followers.delete(pace);
      else followers.set(pace, left);
    };
  }

  onApplicationBootstrap(): void {
    this.isStarted = true;
    this.schedule();
  }

  onApplicationShutdown(): void {
    this.isStarted = false;
    clearTimeout(this.timer);
  }

  /**
   * Waits for a read of the journal that starts after this call; all waiting callers share it.
   * @returns false when the read failed, so that no cache may be used
   */
  pass(): Promise<boolean> {
    this.next ??= this.readNext(this.isReading);
    if (++this.waiting === ENOUGH) this.stopGathering();
    return this.next;
  }

  /** @param gathers whether more requests are expected */
  private async readNext(gathers: boolean): Promise<boolean> {
    // Concurrent requests share one read.
    await Promise.all([this.current, endOfTurn()]);
    if (gathers && this.waiting < ENOUGH) await this.gather();
    // Later requests may follow a write that this read does not see.
    this.next = undefined;
    this.waiting = 0;
    this.isReading = true;
    this.lastRead = performance.now();
    const read = this.read().finally(() => {
      this.isReading = false;
      this.schedule();
    });
    this.current = read;
    return read;
  }

  private async gather(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GATHERING);
      this.stopGathering = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.stopGathering = () => undefined;
  }

  private async read(): Promise<boolean> {
    const { hasWritten, lastChange } = this;
    this.hasWritten = false;
    try {
      const changes = await this.reader.read();
      this.isFailing = false;
      this.counts.reads++;
      this.tell(changes);
      if (hasWritten && this.lastChange - lastChange >= QUIET) this.wakeOthers();
      return true;
    } catch (error) {
      this.counts.failures++;
      if (!this.isFailing)
        this.logger.warn(
          `nothing is answered from memory until the journal is read: ${String(error)}`,
        );
      this.isFailing = true;
      return false;
    }
  }

  private tell(changes: Change[] | 'everything'): void {
    if (changes === 'everything') {
      for (const subscriber of this.subscribers) subscriber.reset();
    } else if (changes.length > 0) {
      this.lastChange = performance.now();
      this.counts.changes += changes.length;
      for (const subscriber of this.subscribers) subscriber.changed(changes);
    }
  }

  /** A NOTIFY in the write itself would take a lock on the whole instance. */
  private wakeOthers(): void {
    const notify = { text: `SELECT pg_notify('${WRITES}', '')`, values: [] };
    this.notifications.rows(notify).catch(() => undefined);
  }

  private expectChange(): void {
    this.lastChange = performance.now();
    this.schedule();
  }

  /** Sets the time of the next read. */
  private schedule(): void {
    clearTimeout(this.timer);
    if (!this.isStarted) return;
    const due = this.lastRead + this.interval() - performance.now();
    this.timer = setTimeout(() => void this.pass(), Math.max(0, due)).unref();
  }

  private interval(): number {
    if (this.isFailing) return LONGEST;
    const least = Math.min(LONGEST, ...this.followers.keys());
    const since = performance.now() - this.lastChange;
    if (this.hasWritten) return since < QUIET ? least : Math.min(least, WAKING);
    return Math.min(LONGEST, Math.max(least, since * PART));
  }
}
