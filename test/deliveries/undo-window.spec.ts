import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type EndpointWorld, startEndpointWorld } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { idOf } from '../support/id-of.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

/** Decisions that are held back so that people can undo them (docs/decisions/0040). */

/** Longer than a test: what is held back leaves when the test hurries it. */
const WINDOW = 600;

let world: EndpointWorld;
let receiver: Receiver;
let bruno: string;
beforeAll(async () => {
  world = await startEndpointWorld();
  bruno = await idOf(world.server, 'users', 'bruno.keller');
});
afterAll(() => world.server.close());
beforeEach(async () => {
  receiver = await startReceiver();
  await setWindow(WINDOW);
});
afterEach(async () => {
  await world.clear();
  await receiver.close();
});

async function setWindow(seconds: number): Promise<void> {
  const token = await world.server.signIn('sysadmin');
  const path = '/api/v2/administration/parameters/com.platform.deliveries.undoWindow';
  expect((await world.call('PUT', path, { value: seconds }, token)).status).toBe(200);
}

const write = async (id: string, values: object, token = world.bruno): Promise<void> => {
  const operations = Object.entries(values).map(([name, value]) => ({
    op: 'replace',
    path: `/${name}`,
    value,
  }));
  const answer = await world.call('PATCH', `/api/v2/process/tasks/${id}`, operations, token);
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
};

/** Kinds and states of the deliveries about a task. */
const deliveriesOf = async (endpoint: string, id: string): Promise<[string, string][]> =>
  (await world.deliveries(endpoint))
    .filter(({ task }) => (task as { uri: string } | null)?.uri === `/process/tasks/${id}`)
    .map(({ kind, status }) => [kind as string, status as string]);
const expectDeliveries = (endpoint: string, id: string, expected: [string, string][]) =>
  eventually(async () => expect(await deliveriesOf(endpoint, id)).toEqual(expected));
/** The kinds of the messages about a task, in the order of their arrival. */
const heard = (id: string): string[] =>
  receiver.messages.flatMap(({ body }) =>
    body.subject === `/process/tasks/${id}` ? [body.type as string] : [],
  );

describe('decisions of people', () => {
  it('wait for the undo window, with later changes of the task, and then leave in order', async () => {
    const { id: endpoint } = await world.push(receiver.url);
    const id = await world.task({ assignee: bruno });
    await write(id, { status: 'done' });
    await world.change(id, { title: 'Another title' });
    await expectDeliveries(endpoint, id, [
      ['task.created', 'delivered'],
      ['task.decided', 'waiting'],
      ['task.changed', 'waiting'],
    ]);
    const [, decided] = await world.deliveries(endpoint);
    const wait = Date.parse(decided.nextAttemptDate as string) - Date.now();
    expect(wait).toBeGreaterThan((WINDOW - 60) * 1000);
    expect(wait).toBeLessThanOrEqual(WINDOW * 1000);
    await world.hurry();
    await eventually(() =>
      expect(heard(id)).toEqual(['task.created', 'task.decided', 'task.changed']),
    );
  });

  it('are never sent when they are undone in time', async () => {
    const { id: endpoint } = await world.push(receiver.url);
    const { id: deciding } = await world.push(receiver.url, { kinds: ['task.decided'] });
    const id = await world.task({ assignee: bruno });
    for (let round = 0; round < 2; round++) {
      await write(id, { status: 'done' });
      await expectDeliveries(deciding, id, [['task.decided', 'waiting']]);
      await write(id, { status: 'open' });
      await expectDeliveries(deciding, id, []);
    }
    await expectDeliveries(endpoint, id, [['task.created', 'delivered']]);
    await write(id, { status: 'done' });
    await expectDeliveries(deciding, id, [['task.decided', 'waiting']]);
    await world.hurry();
    await eventually(() =>
      expect(heard(id)).toEqual(['task.created', 'task.decided', 'task.decided']),
    );
  });

  it('are sent with their undoing when it comes too late, or after another change', async () => {
    const { id: endpoint } = await world.push(receiver.url);
    const [late, changed] = [
      await world.task({ assignee: bruno }),
      await world.task({ assignee: bruno }),
    ];
    await write(late, { status: 'done' });
    await expectDeliveries(endpoint, late, [
      ['task.created', 'delivered'],
      ['task.decided', 'waiting'],
    ]);
    await world.hurry();
    await eventually(() => expect(heard(late)).toEqual(['task.created', 'task.decided']));
    await write(late, { status: 'open' });
    await eventually(() =>
      expect(heard(late)).toEqual(['task.created', 'task.decided', 'task.reopened']),
    );
    await write(changed, { status: 'done' });
    await world.change(changed, { title: 'Another title' });
    await write(changed, { status: 'open' });
    await expectDeliveries(endpoint, changed, [
      ['task.created', 'delivered'],
      ['task.decided', 'waiting'],
      ['task.changed', 'waiting'],
      ['task.reopened', 'waiting'],
    ]);
  });
});

describe('decisions of engines, and those without a window,', () => {
  it('leave without waiting for the undo window', async () => {
    await world.push(receiver.url);
    const [ofEngine, atOnce] = [
      await world.task({ assignee: bruno }),
      await world.task({ assignee: bruno }),
    ];
    await write(ofEngine, { status: 'done' }, world.engine);
    await eventually(() => expect(heard(ofEngine)).toEqual(['task.created', 'task.decided']));
    await setWindow(0);
    await write(atOnce, { status: 'done' });
    await eventually(() => expect(heard(atOnce)).toEqual(['task.created', 'task.decided']));
  });
});
