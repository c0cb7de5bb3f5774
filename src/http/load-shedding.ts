import { setTimeout as delay } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import type { Server } from 'node:net';
import { promisify } from 'node:util';
import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { ConcurrencyLimiter } from '../concurrency/limiter.js';
import { unavailable } from '../errors/api-errors.js';
import type { Step } from './pre-framework.js';
import { giveRequestId } from './request-log.js';
import { stateOf } from './request-state.js';
import type { RouteFacts } from './route-facts.js';
import { sendError } from './send-error.js';

/**
 * Requests under way at a time: more than can have or wait for a connection, so that what needs none
 * is answered while those are all taken. While the event loop has no time left (share of a window,
 * in milliseconds, for two of them) no more than the database has places for: to be refused there,
 * they would have to come through everything else first.
 */
const MAX_UNDER_WAY = 160;
const MAX_WHILE_BUSY = 96;
const BUSY = 0.9;
const WINDOW = 500;

/** Those that wait for that, and for how long (milliseconds): what comes all at once is no overload. */
const MAX_WAITING = 128;
const PATIENCE = 800;

/**
 * Sign-ins are counted apart: they wait for each other and for argon2, which has a queue of its own,
 * and may not keep others out while they do.
 */
const MAX_SIGN_INS = 300;

/** Made once: an error notes where it was made, which takes longer than the rest of refusing. */
const TOO_MUCH = unavailable();

/**
 * Who is let in (docs/decisions/0009): too much at a time is refused early with 503, before any
 * work was done for it, so that what was let in is answered in time. And the end: a stopping server
 * is not ready, and its answers are the last on their connections.
 */
@Injectable()
export class LoadShedder implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly signIns = new ConcurrencyLimiter({
    maxConcurrent: MAX_SIGN_INS,
    maxQueued: 0,
    queueTimeout: 0,
  });
  private readonly others = new ConcurrencyLimiter({
    maxConcurrent: MAX_UNDER_WAY,
    maxQueued: MAX_WAITING,
    queueTimeout: PATIENCE,
  });
  /** What was let in or waits for it. */
  private readonly inFlight = new Set<Response>();
  private timer: NodeJS.Timeout | undefined;
  private readonly logger = new Logger(LoadShedder.name);
  private used = performance.eventLoopUtilization();
  private wasBusy = false;
  private refused = 0;
  private stopping = false;

  get isStopping(): boolean {
    return this.stopping;
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.sampleEventLoop(), WINDOW).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Before everything that costs: the framework, and the line of the log. */
  readonly shed: Step = (request, response, next) => {
    if (this.stopping) response.setHeader('Connection', 'close');
    const { facts } = stateOf(request);
    if (facts.isProbe || !this.limiterOf(facts).isFull) return next();
    giveRequestId(response);
    this.refuse(response);
  };

  /** Express middleware behind the reading of bodies: slow senders keep nobody out. */
  readonly admit = (request: Request, response: Response, next: NextFunction): void => {
    const { facts } = stateOf(request);
    if (facts.isProbe) return next();
    this.inFlight.add(response);
    void this.limiterOf(facts)
      .run(() => answered(response, next))
      .catch(() => this.refuse(response))
      .finally(() => this.inFlight.delete(response));
  };

  /**
   * Ends taking part: not ready from now on, and connections end with their next answer.
   * @param servers where connections arrive
   * @param grace how long, in milliseconds, supervisors have to notice, unless nobody is connected
   */
  async drain(servers: Server[], grace: number): Promise<void> {
    this.stopping = true;
    for (const response of this.inFlight)
      if (!response.headersSent) response.setHeader('Connection', 'close');
    const deadline = performance.now() + grace;
    while (performance.now() < deadline && (await connectionsOf(servers)) > 0) await delay(50);
  }

  private sampleEventLoop(): void {
    const used = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(used, this.used);
    this.used = used;
    const isBusy = utilization > BUSY;
    this.others.resize(isBusy && this.wasBusy ? MAX_WHILE_BUSY : MAX_UNDER_WAY);
    this.wasBusy = isBusy;
    if (this.refused > 0) this.logger.warn(`too much at a time: ${this.refused} requests refused`);
    this.refused = 0;
  }

  private refuse(response: ServerResponse): void {
    this.refused++;
    sendError(response, TOO_MUCH);
  }

  private limiterOf({ lane }: RouteFacts): ConcurrencyLimiter {
    return lane === 'sign-in' ? this.signIns : this.others;
  }
}

/** Goes on, until the answer is made: not until it has arrived, so that slow readers keep nobody out. */
const answered = (response: Response, next: NextFunction): Promise<void> =>
  new Promise((done) => {
    if (response.destroyed) return done();
    response.once('prefinish', done);
    response.once('close', done);
    next();
  });

async function connectionsOf(servers: Server[]): Promise<number> {
  const counts = servers.map((server) =>
    promisify<number>((done) => server.getConnections(done))(),
  );
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}
