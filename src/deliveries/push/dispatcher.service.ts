import { setTimeout as delay } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Config } from '../../base/config/config.js';
import { Database } from '../../database/database.js';
import { Housekeeping } from '../../database/housekeeping.js';
import { ReadBarrier } from '../../journal/read-barrier.js';
import { TaskEnds } from '../../process/tasks/task-end.js';
import { PARAMETERS, retentionEnd } from '../../security/parameters/parameter-definitions.js';
import { ParametersService } from '../../security/parameters/parameters.service.js';
import { Destinations } from '../engines/destinations.js';
import { dispatch } from '../events/dispatch.js';
import {
  EndpointSettingsService,
  SETTINGS,
  type SettingsRow,
} from '../settings/endpoint-settings.service.js';
import { Leadership } from './leadership.js';
import { DeliverySender, type SenderContext } from './delivery-sender.js';

/** Shortest time between two reads of the journal by the leader, in milliseconds: half of it is the usual delay of an event. */
const PACE = 10;

/** How often the leader renews its term, reads the endpoints and looks for due repetitions, in milliseconds. */
const TICK = 1_000;

/** How long a server that stops waits for answers, in milliseconds. */
const PATIENCE = 3_000;

/**
 * Turns changes of tasks into deliveries and pushes them (docs/decisions/0038). One process does it for all that share
 * the database. Its state is in the database, so that another process can continue after a crash.
 */
@Injectable()
export class Dispatcher implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Attempts since the start. */
  readonly counts = { delivered: 0, refused: 0, unreachable: 0, forbidden: 0 };

  private readonly logger = new Logger(Dispatcher.name);
  private readonly leadership: Leadership;
  private readonly senders = new Map<string, DeliverySender>();
  private readonly context: SenderContext;
  private destinations = new Destinations('');
  private hasNews = true;
  private isDispatching = false;
  private dispatching: Promise<void> | undefined;
  private stopFollowing: (() => void) | undefined;
  private readonly stopping = new AbortController();
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly parameters: ParametersService,
    private readonly barrier: ReadBarrier,
    private readonly endpoints: EndpointSettingsService,
    ends: TaskEnds,
    housekeeping: Housekeeping,
    config: Config,
  ) {
    this.leadership = new Leadership(database);
    const { PUBLIC_URL: url, BASE_PATH: path } = config.env;
    this.context = {
      database,
      ends,
      term: () => this.leadership.term,
      destinations: () => this.currentDestinations(),
      keepsAnswers: async () => (await parameters.current()).flag('keepAnswers'),
      source: `${url?.replace(/\/$/, '') ?? ''}${path}/api/v2`,
      counts: this.counts,
    };
    barrier.subscribe({
      changed: (changes) => {
        if (changes.some(({ kind }) => kind === 'tasks')) this.dispatchNews();
      },
      reset: () => this.dispatchNews(),
    });
    const end = retentionEnd(PARAMETERS.deliveryRetention);
    housekeeping.register('deliveries', `completion_date < ${end}`);
  }

  onApplicationBootstrap(): void {
    this.running = this.tick();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    const senders = [...this.senders.values()];
    const ended = Promise.all(senders.map((sender) => sender.stop()));
    await Promise.race([ended, delay(PATIENCE, undefined, { ref: false })]);
    for (const sender of senders) sender.abandon();
    await Promise.all([this.running, this.dispatching]);
    await this.leadership.resign().catch(() => undefined);
  }

  /**
   * Looks for due deliveries at once, after a change of an endpoint or of a delivery. The next tick repeats a failed
   * attempt.
   */
  async refresh(): Promise<void> {
    try {
      await this.lead();
      for (const sender of this.senders.values()) sender.wake();
    } catch (error) {
      this.logger.warn(`endpoints cannot be read: ${String(error)}`);
    }
  }

  private async tick(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await this.lead().catch((error: unknown) =>
        this.logger.debug(`no deliveries: ${String(error)}`),
      );
      await this.pause(TICK);
    }
  }

  /** Leads where no other process does. A leader reads the endpoints in the same statement. */
  private async lead(): Promise<void> {
    const wasHeld = this.leadership.isHeld;
    const rows = await this.leadership.renew<SettingsRow[]>(SETTINGS);
    if (!rows) return this.follow();
    if (this.stopping.signal.aborted) return;
    this.stopFollowing ??= this.barrier.follow(PACE);
    if (!wasHeld || this.hasNews) this.dispatchNews();
    const all = this.endpoints.open(rows);
    const known = new Set(all.map(({ id }) => id));
    for (const [id, sender] of this.senders)
      if (!known.has(id)) {
        this.senders.delete(id);
        void sender.stop();
      }
    for (const settings of all) {
      const sender = this.senders.get(settings.id);
      if (sender) sender.settings = settings;
      else this.senders.set(settings.id, new DeliverySender(settings, this.context));
      if (settings.isDue) this.senders.get(settings.id)!.wake();
    }
  }

  private async follow(): Promise<void> {
    this.stopFollowing?.();
    this.stopFollowing = undefined;
    const senders = [...this.senders.values()];
    this.senders.clear();
    await Promise.all(senders.map((sender) => sender.stop()));
  }

  /** Runs after a change of a task, and again a second after a failure. */
  private dispatchNews(): void {
    this.hasNews = true;
    if (!this.isDispatching) this.dispatching = this.dispatchAll();
  }

  /** Waits this many milliseconds, or until the server stops. */
  private async pause(time: number): Promise<void> {
    const { signal } = this.stopping;
    await delay(time, undefined, { ref: false, signal }).catch(() => undefined);
  }

  private async dispatchAll(): Promise<void> {
    this.isDispatching = true;
    while (this.hasNews && this.leadership.isHeld && !this.stopping.signal.aborted) {
      this.hasNews = false;
      try {
        const done = await this.database.transaction((transaction) =>
          dispatch(transaction, this.leadership.id),
        );
        for (const id of done?.endpoints ?? []) this.senders.get(id)?.wake();
        if (done?.hasMore) this.hasNews = true;
      } catch (error) {
        this.logger.warn(`changes of tasks cannot be read: ${String(error)}`);
        await this.pause(TICK);
        this.hasNews = true;
      }
    }
    this.isDispatching = false;
  }

  private async currentDestinations(): Promise<Destinations> {
    const text = (await this.parameters.current()).text('destinations');
    if (this.destinations.text !== text) this.destinations = new Destinations(text);
    return this.destinations;
  }
}
