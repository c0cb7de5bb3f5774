import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type BeforeApplicationShutdown,
} from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Database } from '../database/database.js';
import { refusalSentTo } from '../errors/answer-refusal.js';
import { callerOf } from './caller.js';
import { ClientAddressService } from './client-address.service.js';
import { originOf } from './origin.js';

/**
 * Who may not: these statuses are kept, and what gives its reason for the audit trail. Other bad input
 * is no matter of the trail.
 */
const AUDITED = new Set([401, 403, 429]);

/** Different refusals that are summed at a time; from here on they are counted together. */
const MAX_SUMS = 1_000;

/** How often sums are written, in milliseconds. */
const INTERVAL = 2_000;

/** Refusals of one kind since the last writing. */
interface Sum {
  reason: string;
  objectUri: string | null;
  actorUri: string | null;
  actorLogin: string | null;
  address: string | null;
  requestId: string | null;
  callerRequestId: string | null;
  count: number;
}

/**
 * Refusals in the audit trail, summed by address and reason and written every few seconds: a
 * refusal itself needs no connection, and a flood of them no room.
 */
@Injectable()
export class RefusalLog implements BeforeApplicationShutdown, OnApplicationBootstrap {
  private readonly logger = new Logger(RefusalLog.name);
  private sums = new Map<string, Sum>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly addresses: ClientAddressService,
    private readonly database: Database,
  ) {}

  /** Express middleware, before everything that may refuse. */
  readonly watch = (request: Request, response: Response, next: NextFunction): void => {
    response.once('finish', () => this.add(request, response));
    next();
  };

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.write(), INTERVAL).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.write();
  }

  /** Writes what was summed; what cannot be written now is kept for the next time. */
  async write(): Promise<void> {
    if (this.sums.size === 0) return;
    const { sums } = this;
    this.sums = new Map();
    try {
      await this.insert([...sums.values()]);
    } catch (error) {
      this.logger.warn(`refusals cannot be written: ${String(error)}`);
      for (const [key, sum] of sums) this.count(key, sum);
    }
  }

  private add(request: Request, response: Response): void {
    const refusal = refusalSentTo(response);
    if (!refusal) return;
    if (!AUDITED.has(refusal.status) && refusal.audited.reason === undefined) return;
    const { address, peer } = this.addresses.of(request);
    const caller = callerOf(request);
    const { requestId = null, callerRequestId = null } = originOf(request);
    const { reason = refusal.message, objectUri = null } = refusal.audited;
    const sum: Sum = {
      reason,
      objectUri,
      actorUri: caller ? `/directory/users/${caller.id}` : null,
      actorLogin: caller?.login ?? null,
      address: address ?? peer,
      requestId,
      callerRequestId,
      count: 1,
    };
    this.count(JSON.stringify([sum.address, reason, sum.actorUri, objectUri]), sum);
  }

  private count(key: string, sum: Sum): void {
    const known = this.sums.get(key);
    if (known) known.count += sum.count;
    else if (key === REST || this.sums.size < MAX_SUMS) this.sums.set(key, sum);
    else this.count(REST, { ...NOBODY, count: sum.count });
  }

  private async insert(sums: Sum[]): Promise<void> {
    const column = <K extends keyof Sum>(name: K) => sums.map((sum) => sum[name]);
    await this.database.rows({
      text: `INSERT INTO audit (action, reason, object_uri, actor_uri, actor_login, address, request_id, caller_request_id, count)
        SELECT 'refuse', * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::integer[])`,
      values: [
        column('reason'),
        column('objectUri'),
        column('actorUri'),
        column('actorLogin'),
        column('address'),
        column('requestId'),
        column('callerRequestId'),
        column('count'),
      ],
    });
  }
}

/** What is counted when there are too many kinds to tell apart, and its key. */
const REST = '';
const NOBODY: Sum = {
  reason: 'further refusals',
  objectUri: null,
  actorUri: null,
  actorLogin: null,
  address: null,
  requestId: null,
  callerRequestId: null,
  count: 0,
};
