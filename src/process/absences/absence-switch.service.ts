import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Database } from '../../database/database.js';

/** How often rules are switched, in milliseconds: none begins or ends later than that (docs/decisions/0044). */
const INTERVAL = 2_000;

/**
 * Switches absences on and off when their time comes. Each process does it: the statement reads an index, and of two
 * that switch the same rule the second finds it done. The write reaches the journal like any other.
 */
@Injectable()
export class AbsenceSwitch implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(AbsenceSwitch.name);
  private timer: NodeJS.Timeout | undefined;
  private hasFailed = false;

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.run(), INTERVAL).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Switches what is due; a failure is reported once, until it works again. */
  async run(): Promise<void> {
    try {
      await this.database.rows({ text: 'SELECT switch_absences()', values: [] });
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed) this.logger.warn(`absences are not switched: ${String(error)}`);
      this.hasFailed = true;
    }
  }
}
