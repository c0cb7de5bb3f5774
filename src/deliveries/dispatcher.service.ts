import { setTimeout as delay } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { Housekeeping } from '../database/housekeeping.js';
import { ReadBarrier } from '../journal/read-barrier.js';
import { PARAMETERS } from '../security/parameters/parameter-definitions.js';
import { ParametersService } from '../security/parameters/parameters.service.js';
import { Destinations } from './destinations.js';
import { dispatch } from './dispatch.js';
import { EndpointSettingsService } from './endpoint-settings.service.js';
import { Leadership } from './leadership.js';
import { Pusher, type PushContext } from './pusher.js';

/** How often the leader reads the journal, in milliseconds: half of it is the usual delay of an event. */
const POLL_INTERVAL = 10;

/** How often it renews its term, reads the endpoints and looks for repetitions that are due, in milliseconds. */
const TICK = 1_000;

/** How long a server that stops waits for answers, in milliseconds. */
const PATIENCE = 3_000;

/**
 * Turns changes of tasks into deliveries and pushes them (docs/decisions/0038). One process does it for all that share
 * the database. Everything it knows is in the database, so that another process goes on where it died.
 */
@Injectable()
export class Dispatcher implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Attempts since the start. */
  readonly counts = { delivered: 0, refused: 0, unreachable: 0, forbidden: 0 };

  private readonly logger = new Logger(Dispatcher.name);
  private readonly leadership: Leadership;
  private readonly pushers = new Map<string, Pusher>();
  private readonly context: PushContext;
  private destinations = new Destinations('');
  private hasEndpoints = false;
  private hasNews = true;
  private readonly stopping = new AbortController();
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly parameters: ParametersService,
    private readonly barrier: ReadBarrier,
    private readonly endpoints: EndpointSettingsService,
    housekeeping: Housekeeping,
    config: Config,
  ) {
    this.leadership = new Leadership(database);
    const { PUBLIC_URL: url, BASE_PATH: path } = config.env;
    this.context = {
      database,
      term: () => this.leadership.term,
      destinations: () => this.currentDestinations(),
      keepsAnswers: async () => (await parameters.current()).flag('keepAnswers'),
      source: `${url?.replace(/\/$/, '') ?? ''}${path}/api/v2`,
      counts: this.counts,
    };
    barrier.subscribe({
      changed: (changes) => {
        if (changes.some(({ kind }) => kind === 'tasks')) this.hasNews = true;
      },
      reset: () => (this.hasNews = true),
    });
    housekeeping.register(
      'deliveries',
      `completion_date < now() - make_interval(days => coalesce(
        (SELECT value::integer FROM parameters WHERE key = '${PARAMETERS.deliveryRetention.key}'),
        ${PARAMETERS.deliveryRetention.defaultValue}))`,
    );
  }

  onApplicationBootstrap(): void {
    this.running = Promise.all([this.tick(), this.poll()]);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    const pushers = [...this.pushers.values()];
    const ended = Promise.all(pushers.map((pusher) => pusher.stop()));
    await Promise.race([ended, delay(PATIENCE, undefined, { ref: false })]);
    for (const pusher of pushers) pusher.abandon();
    await this.running;
    await this.leadership.resign().catch(() => undefined);
  }

  /** Looks for what is due at once, after a change of an endpoint or of a delivery; what fails is tried at the next tick. */
  async refresh(): Promise<void> {
    try {
      if (!this.leadership.isHeld && !(await this.leadership.renew())) return;
      await this.readEndpoints();
      for (const pusher of this.pushers.values()) pusher.wake();
    } catch (error) {
      this.logger.warn(`endpoints cannot be read: ${String(error)}`);
    }
  }

  private async tick(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        if (await this.leadership.renew()) {
          this.hasNews = true;
          await this.readEndpoints();
          await this.wakeDue();
        } else await this.dropPushers();
      } catch (error) {
        this.logger.debug(`no deliveries: ${String(error)}`);
      }
      await this.pause(TICK);
    }
  }

  /** Reads the journal like those who wait for the feed of changes: a write notifies nobody. */
  private async poll(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await this.pause(POLL_INTERVAL);
      if (!this.leadership.isHeld || !this.hasEndpoints) continue;
      await this.barrier.pass();
      if (!this.hasNews) continue;
      this.hasNews = false;
      try {
        await this.dispatchAll();
      } catch (error) {
        this.logger.warn(`changes of tasks cannot be read: ${String(error)}`);
        await this.pause(TICK);
        this.hasNews = true;
      }
    }
  }

  /** Waits this many milliseconds; a server that stops does not wait. */
  private async pause(time: number): Promise<void> {
    const { signal } = this.stopping;
    await delay(time, undefined, { ref: false, signal }).catch(() => undefined);
  }

  private async dispatchAll(): Promise<void> {
    for (;;) {
      const done = await this.database.transaction((transaction) =>
        dispatch(transaction, this.leadership.id),
      );
      for (const id of done?.endpoints ?? []) this.pushers.get(id)?.wake();
      if (!done?.hasMore || this.stopping.signal.aborted) return;
    }
  }

  private async readEndpoints(): Promise<void> {
    const [row] = await this.database.rows({
      text: 'SELECT EXISTS (SELECT FROM endpoints) OR EXISTS (SELECT FROM task_changes)',
      values: [],
    });
    this.hasEndpoints = row?.[0] === true;
    const all = this.hasEndpoints ? await this.endpoints.read() : [];
    const known = new Set(all.map(({ id }) => id));
    for (const [id, pusher] of this.pushers)
      if (!known.has(id)) {
        this.pushers.delete(id);
        void pusher.stop();
      }
    for (const settings of all) {
      const pusher = this.pushers.get(settings.id);
      if (pusher) pusher.settings = settings;
      else this.pushers.set(settings.id, new Pusher(settings, this.context));
    }
  }

  private async wakeDue(): Promise<void> {
    if (this.pushers.size === 0) return;
    const due = await this.database.rows({
      text: `SELECT id::text FROM unnest($1::bigint[]) AS p (id) WHERE EXISTS (
          SELECT FROM deliveries d WHERE d.endpoint_id = p.id AND d.status IN ('waiting', 'leased') AND d.next_attempt <= now())`,
      values: [[...this.pushers.keys()]],
    });
    for (const [id] of due) this.pushers.get(id as string)?.wake();
  }

  private async dropPushers(): Promise<void> {
    const pushers = [...this.pushers.values()];
    this.pushers.clear();
    await Promise.all(pushers.map((pusher) => pusher.stop()));
  }

  private async currentDestinations(): Promise<Destinations> {
    const text = (await this.parameters.current()).text('destinations');
    if (this.destinations.text !== text) this.destinations = new Destinations(text);
    return this.destinations;
  }
}
