import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Notifications } from '../database/notifications.js';
import { tooManyRequests, unavailable } from '../base/errors/api-errors.js';
import type { Change } from '../journal/change.js';
import { ReadBarrier } from '../journal/read-barrier.js';
import { reason } from '../base/errors/reason.js';

/** Shortest time between two reads of the journal while a consumer waits, in milliseconds. */
const PACE = 20;

/** Most open calls of the feed: of one caller, and of a process. */
const MAX_OF_CALLER = 10;
const MAX_OF_PROCESS = 5_000;

/** How long the lag of a consumer counts after its last call, in milliseconds. */
const LAG_WINDOW = 300_000;

/** The interest of an open call of the feed. */
export interface Interest {
  caller: string;
  /** The kinds of changes that may concern it. */
  kinds: ReadonlySet<string>;
  /** Tasks concern it only if one of these principals has them or is a candidate; undefined if all tasks do. */
  principalsOfTasks?: ReadonlySet<string> | undefined;
}

/** An open call of the feed. Changes count from its opening on. */
export class OpenCall {
  private hasNews = false;
  private wake: (() => void) | undefined;
  isWaiting = false;

  constructor(public interest: Interest) {}

  /** Something may have changed. */
  alert(): void {
    this.hasNews = true;
    this.wake?.();
  }

  /**
   * Waits until something may have changed since the last wait.
   * @param patience the longest wait in milliseconds
   */
  async news(patience: number): Promise<void> {
    if (!this.hasNews) {
      this.isWaiting = true;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, patience);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.isWaiting = false;
      this.wake = undefined;
    }
    this.hasNews = false;
  }

  concerns({ kind, object, principals }: Change): boolean {
    const { caller, kinds, principalsOfTasks } = this.interest;
    // The groups of the caller have changed, perhaps to ones with tasks.
    if (kind === 'users' && (object === caller || object === null)) return true;
    // The caller stands in for another person, perhaps with tasks.
    if (kind === 'absences' && (object === null || principals.includes(caller))) return true;
    const isTheirs = (): boolean => principals.some((id) => principalsOfTasks?.has(id));
    if (kind === 'candidates') return kinds.has('tasks') && isTheirs();
    if (!kinds.has(kind)) return false;
    return kind !== 'tasks' || object === null || !principalsOfTasks || isTheirs();
  }
}

/** The open calls of the feed in this process. They follow the journal while they wait; a change wakes those that it may concern. */
@Injectable()
export class WaitingConsumers implements BeforeApplicationShutdown {
  private readonly calls = new Set<OpenCall>();
  private readonly callsOf = new Map<string, number>();
  /** The largest lags of this window and of the one before, in seconds. */
  private lags: { since: number; largest: number | undefined; before: number | undefined } = {
    since: 0,
    largest: undefined,
    before: undefined,
  };

  constructor(
    private readonly barrier: ReadBarrier,
    notifications: Notifications,
  ) {
    barrier.subscribe({
      changed: (changes) => this.alert((call) => changes.some((change) => call.concerns(change))),
      reset: () => this.alert(() => true),
    });
    // A token may have ended, or the rights of its user may have changed.
    notifications.subscribe({
      channel: 'callers',
      changed: (userId) =>
        this.alert(({ interest }) => userId === '' || interest.caller === userId),
      reset: () => this.alert(() => true),
    });
  }

  beforeApplicationShutdown(): void {
    this.alert(() => true);
  }

  /** How many calls wait for a change. */
  get waiting(): number {
    let count = 0;
    for (const { isWaiting } of this.calls) if (isWaiting) count++;
    return count;
  }

  /** How far the slowest consumer was behind in the last minutes, in seconds; undefined without a call. */
  get lag(): number | undefined {
    this.turnWindow();
    const { largest, before } = this.lags;
    return largest === undefined ? before : Math.max(largest, before ?? 0);
  }

  /** @param lag the age of a consumer's cursor, in seconds */
  observeLag(lag: number): void {
    this.turnWindow();
    this.lags.largest = Math.max(this.lags.largest ?? 0, lag);
  }

  /**
   * Counts a call until it is closed.
   * @throws ApiError 429 or 503 when the caller or the process has too many open calls
   */
  open(interest: Interest): OpenCall {
    const { caller } = interest;
    const others = this.callsOf.get(caller) ?? 0;
    if (others >= MAX_OF_CALLER)
      throw tooManyRequests(1, reason('too-many-feed-calls', { max: MAX_OF_CALLER }));
    if (this.calls.size >= MAX_OF_PROCESS) throw unavailable();
    const call = new OpenCall(interest);
    this.calls.add(call);
    this.callsOf.set(caller, others + 1);
    return call;
  }

  close(call: OpenCall): void {
    if (!this.calls.delete(call)) return;
    const { caller } = call.interest;
    const left = this.callsOf.get(caller)! - 1;
    if (left === 0) this.callsOf.delete(caller);
    else this.callsOf.set(caller, left);
  }

  /**
   * Waits until something that concerns a call may have changed.
   * @param patience the longest wait in milliseconds
   */
  async wait(call: OpenCall, patience: number): Promise<void> {
    const stop = this.barrier.follow(PACE);
    await call.news(patience);
    stop();
  }

  private alert(isConcerned: (call: OpenCall) => boolean): void {
    for (const call of this.calls) if (isConcerned(call)) call.alert();
  }

  private turnWindow(): void {
    const { since, largest } = this.lags;
    const age = performance.now() - since;
    if (age < LAG_WINDOW) return;
    const before = age < 2 * LAG_WINDOW ? largest : undefined;
    this.lags = { since: performance.now(), largest: undefined, before };
  }
}
