import { setTimeout as delay } from 'node:timers/promises';
import { type EventStream, openEvents } from '../../support/event-stream.js';
import { callFeed, type FeedItem } from '../../support/feed-consumer.js';
import { until } from '../../support/until.js';
import { call } from '../harness.js';

/** How long a follower may take to arrive at what is stored once nothing is written any more, in milliseconds. */
const CATCH_UP = 60_000;

/** A consumer of the change feed that survives faults. Of each object it keeps the revision alone. */
export class FeedFollower {
  readonly revisions = new Map<string, number>();
  /** Times that it had to list everything again. */
  restarts = 0;
  private cursor: string | undefined;

  /** @param port the server of the next call */
  constructor(
    private readonly port: () => number,
    private readonly token: string,
    private readonly kind: string,
  ) {}

  /** Reads pages while a condition holds, and repeats calls that fail. */
  async follow(goesOn: () => boolean): Promise<void> {
    while (goesOn()) if (!(await this.readPage(1))) await delay(50);
  }

  /**
   * Reads until nothing is new.
   * @throws Error when that takes too long
   */
  async catchUp(): Promise<void> {
    let isUpToDate = false;
    const arrived = async () => {
      isUpToDate = (await this.readPage()) === 'up to date';
      return isUpToDate;
    };
    if ((await until(arrived, { within: CATCH_UP })) === undefined)
      throw new Error(`the feed of ${this.kind} is not up to date after ${CATCH_UP} ms`);
  }

  /** Differences between the copy and the objects that are stored, as `[id, revision]`, in words. */
  differences(stored: [string, number][]): string[] {
    const wrong = stored
      .filter(([id, revision]) => this.revisions.get(id) !== revision)
      .map(([id, revision]) => `${id}: ${this.revisions.get(id)}, not ${revision}`);
    const ids = new Set(stored.map(([id]) => id));
    const more = [...this.revisions.keys()].filter((id) => !ids.has(id));
    return [...wrong, ...more.map((id) => `${id}: is not stored`)];
  }

  /** @returns undefined when the call failed */
  private async readPage(wait?: number): Promise<'up to date' | 'more' | undefined> {
    const port = this.port();
    const server = { call: (path: string, more = {}) => call(port, path, more) };
    const parameters = { kinds: this.kind, after: this.cursor, limit: 1_000, wait };
    const answer = await callFeed(server, this.token, parameters).catch(() => undefined);
    if (answer?.status === 410) {
      this.restarts++;
      this.cursor = undefined;
      this.revisions.clear();
    }
    if (answer?.status !== 200) return undefined;
    const page = answer.body as { changes: FeedItem[]; next: string; upToDate: boolean };
    for (const { id, state, revision } of page.changes)
      if (state === 'current') this.revisions.set(id, revision!);
      else this.revisions.delete(id);
    this.cursor = page.next;
    return page.upToDate ? 'up to date' : 'more';
  }
}

/** A person who watches the counter of one application on a stream, and opens another when it ends. */
export class StreamFollower {
  /** The number that was shown last. */
  shown: number | undefined;
  private stream: EventStream | undefined;
  private read = 0;

  /**
   * @param port the server of the next stream
   * @param application its URI
   */
  constructor(
    private readonly port: () => number,
    private readonly token: string,
    private readonly application: string,
  ) {}

  /** Watches while a condition holds. */
  async follow(goesOn: () => boolean, show: (count: number) => void): Promise<void> {
    while (goesOn()) {
      await this.keepOpen();
      this.readMessages(show);
      await delay(50);
    }
  }

  /** Waits until a number is shown. @returns the number that is shown in the end */
  async settle(expected: number): Promise<number | undefined> {
    const arrived = async () => {
      await this.keepOpen();
      this.readMessages(() => undefined);
      return this.shown === expected;
    };
    await until(arrived, { within: CATCH_UP, every: 50 });
    this.stream?.close();
    return this.shown;
  }

  private async keepOpen(): Promise<void> {
    if (this.stream && this.stream.status === 200 && this.stream.endTime() === undefined) return;
    const options = { token: this.token };
    this.stream = await openEvents(this.port(), options).catch(() => undefined);
    this.read = 0;
    if (this.stream?.status !== 200) await delay(200);
  }

  private readMessages(show: (count: number) => void): void {
    const { messages = [] } = this.stream ?? {};
    for (; this.read < messages.length; this.read++) {
      const { applications } = (messages[this.read]!.data ?? {}) as {
        applications?: Record<string, number | null>;
      };
      const count = applications?.[this.application];
      if (count === undefined || count === null) continue;
      this.shown = count;
      show(count);
    }
  }
}
