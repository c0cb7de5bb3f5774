import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Database } from '../database/database.js';
import type { AuditAction } from './audit.service.js';

/** Maximum number of distinct lines that are summed at a time. */
const MAX_SUMS = 1_000;

/** Interval at which sums are written, in milliseconds. */
const INTERVAL = 2_000;

/** One line of the audit trail for all equal events since the last write. */
export interface AuditSum {
  action: AuditAction;
  reason: string | null;
  objectUri: string | null;
  actorUri: string | null;
  actorLogin: string | null;
  agentUri: string | null;
  agentLogin: string | null;
  address: string | null;
  /** The request ids of the first event. */
  requestId: string | null;
  callerRequestId: string | null;
  /** JSON text. */
  after: string | null;
  count: number;
}

/**
 * Sums equal lines of the audit trail and writes them every few seconds, so that an event needs no connection and a
 * flood of events no space.
 */
@Injectable()
export class AuditSums implements BeforeApplicationShutdown, OnApplicationBootstrap {
  private readonly logger = new Logger(AuditSums.name);
  private sums = new Map<string, AuditSum>();
  private timer: NodeJS.Timeout | undefined;
  private lastWrite = Promise.resolve();

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.write(), INTERVAL).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.write();
  }

  /** Whether an event with this key can be summed: the key is known, or another sum fits. */
  hasRoomFor(key: string): boolean {
    return this.sums.has(key) || this.sums.size < MAX_SUMS;
  }

  /** Adds events to the sum of this key. */
  add(key: string, sum: AuditSum): void {
    const known = this.sums.get(key);
    if (known) known.count += sum.count;
    else this.sums.set(key, sum);
  }

  /**
   * Writes the sums after a write under way, so that a shutdown waits for both. After a failure it keeps them for the
   * next write.
   */
  write(): Promise<void> {
    this.lastWrite = this.lastWrite.then(() => this.writeSums());
    return this.lastWrite;
  }

  private async writeSums(): Promise<void> {
    if (this.sums.size === 0) return;
    const { sums } = this;
    this.sums = new Map();
    try {
      await this.insert([...sums.values()]);
    } catch (error) {
      this.logger.warn(
        `the sums of refused calls and sign-ins cannot be written to the audit trail: ${String(error)}`,
      );
      for (const [key, sum] of sums) this.add(key, sum);
    }
  }

  private async insert(sums: AuditSum[]): Promise<void> {
    const column = <K extends keyof AuditSum>(name: K) => sums.map((sum) => sum[name]);
    await this.database.execute({
      text: `INSERT INTO audit (action, reason, object_uri, actor_uri, actor_login, agent_uri, agent_login, address, request_id, caller_request_id, after, count)
        SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::jsonb[], $12::integer[])`,
      values: [
        column('action'),
        column('reason'),
        column('objectUri'),
        column('actorUri'),
        column('actorLogin'),
        column('agentUri'),
        column('agentLogin'),
        column('address'),
        column('requestId'),
        column('callerRequestId'),
        column('after'),
        column('count'),
      ],
    });
  }
}
