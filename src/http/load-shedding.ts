import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { ConcurrencyLimiter } from '../base/concurrency/limiter.js';
import { unavailable } from '../base/errors/api-errors.js';
import { responsesOf } from './connection-reader.js';
import type { Step } from './step.js';
import { giveRequestId } from './request-log.js';
import { stateOf } from './request-state.js';
import type { RouteFacts } from './route-facts.js';
import { sendError } from './send-error.js';
import { onceAnswered } from './streaming.js';

/**
 * Most concurrent requests: more than can hold or wait for a database connection, so that requests without
 * one are answered while all connections are taken. While the event loop is busy (`BUSY` is its utilization
 * in two successive windows of `WINDOW` milliseconds), the limit drops to what the database can take: a
 * request that the database rejects has already cost all the work before it.
 */
const MAX_UNDER_WAY = 160;
const MAX_WHILE_BUSY = 96;
const BUSY = 0.9;
const WINDOW = 500;

/** Most queued requests, and how long they wait (milliseconds): a burst is no overload. */
const MAX_QUEUED = 128;
const QUEUE_TIMEOUT = 800;

/**
 * Sign-ins have their own limit: they wait for each other and for argon2, which has its own queue, and must not block
 * other requests meanwhile.
 */
const MAX_SIGN_INS = 300;

/**
 * How long a call may wait that arrives while the server stops, in milliseconds. Without a wait, a consumer that knows
 * no other server would call repeatedly.
 */
const WAIT_WHILE_STOPPING = 1_000;

/** Pre-allocated: capturing a stack trace costs more than the rest of the rejection. */
const OVERLOADED = unavailable();

/**
 * Sheds load (docs/decisions/0009): under overload it rejects requests early with 503, before any work is
 * done for them, so that admitted requests are answered in time. It also drains the server at shutdown: a
 * stopping server is not ready, and its answers are the last on their connections.
 */
@Injectable()
export class LoadShedder
  implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  private readonly signIns = new ConcurrencyLimiter({
    maxConcurrent: MAX_SIGN_INS,
    maxQueued: 0,
    queueTimeout: 0,
  });
  private readonly others = new ConcurrencyLimiter({
    maxConcurrent: MAX_UNDER_WAY,
    maxQueued: MAX_QUEUED,
    queueTimeout: QUEUE_TIMEOUT,
  });
  private timer: NodeJS.Timeout | undefined;
  private readonly logger = new Logger(LoadShedder.name);
  private used = performance.eventLoopUtilization();
  private wasBusy = false;
  private rejected = 0;
  private readonly stop = new AbortController();

  constructor() {
    setMaxListeners(0, this.stop.signal);
  }

  get isStopping(): boolean {
    return this.stop.signal.aborted;
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.sampleEventLoop(), WINDOW).unref();
  }

  /** Ends the long waits, which would delay the closing of the server. */
  beforeApplicationShutdown(): void {
    this.stop.abort();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Runs before everything expensive: the framework and the request log. */
  readonly shed: Step = (request, response, next) => {
    const { facts } = stateOf(request);
    if (facts.isProbe || !this.limiterOf(facts).isFull) return next();
    giveRequestId(response);
    this.reject(response);
  };

  /** Express middleware after the body parser, so that slow senders hold no place. */
  readonly admit = (request: Request, response: Response, next: NextFunction): void => {
    const state = stateOf(request);
    const { facts } = state;
    if (facts.isProbe) return next();
    void this.limiterOf(facts)
      .run(
        () =>
          new Promise<void>((release, fail) => {
            state.place = { release, stopping: this.stopping };
            answered(response, next).then(release, fail);
          }),
      )
      .catch(() => this.reject(response));
  };

  /**
   * Drains the server: it keeps answering but reports that it is not ready, and closes each connection with its next
   * answer. The drain always takes the whole time: even without open connections, further calls arrive until
   * supervisors have noticed.
   * @param time how long supervisors have to notice, in milliseconds
   * @param urgent ends the drain at once when it aborts
   */
  async drain(server: Server, time: number, urgent: AbortSignal): Promise<void> {
    for (const response of responsesOf(server))
      if (!response.headersSent) response.setHeader('Connection', 'close');
    server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) =>
      response.setHeader('Connection', 'close'),
    );
    this.stop.abort();
    await delay(time, undefined, { signal: urgent }).catch(() => undefined);
  }

  private sampleEventLoop(): void {
    const used = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(used, this.used);
    this.used = used;
    const isBusy = utilization > BUSY;
    this.others.resize(isBusy && this.wasBusy ? MAX_WHILE_BUSY : MAX_UNDER_WAY);
    this.wasBusy = isBusy;
    if (this.rejected > 0)
      this.logger.warn(`overload: ${this.rejected} requests answered with 503`);
    this.rejected = 0;
  }

  /** Ends long waits as soon as the server begins to stop, and later ones after a short time. */
  private get stopping(): AbortSignal {
    return this.isStopping ? AbortSignal.timeout(WAIT_WHILE_STOPPING) : this.stop.signal;
  }

  private reject(response: ServerResponse): void {
    this.rejected++;
    sendError(response, OVERLOADED);
  }

  private limiterOf({ lane }: RouteFacts): ConcurrencyLimiter {
    return lane === 'sign-in' ? this.signIns : this.others;
  }
}

/**
 * Continues, and resolves when the answer is complete or begins to stream, not when it has arrived, so that slow
 * readers hold no place.
 */
const answered = (response: Response, next: NextFunction): Promise<void> =>
  new Promise((done) => {
    if (response.destroyed) return done();
    onceAnswered(response, 'prefinish', done);
    response.once('close', done);
    next();
  });
