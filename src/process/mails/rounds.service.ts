import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Database } from '../../database/database.js';
import { Outbox } from '../../mail/outbox.service.js';
import { ParametersService } from '../../security/parameters/parameters.service.js';
import { DigestService } from './digest.service.js';
import { RemindersService } from './reminders.service.js';

/** How often a process checks whether a round is due, in milliseconds. */
const INTERVAL = 5_000;

/** The time between rounds in seconds, by the clock of the database, whatever the number of processes. */
const ROUND = 300;

/** Regularly decides which mails about tasks to send, in one process at a time (docs/decisions/0045). */
@Injectable()
export class Rounds implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Rounds.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly parameters: ParametersService,
    private readonly reminders: RemindersService,
    private readonly digests: DigestService,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.outbox.isEnabled) return;
    this.timer = setInterval(() => void this.run(), INTERVAL).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Makes a round if one is due; resolves when this process has none under way. */
  run(): Promise<void> {
    this.running ??= this.decide()
      .catch((error: unknown) => this.warn(error))
      .finally(() => (this.running = undefined));
    return this.running;
  }

  /** When a process dies during a round, the next round continues where it ended. */
  private async decide(): Promise<void> {
    const taken = await this.database.execute({
      text: 'UPDATE task_mail_rounds SET next_round = now() + make_interval(secs => $1) WHERE next_round <= now()',
      values: [ROUND],
    });
    if (taken === 0) return;
    const parameters = await this.parameters.current();
    const kinds = [this.reminders, this.digests];
    // A failure of one kind of mail does not stop the others.
    for (const kind of kinds)
      await kind.decide(parameters).catch((error: unknown) => this.warn(error));
    this.outbox.wake();
  }

  private warn(error: unknown): void {
    this.logger.warn(`the mails about tasks were not decided: ${String(error)}`);
  }
}
