import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../base/config/config.js';
import { RunFailed } from './run-records.js';
import { type RunOptions, synchronize } from './synchronize.js';

/** The runs of LDAP providers in this process. */
@Injectable()
export class Synchronizations implements OnApplicationShutdown {
  private readonly logger = new Logger(Synchronizations.name);
  private readonly atWork = new Set<Promise<unknown>>();
  private readonly stop = new AbortController();

  constructor(private readonly config: Config) {}

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
