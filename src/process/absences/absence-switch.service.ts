import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Database } from '../../database/database.js';

/**
 * Interval of the switch in milliseconds, and so the longest delay of a rule's beginning or end (docs/decisions/0044).
 */
const INTERVAL = 2_000;

/**
 * Switches absences on and off when their time comes. Every process runs it: the statement reads an index, and a second
 * process finds no rule left to switch. The write reaches the journal like any other.
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

  /** Switches the rules that are due. It logs the first of several failures in a row. */
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
