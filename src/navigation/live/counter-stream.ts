import type { ServerResponse } from 'node:http';
import { USERS_URI } from '../../http/route-facts.js';
import { uriOf } from '../../resources/uri.js';
import type { Caller } from '../../security/caller.js';
import { allCounters, changedCounters, type Counters } from './counters.js';

/** Time between two heartbeats of a stream, in milliseconds. */
export const HEARTBEAT = 15_000;

/** Least time between two messages of a stream, in milliseconds: changes within it arrive as one message. */
const LEAST_INTERVAL = 1_000;

/** When a client reconnects after its stream breaks, in milliseconds. The spread avoids a rush. */
const RETRY = { least: 1_000, most: 5_000 };

/** How long a client may take to read the last message, in milliseconds. */
const FAREWELL = 15_000;

/** Why the server ends a stream (docs/api-contract.md#live-counters). */
export type EndReason = 'signed-out' | 'expired' | 'deactivated' | 'address' | 'stopping';

/** One open answer to `GET /navigation/workplace/events`. */
export class CounterStream {
  /** The turn of its heartbeat (OpenStreams). */
  turn = 0;
  private shown: Counters | undefined;
  private dueTime = 0;
  private messages = 0;
  private hasEnded = false;
  /** Whether bytes were unread at the last heartbeat. */
  private isBehind = false;

  /** @param address the address from which its client calls */
  constructor(
    private readonly response: ServerResponse,
    public caller: Caller,
    readonly address: string,
  ) {}

  /** Whether it may get a message: a second after the last one, and once its client has read that. */
  isDue(now: number): boolean {
    return now >= this.dueTime && this.response.writableLength === 0;
  }

  /**
   * Sends all counters at first and whenever the applications or filters change, otherwise only changed counters.
   * @returns whether it sent anything
   */
  show(counters: Counters, now: number): boolean {
    const { shown } = this;
    this.shown = counters;
    if (shown === counters) return false;
    if (!shown || !isSame(shown.tiles, counters.tiles) || shown.filters !== counters.filters) {
      this.send('counters', allCounters(uriOf(USERS_URI, this.caller.id), counters));
    } else {
      const changed = changedCounters(shown, counters);
      if (changed === undefined) return false;
      this.send('changes', changed);
    }
    this.dueTime = now + LEAST_INTERVAL;
    return true;
  }

  /** Keeps proxies from closing a silent connection, and closes that of a client that does not read. */
  beat(): void {
    const { response, isBehind } = this;
    this.isBehind = response.writableLength > 0;
    if (!this.isBehind) response.write(':\n\n');
    else if (isBehind) response.destroy();
  }

  /** Sends the reason and ends. A second call has no effect. */
  end(reason: EndReason): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.send('end', JSON.stringify({ reason }));
    this.response.end();
    // Destroys the connection, which a client that does not read would otherwise keep open.
    const timer = setTimeout(() => this.response.destroy(), FAREWELL).unref();
    this.response.once('close', () => clearTimeout(timer));
  }

  private send(event: string, data: string): void {
    const id = ++this.messages;
    const retry =
      id === 1
        ? `retry: ${Math.round(RETRY.least + Math.random() * (RETRY.most - RETRY.least))}\n`
        : '';
    this.response.write(`${retry}id: ${id}\nevent: ${event}\ndata: ${data}\n\n`);
  }
}

const isSame = (before: readonly string[], now: readonly string[]): boolean =>
  before === now || (before.length === now.length && before.every((uri, at) => uri === now[at]));
