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

/** Longest time between two reads, in milliseconds: it also shows that the connection lives (database/notifications.ts). */
const LONGEST = 500;

/** The time between two reads is at most this part of the time since the last change. */
const PART = 1 / 10;

/** After so long without a change other processes read seldom: a write is then read at once, and wakes them (milliseconds). */
const QUIET = 500;

/** Shortest time between two reads for that, in milliseconds. */
const WAKING = 50;

/** The channel on which processes wake each other. */
const WRITES = 'writes';

/**
 * Requests that arrive while the journal is read are followed by others, which share the next read when it waits for
 * them, in milliseconds; not where enough of them wait already. A request that comes alone never waits.
 */
const GATHERING = 2;
const ENOUGH = 8;

/** What keeps data of the database in memory, or waits for changes. */
export interface ChangeSubscriber {
  /** Called before the barrier lets anybody pass. */
  changed(changes: Change[]): void;
  /** Anything may have changed. */
  reset(): void;
}

/**
 * The one reader of the journal in a process. It reads again and again, soon after a change and rarely while nothing
 * happens, and tells its subscribers. It also lets a request pass once this process has seen every change that was
 * committed before the request arrived: what it then answers from memory is as new as what the database would answer
 * (docs/decisions/0032).
 */
@Injectable()
export class ReadBarrier implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Reads of the journal, changes that they found, and reads that failed, since the start. */
  readonly counts = { reads: 0, changes: 0, failures: 0 };

  private readonly logger = new Logger(ReadBarrier.name);
  private readonly reader: ChangeReader;
  private readonly subscribers: ChangeSubscriber[] = [];
  /** How many wait for changes, by the shortest time between two reads that they want. */
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
  /** Those who wait for the next read, and what ends the gathering of more. */
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
   * Reads for somebody who waits for changes; without them, the journal is read twice a second.
   * @param pace the shortest time between two reads, in milliseconds
   * @returns ends it, and is called once
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
   * Waits for a read of the journal that starts after this call, and shares it with everybody who waits.
   * @returns false when the journal could not be read: nothing in memory may be used then
   */
  pass(): Promise<boolean> {
    this.next ??= this.readNext(this.isReading);
    if (++this.waiting === ENOUGH) this.stopGathering();
    return this.next;
  }

  /** @param gathers whether more requests are expected */
  private async readNext(gathers: boolean): Promise<boolean> {
    // Requests that arrive together share one read.
    await Promise.all([this.current, endOfTurn()]);
    if (gathers && this.waiting < ENOUGH) await this.gather();
    // A request that arrives from here on may follow a write that this read does not see.
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

  /** A notification in the write itself would take a lock on the whole instance. */
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
