import type { ServerResponse } from 'node:http';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { unavailable } from '../../base/errors/api-errors.js';
import { beginStream } from '../../http/streaming.js';
import { ReadBarrier } from '../../journal/read-barrier.js';
import type { Caller } from '../../security/caller.js';
import { CounterStream } from './counter-stream.js';
import { CounterUpdater } from './counter-updater.js';
import { OpenStreams } from './open-streams.js';
import { SessionChecks } from './session-checks.js';

/** Time between two rounds while a stream is open, in milliseconds. One timer serves all streams. */
const ROUND = 100;

/** Shortest time between two reads of the journal meanwhile, in milliseconds. */
const PACE = 50;

/** Opens and ends the streams of counters, and runs their rounds with one timer. */
@Injectable()
export class LiveCounters implements OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private stopFollowing: (() => void) | undefined;
  private isStopping = false;

  constructor(
    private readonly barrier: ReadBarrier,
    private readonly streams: OpenStreams,
    private readonly sessions: SessionChecks,
    private readonly updater: CounterUpdater,
  ) {}

  /**
   * Turns a response into a stream of the caller's counters.
   * @param address the address from which the client calls
   * @throws ApiError 429 or 503 when there are too many streams; 503 while the server stops
   */
  open(response: ServerResponse, caller: Caller, address: string): void {
    if (this.isStopping) throw unavailable();
    this.streams.check(caller.id);
    // The client may have left while its token was looked up.
    if (response.closed) return;
    const stream = new CounterStream(response, caller, address);
    const person = this.streams.add(stream);
    response.once('close', () => this.remove(stream));
    beginStream(response);
    // A session may have been revoked since the guard ran.
    this.sessions.check(stream);
    this.updater.affect(person);
    this.stopFollowing ??= this.barrier.follow(PACE);
    this.timer ??= setInterval(() => this.round(), ROUND).unref();
  }

  /** Ends all streams, as the first stage of shutdown: their clients go to another server. */
  stop(): void {
    this.isStopping = true;
    for (const stream of [...this.streams.all()]) this.streams.end(stream, 'stopping');
    this.rest();
  }

  onModuleDestroy(): void {
    this.stop();
  }

  private remove(stream: CounterStream): void {
    this.streams.remove(stream);
    if (this.streams.count === 0) this.rest();
  }

  private rest(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.stopFollowing?.();
    this.stopFollowing = undefined;
  }

  private round(): void {
    void this.sessions.run();
    void this.updater.run();
    this.streams.beat();
  }
}
