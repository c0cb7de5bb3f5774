import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { type Call, send } from '../support/test-server.js';
import {
  call,
  isGone,
  PATIENCE,
  type Run,
  signIn,
  useRuns,
  workersOf,
} from '../support/worker-runs.js';

/** WEB_CONCURRENCY=2 in a separate process with its worker processes. */

const AUTHENTICATION = '/api/v2/authentication';

const runs = useRuns();

/** Calls until this many workers have answered. @returns their answers by worker */
async function byWorker(run: Run, options: Call, count: number): Promise<Map<number, number[]>> {
  const statuses = new Map<number, number[]>();
  await eventually(async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => call(run, options)));
    for (const { status, headers } of answers) {
      const lineOf = () => run.lines().find(({ req }) => req?.id === headers['x-request-id']);
      await eventually(() => expect(lineOf()).toBeDefined());
      const worker = lineOf()!.worker!;
      statuses.set(worker, [...(statuses.get(worker) ?? []), status]);
    }
    expect(statuses.size).toBeGreaterThanOrEqual(count);
  }, PATIENCE);
  return statuses;
}

const numbers = (lists: Map<number, number[]>): number[] => [...lists.keys()].sort();
const all = (lists: Map<number, number[]>): Set<number> => new Set([...lists.values()].flat());

describe('WEB_CONCURRENCY', () => {
  let run: Run;
  let token: string;
  let metrics: number;
  beforeAll(async () => {
    metrics = await freePort();
    run = await runs.keep({ ...runs.env(), METRICS_PORT: String(metrics) });
    token = await signIn(run);
  }, 120_000);
  afterAll(() => void run.child.kill('SIGKILL'));

  it('starts several processes, which accept the same tokens', async () => {
    expect(workersOf(run)).toHaveLength(2);
    const statuses = await byWorker(run, { token }, 2);
    expect(numbers(statuses)).toEqual([1, 2]);
    expect(all(statuses)).toEqual(new Set([200]));
  }, 240_000);

  it('rejects in every process a token that one process revoked', async () => {
    const other = await signIn(run);
    await byWorker(run, { token: other }, 2);
    expect((await call(run, { token: other, method: 'DELETE' })).status).toBe(204);
    await eventually(async () =>
      expect(all(await byWorker(run, { token: other }, 2))).toEqual(new Set([401])),
    );
  }, 240_000);

  it('offers the metrics of all processes', async () => {
    const read = async (): Promise<number> => {
      const { text } = await send(metrics, '/metrics');
      const line = `platform_requests_total{method="GET",route="/api/v2",status="200"}`;
      return Number(
        text
          .split('\n')
          .find((one) => one.startsWith(line))
          ?.split(' ')[1] ?? 0,
      );
    };
    const before = await read();
    for (let time = 0; time < 20; time++) await call(run, { token }, '/api/v2');
    expect(await read()).toBe(before + 20);
  }, 240_000);

  it('answers while a process is killed, and replaces it', async () => {
    const [victim] = workersOf(run);
    const statuses: number[] = [];
    let cut = 0;
    let isOver = false;
    const load = Array.from({ length: 8 }, async () => {
      while (!isOver)
        await call(run, { token }).then(
          ({ status }) => statuses.push(status),
          (error: NodeJS.ErrnoException) => {
            // Only requests in progress may fail: none that waited, and none may hang.
            expect(String(error.code)).toMatch(/ECONNRESET|EPIPE/);
            cut++;
          },
        );
    });
    const answers = (count: number) =>
      eventually(() => expect(statuses.length).toBeGreaterThan(count), PATIENCE);
    await answers(100);
    process.kill(victim!, 'SIGKILL');
    await eventually(() => expect(isGone(victim!)).toBe(true));
    await answers(statuses.length + 300);
    isOver = true;
    await Promise.all(load);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(cut).toBeLessThanOrEqual(8);
    await eventually(() => expect(workersOf(run)).toHaveLength(2), PATIENCE);
    const statusesAfter = await byWorker(run, { token }, 2);
    expect(numbers(statusesAfter)).toContain(3);
    expect(all(statusesAfter)).toEqual(new Set([200]));
    expect(run.lines().map(({ msg }) => msg)).toContainEqual(
      expect.stringMatching(/^worker [12] ended \(SIGKILL\): a new one starts in \d+ ms$/),
    );
  }, 240_000);

  it('ends after SIGTERM with everything answered and nothing left behind', async () => {
    const workers = workersOf(run);
    // On kept connections: a server without connections does not wait.
    const ask = async (): Promise<number> => {
      const headers = { 'X-AUTHENTICATION-KEY': token };
      const answer = await fetch(`http://127.0.0.1:${run.port}${AUTHENTICATION}`, { headers });
      await answer.arrayBuffer();
      return answer.status;
    };
    const askSix = () => Promise.all(Array.from({ length: 6 }, ask));
    await askSix();
    run.child.kill('SIGTERM');
    expect(new Set(await askSix())).toEqual(new Set([200]));
    expect(await run.ended).toBe(0);
    for (const pid of workers) expect(isGone(pid)).toBe(true);
    expect(run.messages()).not.toMatch(/error|problem/i);
  }, 240_000);
});
