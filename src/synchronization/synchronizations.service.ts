import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../base/config/config.js';
import { underAdvisoryLock } from '../database/advisory-lock.js';
import { Database } from '../database/database.js';
import { Housekeeping } from '../database/housekeeping.js';
import { ParametersService } from '../security/parameters/parameters.service.js';
import { dueProviders } from './due-providers.js';
import { endInterrupted, RunFailed } from './run-records.js';
import { type RunOptions, synchronize } from './synchronize.js';

/** The advisory lock under which one process at a time starts runs. */
const LOCK = 2_026_112_802;

/** Days for which runs are kept. */
const KEPT_DAYS = 30;

/** The runs of LDAP providers in this process. */
@Injectable()
export class Synchronizations implements OnApplicationShutdown {
  private readonly logger = new Logger(Synchronizations.name);
  private readonly atWork = new Set<Promise<unknown>>();
  private readonly stop = new AbortController();

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly parameters: ParametersService,
    housekeeping: Housekeeping,
  ) {
    // Incremental runs need the last one that was done.
    housekeeping.register(
      'provider_runs',
      `start_date < now() - interval '${KEPT_DAYS} days' AND (state <> 'done' OR dry_run OR EXISTS (
        SELECT FROM provider_runs l WHERE l.provider_id = provider_runs.provider_id AND l.id > provider_runs.id
          AND l.state = 'done' AND NOT l.dry_run))`,
    );
    housekeeping.perform(() => this.startDue());
  }

  /** Starts the runs that are due, in one process; each goes on by itself. */
  async startDue(): Promise<void> {
    await endInterrupted(this.database);
    const { timeZone } = await this.parameters.current();
    await underAdvisoryLock(this.database, LOCK, async (transaction) => {
      const due = await dueProviders(transaction, timeZone);
      // A provider whose run cannot begin, which the log says, keeps no other one waiting.
      await Promise.allSettled(
        due.map(({ id, isFull }) => this.start({ provider: id, isDryRun: false, isFull })),
      );
    });
  }

  /**
   * Starts a run, and does not wait for its end.
   * @returns the id of the run
   * @throws RunRefused when it cannot begin
   */
  start(options: RunOptions): Promise<string> {
    return new Promise((resolve, reject) => {
      const { signal } = this.stop;
      const work = synchronize(this.config, { ...options, signal, started: resolve })
        .catch((error: Error) => {
          reject(error);
          // The record of the run says why it failed.
          if (!(error instanceof RunFailed || signal.aborted)) this.logger.error(error);
        })
        .finally(() => this.atWork.delete(work));
      this.atWork.add(work);
    });
  }

  /** A run that is cut off changes nothing. */
  async onApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await Promise.all(this.atWork);
  }
}
