import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { call, QUIET, startHarness, tokenOf } from '../hardening/harness.js';
import { SECRETS_KEY } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';

const ENDPOINTS = '/api/v2/process/endpoints';
const TASKS = 60;
const CHANGES = 20;

/** A message in the order of its arrival. */
interface Message {
  id: string;
  task: string;
  revision: number;
  time: number;
}

it('loses no event of a task and keeps their order while server, PostgreSQL and receiver are killed', async () => {
  const harness = await startHarness({ env: { ...QUIET, SECRETS_KEY } });
  const messages: Message[] = [];
  const receive = (port: number): Promise<Server> =>
    new Promise((resolve) => {
      const server = createServer((request, response) => {
        void text(request).then(
          (content) => {
            const { subject, data } = JSON.parse(content) as {
              subject: string;
              data: { task: { revision: number } };
            };
            const id = String(request.headers['webhook-id']);
            const { revision } = data.task;
            messages.push({ id, task: subject, revision, time: Date.now() });
            response.writeHead(204).end();
          },
          () => undefined,
        );
      }).listen(port, '127.0.0.1', () => resolve(server));
    });
  let receiver = await receive(0);
  const { port } = receiver.address() as AddressInfo;
  const endReceiver = async (): Promise<void> => {
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
  };
  try {
    const servers = [await harness.serve(), await harness.serve()];
    await harness.query(
      `INSERT INTO parameters (key, value) VALUES ('deliveries.destinations', '127.0.0.0/8')`,
    );
    const token = await tokenOf(servers[0]!.port, 'alice.martin');
    const post = (path: string, body: object) =>
      call(servers[0]!.port, path, { method: 'POST', token, body });
    const url = `http://127.0.0.1:${port}/`;
    const made = await post(ENDPOINTS, { label: 'E', mode: 'push', url, content: 'thin' });
    expect([made.status, made.text]).toEqual([201, expect.anything()]);
    const { id } = made.body as { id: string };
    expect((await post(`${ENDPOINTS}/${id}/secrets`, {})).status).toBe(201);
    await harness.query(
      `INSERT INTO tasks (id, title, application_id) SELECT 70000 + n, 'Task', (SELECT min(id) FROM applications) FROM generate_series(1, ${TASKS}) n`,
    );
    // Milliseconds from the death of the leader until another process sends.
    let takeover = 0;
    for (let round = 1; round <= CHANGES; round++) {
      // The server that began first leads.
      if (round === 5) process.kill(servers.shift()!.pid, 'SIGKILL');
      const killed = Date.now();
      // What the leader has sent is on its way.
      if (round === 5) await delay(100);
      const before = messages.length;
      await harness.query('UPDATE tasks SET revision = revision + 1 WHERE id > 70000');
      if (round === 5) {
        await eventually(() => expect(messages.length).toBeGreaterThan(before));
        takeover = messages[before]!.time - killed;
        servers.push(await harness.serve());
      }
      if (round === 10) {
        await harness.endPostgres('killed');
        await harness.startPostgres();
      }
      if (round === 15) {
        await endReceiver();
        await delay(300);
        receiver = await receive(port);
      }
      await delay(50);
    }
    const wanted = TASKS * (CHANGES + 1);
    await eventually(
      () => expect(new Set(messages.map((one) => one.id)).size).toBeGreaterThanOrEqual(wanted),
      90_000,
    );
    expect(takeover).toBeLessThan(10_000);
    const idOf = new Map<string, string>();
    const first = new Map<string, number[]>();
    for (const { id: message, task, revision } of messages) {
      const key = `${task} ${revision}`;
      const known = idOf.get(key);
      // What comes again comes under the same id.
      if (known !== undefined) expect(message).toBe(known);
      else {
        idOf.set(key, message);
        first.set(task, [...(first.get(task) ?? []), revision]);
      }
    }
    expect(idOf.size).toBe(wanted);
    const order = Array.from({ length: CHANGES + 1 }, (_, at) => at + 1);
    for (const revisions of first.values()) expect(revisions).toEqual(order);
  } finally {
    await endReceiver();
    await harness.stop();
  }
}, 240_000);
