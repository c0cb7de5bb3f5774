import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { isGone, PATIENCE, signIn, useRuns, workersOf } from '../support/worker-runs.js';

/** The process that starts the others with WEB_CONCURRENCY. */

const runs = useRuns();

describe('WEB_CONCURRENCY on the embedded database', () => {
  it('prepares it once, and ends with it after Ctrl-C, which reaches all processes', async () => {
    const run = await runs.start({});
    const workers = workersOf(run);
    expect(workers).toHaveLength(2);
    expect(run.messages().match(/sysadmin, password/g)).toHaveLength(1);
    expect(run.messages().match(/listens on/g)).toHaveLength(1);
    await signIn(run);
    process.kill(-run.child.pid!, 'SIGINT');
    expect(await run.ended).toBe(0);
    expect(runs.embedded()).toEqual([]);
    for (const pid of workers) expect(isGone(pid)).toBe(true);
  }, 240_000);

  it('ends with a failure when no process can start any more', async () => {
    const run = await runs.start({});
    process.kill(runs.postmaster(), 'SIGKILL');
    for (const pid of workersOf(run)) process.kill(pid, 'SIGKILL');
    expect(await run.ended).toBe(1);
    expect(workersOf(run)).toEqual([]);
    const waits = run.lines().map(({ msg }) => Number(/starts in (\d+) ms/.exec(msg)?.[1] ?? 0));
    expect(Math.max(...waits)).toBeGreaterThanOrEqual(800);
  }, 240_000);
});

describe('the first process of several', () => {
  it('leaves nothing behind when it is killed', async () => {
    const run = await runs.start();
    const workers = workersOf(run);
    expect(workers).toHaveLength(2);
    run.child.kill('SIGKILL');
    await eventually(() => expect(workers.every(isGone)).toBe(true), PATIENCE);
  }, 240_000);

  it('says once why no process can start', async () => {
    const first = await runs.start();
    const second = await runs.start({ ...runs.env(), PORT: String(first.port) });
    expect(await second.ended).toBe(1);
    expect(second.messages()).toBe(
      `The port ${first.port} on 127.0.0.1 is taken: stop what uses it, or set PORT.\n`,
    );
  }, 240_000);
});
