import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Server } from 'node:http';
import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { answerRefusal } from '../errors/answer-refusal.js';
import { unavailable } from '../errors/refusals.js';
import { PROBES } from '../security/address-rule.js';

/**
 * Requests under way at a time. Sign-ins are counted apart: they wait for each other and for
 * argon2, and may not keep others out while they do.
 */
const MAX_UNDER_WAY = 300;
const SIGN_IN = '/api/v2/authentication';

/**
 * How late the event loop may be on average (milliseconds), looked at once a window. One window
 * alone can be a single long task; two in a row are more work than there is time.
 */
const MAX_LATENESS = 150;
const WINDOW = 250;

/**
 * Who is let in (decisions 0009): too much at a time is refused early with 503, before any work was
 * done for it, so that what was let in is answered in time. And the end: a stopping server is not
 * ready, and its answers are the last on their connections.
 */
@Injectable()
export class Admission implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly underWay = { signIns: new Set<Response>(), others: new Set<Response>() };
  private readonly delays: IntervalHistogram = monitorEventLoopDelay({ resolution: 10 });
  private timer: NodeJS.Timeout | undefined;
  private lateWindows = 0;
  private stopping = false;

  get isStopping(): boolean {
    return this.stopping;
  }

  onApplicationBootstrap(): void {
    this.delays.enable();
    this.timer = setInterval(() => this.look(), WINDOW).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    this.delays.disable();
  }

  /** Express middleware before everything that costs. */
  readonly shed = (request: Request, response: Response, next: NextFunction): void => {
    if (this.stopping) response.setHeader('Connection', 'close');
    if (PROBES.has(request.path)) return next();
    if (this.lateWindows >= 2 || this.isFull(request))
      return answerRefusal(response, unavailable(), request.path);
    next();
  };

  /** Express middleware behind the reading of bodies: slow senders keep nobody out. */
  readonly count = (request: Request, response: Response, next: NextFunction): void => {
    if (PROBES.has(request.path)) return next();
    if (this.isFull(request)) return answerRefusal(response, unavailable(), request.path);
    const lane = this.laneOf(request);
    lane.add(response);
    const leave = (): unknown => lane.delete(response);
    // Not only when it has arrived: slow readers keep nobody out either.
    response.once('prefinish', leave);
    response.once('close', leave);
    next();
  };

  /**
   * Ends taking part: not ready from now on, and connections end with their next answer.
   * @param grace how long, in milliseconds, supervisors have to notice, unless nobody is connected
   */
  async leave(server: Server, grace: number): Promise<void> {
    this.stopping = true;
    for (const response of [...this.underWay.signIns, ...this.underWay.others])
      if (!response.headersSent) response.setHeader('Connection', 'close');
    const deadline = performance.now() + grace;
    while (performance.now() < deadline && (await connectionsOf(server)) > 0) await delay(50);
  }

  private look(): void {
    const isLate = this.delays.mean / 1e6 > MAX_LATENESS;
    this.lateWindows = isLate ? this.lateWindows + 1 : 0;
    this.delays.reset();
  }

  private isFull(request: Request): boolean {
    return this.laneOf(request).size >= MAX_UNDER_WAY;
  }

  private laneOf({ method, path }: Request): Set<Response> {
    const { signIns, others } = this.underWay;
    return method === 'POST' && path.startsWith(SIGN_IN) ? signIns : others;
  }
}

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
