import { setTimeout as delay } from 'node:timers/promises';
import type { Cursor } from './cursor.js';
import type { FeedPage, FeedService, PageSize } from './feed.service.js';
import type { Consumer } from './journal-reader.service.js';
import { seesAll } from './rights.js';
import type { Interest, OpenCall, WaitingConsumers } from './waiting-consumers.js';

/** Pause after an empty page that is not the last one, in milliseconds. */
const PAUSE = 20;

/** Shortest time between two checks of a token, in milliseconds. */
const LEAST_CHECK = 1_000;

/** The context of one call of the feed. */
interface SessionParts {
  call: OpenCall;
  consumer: Consumer;
  size: PageSize;
  /** Throws when the caller has lost the right to an answer. */
  check: () => Promise<void>;
  /** Aborts when the caller has left, or the server stops. */
  end: AbortSignal;
}

/** One call of the feed: its pages, and its waits for them. */
export class FeedSession {
  constructor(
    private readonly feed: FeedService,
    private readonly waiting: WaitingConsumers,
    private readonly parts: SessionParts,
  ) {
    parts.end.addEventListener('abort', () => parts.call.alert(), { once: true });
  }

  /** @throws ApiError 401 or 403 when the caller has lost the right to an answer */
  check(): Promise<void> {
    return this.parts.check();
  }

  get isEnded(): boolean {
    return this.parts.end.aborted;
  }

  /** The next page. */
  async page(cursor: Cursor | undefined): Promise<FeedPage> {
    const page = await this.feed.page(this.parts.consumer, cursor, this.parts.size);
    this.parts.call.interest = interestOf(this.parts.consumer, page.principals);
    return page;
  }

  /** The next page with objects; an empty one at the end of the wait (milliseconds). */
  async pageWithin(wait: number, cursor: Cursor | undefined): Promise<FeedPage> {
    const deadline = performance.now() + wait;
    for (;;) {
      const page = await this.page(cursor);
      const left = deadline - performance.now();
      if (page.items.length > 0 || left <= 0 || this.isEnded) return page;
      if (page.upToDate) await this.waiting.wait(this.parts.call, Math.min(left, this.validity()));
      else await delay(PAUSE);
      await this.check();
      if (this.isEnded) return page;
      cursor = page.next;
    }
  }

  /** Time to the next check of the token, in milliseconds. */
  private validity(): number {
    return Math.max(this.parts.consumer.caller.validUntil - performance.now(), LEAST_CHECK);
  }
}

/**
 * The changes that may concern a consumer.
 * @param principals those of the caller, once known
 */
export function interestOf({ kinds, caller }: Consumer, principals?: string[]): Interest {
  const names = new Set(kinds.map(({ name }) => name));
  const tasks = kinds.find(({ name }) => name === 'tasks');
  // The application of a view decides who sees it.
  if (names.has('views')) names.add('applications');
  return {
    caller: caller.id,
    kinds: names,
    principalsOfTasks:
      principals && tasks && !seesAll(tasks, caller) ? new Set(principals) : undefined,
  };
}
