import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { call, QUIET, startHarness, tokenOf } from './hardening/harness.js';
import { eventually } from './support/eventually.js';
import { DEMO_PASSWORD } from './support/send.js';
import { freePort } from './support/free-port.js';

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
}

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
