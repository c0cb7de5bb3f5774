import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

/** A worker that ends before this age, in milliseconds, or before it serves, is replaced after a growing delay. */
const YOUNG = 10_000;
const FIRST_DELAY = 100;
const LONGEST_DELAY = 10_000;

/** After this many failed starts in a row with no worker serving, the server exits for its supervisor to restart it. */
const MAX_FAILURES = 10;

/** The message of a worker to the first process. */
interface Report {
  /** Where the worker listens; it serves from now on. */
  urls?: string[];
}

/** The first worker could not start; it has reported why. */
export class WorkersFailed extends Error {}

/** Reports from a worker to the first process that it serves. */
export const reportServing = (urls: string[]): boolean => process.send!({ urls } satisfies Report);

/**
 * The worker processes (WEB_CONCURRENCY). The first process manages them and replaces each one that ends. They share
 * one listening socket, and the operating system distributes the connections. If the first process distributed them,
 * those on their way to a killed worker would never be answered.
 */
export class Workers {
  private readonly serving = new Set<Worker>();
  private failures = 0;
  private stopping = false;

  /**
   * @param env variables of the workers beside those of this process
   * @param giveUp called when no worker serves and none can start
   */
  constructor(
    private readonly env: Record<string, string>,
    private readonly logger: Logger,
    private readonly giveUp: () => void,
  ) {
    cluster.schedulingPolicy = cluster.SCHED_NONE;
  }

  /**
   * Starts this many workers, the first alone, so that a common reason to fail is reported once.
   * @returns where they listen
   * @throws WorkersFailed when the first cannot start
   */
  async start(count: number): Promise<string[]> {
    const first = this.fork();
    const urls = await new Promise<string[]>((done, fail) => {
      first.on('message', ({ urls }: Report) => urls && done(urls));
      first.once('exit', () => fail(new WorkersFailed()));
    });
    void this.keep(first);
    for (let more = 1; more < count; more++) void this.keep(this.fork());
    while (this.serving.size < count && !this.stopping) await delay(10);
    return urls;
  }

  signal(name: NodeJS.Signals): void {
    for (const worker of living()) worker.process.kill(name);
  }

  /** Sends the signal to every worker and waits until all have ended. */
  async stop(name: NodeJS.Signals): Promise<void> {
    this.stopping = true;
    const ended = living().map(exitOf);
    this.signal(name);
    await Promise.all(ended);
  }

  private fork(): Worker {
    const worker = cluster.fork(this.env);
    // A message to a worker that has just ended fails, which needs no handling.
    worker.on('error', () => undefined);
    worker.on('message', ({ urls }: Report) => {
      if (!urls) return;
      this.serving.add(worker);
      this.failures = 0;
    });
    return worker;
  }

  /** Keeps one worker running: starts it and replaces it when it ends. */
  private async keep(worker: Worker): Promise<void> {
    for (let [current, wait] = [worker, 0]; ; current = this.fork()) {
      const since = Date.now();
      const how = await exitOf(current);
      if (this.stopping) return;
      const served = this.serving.delete(current);
      if (!served) this.failures++;
      if (this.failures >= MAX_FAILURES && this.serving.size === 0) return this.giveUp();
      const lengthened = Math.min(Math.max(FIRST_DELAY, 2 * wait), LONGEST_DELAY);
      wait = !served || Date.now() - since < YOUNG ? lengthened : 0;
      this.logger.error(`worker ${current.id} ended (${how}): a new one starts in ${wait} ms`);
      await delay(wait);
      if (this.stopping) return;
    }
  }
}

const living = (): Worker[] =>
  Object.values(cluster.workers ?? {}).filter((worker) => worker && !worker.isDead()) as Worker[];

/** How a worker ended: its exit code, or the signal that killed it. */
const exitOf = (worker: Worker): Promise<string> =>
  new Promise((done) =>
    worker.once('exit', (code: number | null, signal: string | null) =>
      done(signal ?? `exit code ${code}`),
    ),
  );
