import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { call, QUIET, startHarness, tokenOf } from '../hardening/harness.js';
import { eventually } from '../support/eventually.js';
import { DEMO_PASSWORD } from '../support/send.js';
import { freePort } from '../support/free-port.js';
import { startTestServer } from '../support/test-server.js';

/** The engine of docs/examples/bpmn-engine, killed while a person decides. */

const API = '/api/v2/process';

/** What the person says to each purchase: both steps approved, the first rejected, the second rejected. */
const PLAN: Record<string, string[]> = {
  Desk: ['approve', 'approve'],
  Lamp: ['reject'],
  Chair: ['approve', 'reject'],
  Shelf: ['approve', 'approve'],
};

/** A task as lists show it. */
interface Task {
  id: string;
  title: string;
  status: string;
  outcome: string | null;
  externalId: string;
  dueDate: string;
}

/** Starts the engine; `said` is what it has written to standard error, each line with its time. */
function startEngine(env: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'process-platform-example-'));
  const child = spawn(process.execPath, ['docs/examples/bpmn-engine/engine.js', 'Desk'], {
    env: { PATH: process.env.PATH, FOLDER: folder, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: { line: string; time: number }[] = [];
  createInterface({ input: child.stderr }).on('line', (line) =>
    said.push({ line, time: performance.now() }),
  );
  const ended = new Promise<number | null>((done) => child.once('close', done));
  return {
    said,
    ended,
    end: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

it('stops without a password, and after one sign-in that is refused', async () => {
  const server = await startTestServer();
  const PLATFORM_URL = `http://127.0.0.1:${server.port}`;
  const outcomes = [];
  for (const env of [{}, { PASSWORD: 'wrong' }] as Record<string, string>[]) {
    const engine = startEngine({ PLATFORM_URL, ...env });
    try {
      await eventually(() => expect(engine.said.length).toBeGreaterThan(0));
      outcomes.push([await Promise.race([engine.ended, delay(5_000)]), engine.said[0]!.line]);
    } finally {
      await engine.end();
    }
  }
  expect(outcomes).toEqual([
    [1, 'PASSWORD is missing: the password or an API key of process.engine'],
    [1, 'sign-in of process.engine refused: Bad or invalid authentication'],
  ]);
  const failures = await server.database.query(
    `SELECT failures FROM sign_ins WHERE user_id = (SELECT id FROM users WHERE login = 'process.engine')`,
  );
  expect(failures).toEqual([{ failures: 1 }]);
  await server.close();
}, 60_000);

it('waits longer and longer for a server that is not there', async () => {
  const PLATFORM_URL = `http://127.0.0.1:${await freePort()}`;
  const engine = startEngine({ PLATFORM_URL, PASSWORD: DEMO_PASSWORD });
  try {
    await eventually(() => expect(engine.said.length).toBeGreaterThan(3));
    const [first, second, third, fourth] = engine.said.map(({ time }) => time) as [
      ...[number, number, number, number],
    ];
    expect(engine.said[0]!.line).toMatch(/\/authentication cannot be reached: .*ECONNREFUSED/);
    expect(second - first).toBeLessThan(1_000);
    expect(third - second).toBeGreaterThan(900);
    expect(fourth - third).toBeGreaterThan(1_900);
  } finally {
    await engine.end();
  }
}, 60_000);

it('runs approvals of two steps end to end while engine and server are killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'process-platform-example-'));
  const harness = await startHarness({ env: QUIET });
  const PORT = String(await freePort());
  let server = await harness.serve({ PORT });
  const admin = await tokenOf(server.port, 'alice.martin');
  const bruno = await tokenOf(server.port, 'bruno.keller');
  let engine: ChildProcess | undefined;
  let kills = 0;
  const start = (...items: string[]): void => {
    engine = spawn(process.execPath, ['docs/examples/bpmn-engine/engine.js', ...items], {
      env: {
        PATH: process.env.PATH,
        PLATFORM_URL: `http://127.0.0.1:${PORT}`,
        PASSWORD: DEMO_PASSWORD,
        FOLDER: folder,
      },
      stdio: ['ignore', 'ignore', 'ignore'],
    });
  };
  const kill = async (): Promise<void> => {
    const ended = new Promise((resolve) => engine!.once('exit', resolve));
    engine!.kill('SIGKILL');
    await ended;
    kills++;
  };
  const tasks = async (): Promise<Task[]> => {
    const path = `${API}/tasks?range=0-100&filters=source.reference:eq:BPMN`;
    return (await call(server.port, path, { token: admin })).body as Task[];
  };
  const ends = (): Record<string, string> =>
    Object.fromEntries(
      readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
        .map(({ item, end }: { item: string; end: string }) => [item, end]),
    );
  /** Decides one open task as planned. @returns whether there was one */
  const decide = async (): Promise<boolean> => {
    const open = (await tasks()).find(({ status }) => status === 'open');
    if (!open) return false;
    const [step, item] = open.title.split(': ') as [string, string];
    const outcome = PLAN[item]![step === 'Check the purchase' ? 0 : 1]!;
    const values = { status: 'done', outcome, comment: 'Seen' };
    const body = Object.entries(values).map(([name, value]) => ({
      op: 'replace',
      path: `/${name}`,
      value,
    }));
    const answer = await call(server.port, `${API}/tasks/${open.id}`, {
      method: 'PATCH',
      token: bruno,
      body,
    });
    expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
    return true;
  };
  try {
    const create = async (path: string, body: object): Promise<void> => {
      const made = await call(server.port, path, { method: 'POST', token: admin, body });
      expect([made.status, made.text]).toEqual([201, expect.anything()]);
    };
    await create(`${API}/sources`, {
      reference: 'BPMN',
      label: 'Purchases',
      serviceAccount: 'process.engine',
      applications: ['PURCHASE'],
    });
    await create(`${API}/endpoints`, {
      reference: 'BPMN',
      label: 'Purchases',
      mode: 'pull',
      kinds: ['task.decided'],
    });
    start(...Object.keys(PLAN));
    await eventually(async () => expect(await tasks()).toHaveLength(4));
    // With a due date, they are on the first page of the inbox.
    const path = `${API}/tasks/waiting?range=0-25&sorter=dueDate`;
    const inbox = (await call(server.port, path, { token: bruno })).body as Task[];
    const mine = inbox.filter(({ title }) => title.startsWith('Check the purchase: '));
    expect(mine).toHaveLength(4);
    for (const { dueDate } of mine)
      expect(Date.parse(dueDate) - Date.now()).toBeGreaterThan(47 * 3_600_000);
    const deadline = Date.now() + 90_000;
    for (let round = 0; Object.values(ends()).some((end) => end === undefined); round++) {
      expect(Date.now()).toBeLessThan(deadline);
      const hasDecided = await decide();
      await delay(Math.random() * 400);
      if (hasDecided) {
        await kill();
        start();
      }
      if (round === 3) {
        process.kill(server.pid, 'SIGKILL');
        await delay(300);
        server = await harness.serve({ PORT });
      }
    }
    expect(kills).toBeGreaterThanOrEqual(7);
    expect(ends()).toEqual({
      Desk: 'approved',
      Lamp: 'rejected',
      Chair: 'rejected',
      Shelf: 'approved',
    });
    const all = await tasks();
    expect(all.map(({ title, status, outcome }) => [title, status, outcome]).sort()).toEqual([
      ['Check the purchase: Chair', 'done', 'approve'],
      ['Check the purchase: Desk', 'done', 'approve'],
      ['Check the purchase: Lamp', 'done', 'reject'],
      ['Check the purchase: Shelf', 'done', 'approve'],
      ['Release the payment: Chair', 'done', 'reject'],
      ['Release the payment: Desk', 'done', 'approve'],
      ['Release the payment: Shelf', 'done', 'approve'],
    ]);
  } finally {
    await kill();
    await harness.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}, 240_000);
