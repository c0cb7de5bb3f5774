import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { WaitingConsumers } from '../changes/waiting-consumers.js';
import { hashing, hashesWaiting } from '../auth/credentials/password-hash.js';
import { TokensService } from '../auth/credentials/tokens.service.js';
import { NavigationMemory } from '../navigation/memory/navigation-memory.js';
import { ReadBarrier } from '../journal/read-barrier.js';
import { Dispatcher } from '../deliveries/push/dispatcher.service.js';
import { endOfCertificate } from '../base/config/certificate.js';
import { Config } from '../base/config/config.js';
import { VERSION } from '../base/config/version.js';
import { Database } from '../database/database.js';
import type { ApiError } from '../base/errors/api-errors.js';
import { CounterUpdater } from '../navigation/live/counter-updater.js';
import { OpenStreams } from '../navigation/live/open-streams.js';
import { Tallies } from '../navigation/live/tallies.js';
import { ParametersService } from '../security/parameters/parameters.service.js';
import { auditSize } from './audit-size.js';
import { auditStreams } from './audit-streams.js';
import { deliveryCounts } from './delivery-counts.js';
import { fileBytes } from './file-bytes.js';
import { directoryRuns } from './directory-runs.js';
import { lastBackup } from './last-backup.js';
import type { Measurement } from './measurement.js';
import { Readiness } from './readiness.js';
import type { Step } from '../http/step.js';
import { methodOf, requestRoute } from '../http/request-route.js';
import { stateOf } from '../http/request-state.js';
import { onceAnswered } from '../http/streaming.js';

/** Upper bounds in seconds, chosen around the goals for response times. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Reasons of refused requests by status, never by message, which can quote input. */
const REASONS: Record<number, string> = {
  400: 'invalid',
  401: 'not-signed-in',
  403: 'forbidden',
  404: 'not-found',
  405: 'method',
  406: 'accept',
  409: 'conflict',
  410: 'gone',
  412: 'stale',
  413: 'too-large',
  415: 'media-type',
  429: 'throttled',
  500: 'internal',
  503: 'unavailable',
};

/**
 * The metrics for Prometheus (docs/monitoring/README.md). Labels come from the code: a route is its pattern, a reason
 * one of a fixed set. Only the references of endpoints come from administrators, at most a hundred. So no token, login
 * or id can appear in one, and their number is bounded. Each scrape reads the figures that other parts already count.
 */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  private readonly requests: Counter<'method' | 'route' | 'status'>;
  private readonly durations: Histogram<'method' | 'route'>;
  private readonly refusals: Counter<'status' | 'reason'>;
  private readonly searchErrors: Counter;
  private readonly probes: Counter<'route' | 'status'>;

  constructor(
    private readonly config: Config,
    private readonly readiness: Readiness,
    private readonly database: Database,
    private readonly tokens: TokensService,
    private readonly barrier: ReadBarrier,
    private readonly navigation: NavigationMemory,
    private readonly streams: OpenStreams,
    private readonly updater: CounterUpdater,
    private readonly tallies: Tallies,
    private readonly consumers: WaitingConsumers,
    private readonly dispatcher: Dispatcher,
    private readonly parameters: ParametersService,
  ) {
    const registers = [this.registry];
    this.requests = new Counter({
      name: 'platform_requests_total',
      help: 'Requests that were answered, by route pattern and status',
      labelNames: ['method', 'route', 'status'],
      registers,
    });
    this.durations = new Histogram({
      name: 'platform_request_duration_seconds',
      help: 'Time from the arrival of a request to the end of its answer',
      labelNames: ['method', 'route'],
      buckets: BUCKETS,
      registers,
    });
    this.refusals = new Counter({
      name: 'platform_refusals_total',
      help: 'Requests that were refused, by status and reason',
      labelNames: ['status', 'reason'],
      registers,
    });
    this.searchErrors = new Counter({
      name: 'platform_search_errors_total',
      help: 'Search envelopes of the type error, whatever their status',
      registers,
    });
    this.probes = new Counter({
      name: 'platform_probes_total',
      help: 'Health checks that were answered, which no other counter of requests contains',
      labelNames: ['route', 'status'],
      registers,
    });
    this.addOthers(registers);
  }

  /** Installed before every handler that may answer. */
  readonly watch: Step = (request, response, next) => {
    const stop = this.durations.startTimer();
    onceAnswered(response, 'finish', () => {
      const method = methodOf(request);
      const route = requestRoute(request) ?? 'none';
      if (stateOf(request).facts.isProbe)
        return this.probes.inc({ route, status: response.statusCode });
      if (!stateOf(request).isWaiting) stop({ method, route });
      this.requests.inc({ method, route, status: response.statusCode });
      const { error, facts } = stateOf(request);
      if (!error) return;
      this.refusals.inc({ status: error.status, reason: reasonOf(error) });
      if (facts.hasSearchEnvelope) this.searchErrors.inc();
    });
    next();
  };

  private addOthers(registers: Registry[]): void {
    const { database, tokens } = this;
    collectDefaultMetrics({ register: this.registry });
    new Gauge({
      name: 'platform_pool_connections',
      help: 'Connections to the database',
      labelNames: ['state'],
      registers,
      collect() {
        const { inUse, idle } = database.load;
        this.set({ state: 'in use' }, inUse);
        this.set({ state: 'idle' }, idle);
      },
    });
    new Gauge({
      name: 'platform_pool_waiting',
      help: 'Requests that wait for a connection to the database',
      registers,
      collect() {
        this.set(database.load.waiting);
      },
    });
    addLookups(registers, tokens.lookups, {
      name: 'platform_token_lookups_total',
      help: 'Tokens that were presented: remembered (hit) or asked of the database (miss)',
    });
    new Counter({
      name: 'platform_argon2_evaluations_total',
      help: 'Passwords that were hashed or verified',
      registers,
      collect() {
        this.reset();
        this.inc(hashing.evaluations);
      },
    });
    this.addServer(registers);
    this.addStreams(registers);
    this.addDirectories(registers);
    this.addAudit(registers);
    this.addFiles(registers);
    this.addJournal(registers);
    this.addConsumers(registers);
    this.addDeliveries(registers);
    new Gauge({
      name: 'platform_argon2_waiting',
      help: 'Passwords that wait to be hashed or verified',
      registers,
      collect() {
        this.set(hashesWaiting());
      },
    });
  }

  private addServer(registers: Registry[]): void {
    const { config, readiness } = this;
    new Gauge({
      name: 'platform_build_info',
      help: 'The versions of this server and of Node',
      labelNames: ['version', 'node'],
      registers,
      aggregator: 'first',
    }).set({ version: VERSION, node: process.versions.node }, 1);
    new Gauge({
      name: 'platform_ready',
      help: 'Whether the server can serve, as /health/ready says: 0 without the database',
      registers,
      aggregator: 'min',
      async collect() {
        this.set(Number(await readiness.isReady()));
      },
    });
    const { TLS_CERT_FILE: file } = config.env;
    new Gauge({
      name: 'platform_certificate_end_timestamp_seconds',
      help: 'End of the certificate in TLS_CERT_FILE, in seconds since 1970',
      registers,
      aggregator: 'min',
      collect() {
        const end = file === undefined ? undefined : endOfCertificate(file);
        if (end === undefined) this.remove();
        else this.set(end / 1000);
      },
    });
    const measurement = lastBackup(this.database);
    new Gauge({
      name: 'platform_backup_timestamp_seconds',
      help: 'End of the last backup of the command line, in seconds since 1970',
      registers,
      aggregator: 'max',
      async collect() {
        const date = (await measurement.read())?.date;
        if (date === undefined) this.remove();
        else this.set(date);
      },
    });
  }

  private addJournal(registers: Registry[]): void {
    const { barrier, navigation } = this;
    addLookups(registers, navigation.lookups, {
      name: 'platform_navigation_lookups_total',
      help: 'Answers of the navigation API: from memory (hit) or from the database (miss)',
    });
    new Gauge({
      name: 'platform_navigation_memory_bytes',
      help: 'Size of the answers of the navigation API in memory',
      registers,
      collect() {
        this.set(navigation.size);
      },
    });
    new Counter({
      name: 'platform_journal_reads_total',
      help: 'Reads of the journal of changes',
      labelNames: ['result'],
      registers,
      collect() {
        this.reset();
        this.inc({ result: 'done' }, barrier.counts.reads);
        this.inc({ result: 'failed' }, barrier.counts.failures);
      },
    });
    new Counter({
      name: 'platform_journal_changes_total',
      help: 'Changes that the reads of the journal found',
      registers,
      collect() {
        this.reset();
        this.inc(barrier.counts.changes);
      },
    });
  }

  private addStreams(registers: Registry[]): void {
    const { streams, updater, tallies } = this;
    new Gauge({
      name: 'platform_counter_streams',
      help: 'Open streams of counters',
      registers,
      collect() {
        this.set(streams.count);
      },
    });
    const counter = (name: string, help: string, read: () => number): void =>
      void new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(read());
        },
      });
    counter(
      'platform_counter_messages_total',
      'Messages with counters that streams have sent',
      () => updater.messages,
    );
    counter(
      'platform_counter_counts_total',
      'People and groups whose tasks were counted for streams',
      () => tallies.counts.principals,
    );
    counter(
      'platform_counter_statements_total',
      'Statements that counted for streams',
      () => tallies.counts.statements,
    );
  }

  private addConsumers(registers: Registry[]): void {
    const { consumers } = this;
    new Gauge({
      name: 'platform_feed_waiting',
      help: 'Calls of the change feed that wait for a change',
      registers,
      collect() {
        this.set(consumers.waiting);
      },
    });
    new Gauge({
      name: 'platform_feed_lag_seconds',
      help: 'Age of the oldest cursor that a consumer of the change feed presented in the last minutes',
      registers,
      aggregator: 'max',
      collect() {
        const { lag } = consumers;
        if (lag === undefined) this.remove();
        else this.set(lag);
      },
    });
  }

  private addDeliveries(registers: Registry[]): void {
    const { counts } = this.dispatcher;
    new Counter({
      name: 'platform_delivery_attempts_total',
      help: 'Events that were pushed, by what came of it',
      labelNames: ['result'],
      registers,
      collect() {
        this.reset();
        for (const [result, count] of Object.entries(counts)) this.inc({ result }, count);
      },
    });
    const measurement = deliveryCounts(this.database);
    const gauge = gaugesOf(measurement, registers);
    gauge('platform_deliveries_waiting', 'Deliveries that no endpoint has taken yet', 'waiting');
    gauge('platform_deliveries_failed', 'Deliveries that were given up', 'failed');
    gauge(
      'platform_deliveries_oldest_seconds',
      'Age of the oldest delivery that waits at an endpoint that is not paused',
      'oldest',
    );
    gauge(
      'platform_journal_rows_behind',
      'Changes of tasks in the journal that have not become deliveries yet, at most 100000',
      'behind',
    );
    const ofEndpoint = gaugesOfEach(measurement, registers, {
      label: 'endpoint',
      each: ({ backlogs }) => backlogs,
      nameOf: ({ reference }) => reference,
    });
    ofEndpoint(
      'platform_endpoint_oldest_seconds',
      'Age of the oldest delivery that waits at the endpoint; 0 while it is paused',
      ({ age }) => age,
    );
    ofEndpoint(
      'platform_endpoint_failed',
      'Deliveries to the endpoint that were given up',
      ({ failed }) => failed,
    );
    ofEndpoint(
      'platform_endpoint_attempts_used_ratio',
      'Largest share of its attempts that a delivery has used which waits at the endpoint; 0 while it is paused',
      ({ attemptsUsed }) => attemptsUsed / 100,
    );
  }

  private addFiles(registers: Registry[]): void {
    const gauge = gaugesOf(fileBytes(this.database, this.parameters), registers);
    gauge('platform_task_file_bytes', 'Size of the files of all tasks', 'bytes');
    gauge('platform_task_file_limit_bytes', 'Size that the files of all tasks may have', 'limit');
  }

  private addDirectories(registers: Registry[]): void {
    const gauge = gaugesOfEach(directoryRuns(this.database), registers, {
      label: 'provider',
      each: (runs) => runs,
      nameOf: ({ provider }) => provider,
    });
    gauge(
      'platform_directory_age_seconds',
      'Time since the last run of the LDAP provider that was done began',
      ({ age }) => age,
    );
    gauge(
      'platform_directory_run_failed',
      'Whether the last run of the LDAP provider has failed or was interrupted',
      ({ failed }) => failed,
    );
    gauge(
      'platform_directory_run_braked',
      'Whether the brake ended the last run of the LDAP provider',
      ({ braked }) => braked,
    );
  }

  private addAudit(registers: Registry[]): void {
    const gauge = gaugesOf(auditSize(this.database), registers);
    gauge('platform_audit_bytes', 'Size of the audit trail with its indexes', 'bytes');
    gauge('platform_audit_rows', 'Lines of the audit trail, as PostgreSQL estimates them', 'rows');
    const ofStream = gaugesOfEach(auditStreams(this.database), registers, {
      label: 'receiver',
      each: (streams) => streams,
      nameOf: ({ receiver }) => receiver,
    });
    ofStream(
      'platform_audit_stream_lag_seconds',
      'Age of the oldest line of the audit trail that the receiver has not taken',
      ({ lag }) => lag,
    );
  }
}

/** Gauges with a value for each of a few things, by their names: equal for all processes on one database. */
const gaugesOfEach =
  <T, One>(
    measurement: Measurement<T>,
    registers: Registry[],
    {
      label,
      each,
      nameOf,
    }: { label: string; each: (measured: T) => One[]; nameOf: (one: One) => string },
  ) =>
  (name: string, help: string, read: (one: One) => number): void =>
    void new Gauge({
      name,
      help,
      labelNames: [label],
      registers,
      aggregator: 'max',
      async collect() {
        const measured = await measurement.read();
        this.reset();
        for (const one of measured === undefined ? [] : each(measured))
          this.set({ [label]: nameOf(one) }, read(one));
      },
    });

/** Gauges of a measurement, which is equal for all processes on one database: aggregated by maximum, not by sum. */
const gaugesOf =
  <T>(measurement: Measurement<T>, registers: Registry[]) =>
  (name: string, help: string, key: NumbersOf<T>): void =>
    void new Gauge({
      name,
      help,
      registers,
      aggregator: 'max',
      async collect() {
        const measured = await measurement.read();
        if (measured) this.set(measured[key] as number);
        else this.remove();
      },
    });

/** The attributes that are numbers. */
type NumbersOf<T> = { [key in keyof T]: T[key] extends number ? key : never }[keyof T];

function reasonOf({ status, reason, audited }: ApiError): string {
  if (reason.code === 'address-not-allowed') return 'address';
  if (status === 401 && audited.reason !== undefined) return 'bad-credentials';
  return REASONS[status] ?? 'other';
}

/** Counts the hits and misses of a cache. */
function addLookups(
  registers: Registry[],
  lookups: { hits: number; misses: number },
  counter: { name: string; help: string },
): void {
  new Counter({
    ...counter,
    labelNames: ['result'],
    registers,
    collect() {
      this.reset();
      this.inc({ result: 'hit' }, lookups.hits);
      this.inc({ result: 'miss' }, lookups.misses);
    },
  });
}
