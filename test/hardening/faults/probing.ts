import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { attempt, type Outcome } from '../traffic.js';
import type { Call } from '../../support/send.js';

/** A call that is repeated beside others. */
export interface Probe extends Call {
  path: string;
}

/** The calls, and the milliseconds between two rounds of them. */
interface Questions {
  port: number;
  probes: Probe[];
  pause: number;
}

/**
 * Makes the calls from a separate thread: otherwise their times would include those of hundreds of other
 * callers in this process.
 * @returns an object whose `stop` ends the calls and returns the outcomes of each round
 */
export function keepProbing(questions: Questions): { stop(): Promise<Outcome[][]> } {
  const worker = new Worker(new URL(import.meta.url), { workerData: questions });
  const rounds = new Promise<Outcome[][]>((done, fail) => {
    worker.once('message', done);
    worker.once('error', fail);
  });
  return {
    stop: () => {
      worker.postMessage('end');
      return rounds;
    },
  };
}

async function probe({ port, probes, pause }: Questions): Promise<void> {
  const rounds: Outcome[][] = [];
  let running = true;
  parentPort!.once('message', () => (running = false));
  while (running) {
    const answered = await Promise.all(
      probes.map(({ path, ...options }) => attempt(port, path, options)),
    );
    rounds.push(answered.map(({ status, duration, at }) => ({ status, duration, at })));
    await delay(pause);
  }
  parentPort!.postMessage(rounds);
}

if (!isMainThread) await probe(workerData as Questions);
