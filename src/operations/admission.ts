import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Server } from 'node:http';
import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Config } from '../config/config.js';
import { answerRefusal } from '../errors/answer-refusal.js';
import { unavailable } from '../errors/refusals.js';
import { PROBES } from '../security/address-rule.js';
import { giveRequestId } from './request-log.js';

/**
 * Requests under way at a time: more than can have or wait for a connection, so that what needs none
 * is answered while those are all taken. Sign-ins are counted apart: they wait for each other and
 * for argon2, which has a queue of its own, and may not keep others out while they do.
 */
const MAX_UNDER_WAY = 160;
const MAX_SIGN_INS = 300;
const SIGN_IN = '/api/v2/authentication';

/**
 * While the event loop is late on average (milliseconds, looked at once a window) the limit is
 * halved each time, down to what still keeps the processors busy; then it comes back step by step.
 */
const MAX_LATENESS = 150;
const WINDOW = 500;
const LEAST_UNDER_WAY = 32;
const STEP = 32;

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
  private readonly logger = new Logger(Admission.name);
  private readonly basePath: string;
  private limit = MAX_UNDER_WAY;
  private refused = 0;
  private stopping = false;

  constructor({ env }: Config) {
    this.basePath = env.BASE_PATH;
  }

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

  /** Express middleware before everything that costs, also before the line of the log. */
  readonly shed = (request: Request, response: Response, next: NextFunction): void => {
    if (this.stopping) response.setHeader('Connection', 'close');
    const path = request.path.slice(this.basePath.length);
    if (PROBES.has(path) || !this.isFull(request.method, path)) return next();
    giveRequestId(request, response);
    this.refuse(response, path);
  };

  /** Express middleware behind the reading of bodies: slow senders keep nobody out. */
  readonly count = (request: Request, response: Response, next: NextFunction): void => {
    if (PROBES.has(request.path)) return next();
    const { method, path } = request;
    if (this.isFull(method, path)) return this.refuse(response, path);
    const lane = this.laneOf(method, path);
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
    this.limit = isLate
      ? Math.max(LEAST_UNDER_WAY, this.limit / 2)
      : Math.min(MAX_UNDER_WAY, this.limit + STEP);
    this.delays.reset();
    if (this.refused > 0) this.logger.warn(`too much at a time: ${this.refused} requests refused`);
    this.refused = 0;
  }

  private refuse(response: Response, path: string): void {
    this.refused++;
    answerRefusal(response, unavailable(), path);
  }

  private isFull(method: string, path: string): boolean {
    const lane = this.laneOf(method, path);
    return lane.size >= (lane === this.underWay.signIns ? MAX_SIGN_INS : this.limit);
  }

  private laneOf(method: string, path: string): Set<Response> {
    const { signIns, others } = this.underWay;
    return method === 'POST' && path.startsWith(SIGN_IN) ? signIns : others;
  }
}

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
