import { setImmediate as endOfTurn } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Config } from '../config/config.js';
import type { Change } from './change.js';
import { ChangeReader, type ChangesRead } from './change-reader.js';

/** Wait before a lost connection is tried again, in milliseconds. */
const RECONNECT_DELAY = 200;

/**
 * Requests that arrive while the journal is read are followed by others, which share the next read when it waits for
 * them, in milliseconds; not where enough of them wait already. A request that comes alone never waits.
 */
const GATHERING = 2;
const ENOUGH = 8;

/** What keeps data of the database in memory. */
export interface ChangeSubscriber {
  /** Called before the barrier lets anybody pass. */
  changed(changes: Change[]): void;
  /** Anything may have changed. */
  reset(): void;
}

/**
 * Lets a request pass once this process has seen every change that was committed before the request arrived. What it
 * then answers from memory is as new as what the database would answer (docs/decisions/0032).
 */
@Injectable()
export class ReadBarrier implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Reads of the journal, changes that they found, and reads that failed, since the start. */
  readonly counts = { reads: 0, changes: 0, failures: 0 };

  private readonly logger = new Logger(ReadBarrier.name);
  private readonly subscribers: ChangeSubscriber[] = [];
  private reader: ChangeReader | undefined;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  /** The read that is under way, and the next one. */
  private current: Promise<unknown> = Promise.resolve();
  private next: Promise<boolean> | undefined;
  private isReading = false;
  /** Those who wait for the next read, and what ends the gathering of more. */
  private waiting = 0;
  private stopGathering: () => void = () => undefined;

  constructor(private readonly config: Config) {}

  subscribe(subscriber: ChangeSubscriber): void {
    this.subscribers.push(subscriber);
  }

  onApplicationBootstrap(): void {
    void this.connect();
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.reader?.close();
  }

  /**
   * Waits for a read of the journal that starts after this call, and shares it with everybody who waits.
   * @returns false when the journal could not be read: nothing in memory may be used then
   */
  pass(): Promise<boolean> {
    if (!this.reader) return Promise.resolve(false);
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
    const read = this.read().finally(() => (this.isReading = false));
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
    const { reader } = this;
    if (!reader) return false;
    try {
      const read = await reader.read();
      if (this.reader !== reader) return false;
      this.counts.reads++;
      this.tell(read);
      return true;
    } catch {
      this.counts.failures++;
      this.disconnect(reader);
      return false;
    }
  }

  private tell({ changes }: ChangesRead): void {
    if (changes === 'everything') {
      for (const subscriber of this.subscribers) subscriber.reset();
    } else if (changes.length > 0) {
      this.counts.changes += changes.length;
      for (const subscriber of this.subscribers) subscriber.changed(changes);
    }
  }

  private async connect(): Promise<void> {
    try {
      const reader = await ChangeReader.connect(this.config, () => this.disconnect(reader));
      if (this.stopped) reader.close();
      // Its first read tells the subscribers that anything may have changed.
      else this.reader = reader;
    } catch {
      this.reconnect();
    }
  }

  private disconnect(reader: ChangeReader): void {
    if (this.reader !== reader) return;
    this.reader = undefined;
    reader.close();
    if (this.stopped) return;
    this.logger.warn('the journal cannot be read: nothing is answered from memory until it can');
    this.reconnect();
  }

  private reconnect(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => void this.connect(), RECONNECT_DELAY).unref();
  }
}
