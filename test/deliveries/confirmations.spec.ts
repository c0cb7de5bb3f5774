import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { DataSource } from 'typeorm';
import { ENDPOINTS, type EndpointWorld, startEndpointWorld } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { idOf } from '../support/id-of.js';
import { type Receiver, startReceiver, status } from '../support/receiver.js';
import type { Answer } from '../support/test-server.js';

/** Decisions that an engine confirms or refuses (docs/api-contract.md#confirmed-decisions). */

const TASKS = '/api/v2/process/tasks';
const REASON = 'The budget is spent';

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
});
afterEach(async () => {
  await world.clear();
  await receiver.close();
});

const refusal = (code: number, body: object = { reason: REASON }) =>
  status(code, { 'Content-Type': 'application/json' }, JSON.stringify(body));
const confirming = (more: object = {}) =>
  world.push(receiver.url, { confirms: true, kinds: ['task.decided'], ...more });
/** A task that waits for Bruno, with two outcomes. */
const newTask = (more: object = {}): Promise<string> =>
  world.task({
    assignee: bruno,
    outcomes: [{ name: 'approve' }, { name: 'reject' }],
    ...more,
  });
function write(id: string, values: object, token = world.bruno): Promise<Answer> {
  const operations = Object.entries(values).map(([name, value]) => ({
    op: 'replace',
    path: `/${name}`,
    value,
  }));
  return world.call('PATCH', `${TASKS}/${id}`, operations, token);
}
const APPROVAL = { status: 'done', outcome: 'approve', comment: 'Fine' };
async function decide(id: string, values: object = APPROVAL): Promise<Answer['body']> {
  const answer = await write(id, values);
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return answer.body;
}
const read = async (id: string): Promise<Answer['body']> =>
  (await world.call('GET', `${TASKS}/${id}`, undefined, world.bruno)).body;
const becomes = (id: string, expected: object): Promise<void> =>
  eventually(async () => expect(await read(id)).toMatchObject(expected));
const history = async (id: string): Promise<[string, string | null, string | null][]> => {
  const answer = await world.call('GET', `${TASKS}/${id}/history`, undefined, world.bruno);
  return answer.body.map(
    ({ kind, by, comment }: { kind: string; by: { label: string } | null; comment: string }) => [
      kind,
      by?.label ?? null,
      comment,
    ],
  );
};
const REOPENED = {
  status: 'open',
  outcome: null,
  comment: null,
  closedBy: null,
  completionDate: null,
  confirmation: 'refused',
  refusalReason: REASON,
};

describe('a decision that an endpoint confirms', () => {
  it('is pending from the statement that decides it, and confirmed by a 2xx', async () => {
    const held: ServerResponse[] = [];
    receiver.usual = (response) => held.push(response);
    const { id: endpoint } = await confirming();
    const id = await newTask();
    const decided = await decide(id);
    expect(decided).toMatchObject({
      ...APPROVAL,
      confirmation: 'pending',
      refusalReason: null,
    });
    const [message] = await receiver.hasGot(1);
    expect(message!.body.data.task).toMatchObject({ confirmation: 'pending', outcome: 'approve' });
    held[0]!.writeHead(204).end();
    await becomes(id, { ...APPROVAL, confirmation: 'confirmed' });
    expect((await world.call('GET', `${TASKS}/${id}`)).headers.etag).toBe('"3"');
    expect(await history(id)).toEqual([
      ['created', 'Alice Martin', null],
      ['decided', 'Bruno Keller', 'Fine'],
      ['confirmed', null, null],
    ]);
    await eventually(async () =>
      expect(await world.deliveries(endpoint)).toMatchObject([
        { kind: 'task.decided', status: 'delivered', log: [{ status: 204, message: null }] },
      ]),
    );
  });

  it('sends its confirmation to other endpoints', async () => {
    const others = await startReceiver();
    await confirming();
    await world.push(others.url);
    const id = await newTask();
    await decide(id);
    const [, , changed] = await others.hasGot(3);
    expect(changed!.body).toMatchObject({
      type: 'task.changed',
      data: {
        task: { confirmation: 'confirmed', status: 'done', revision: 3 },
        changed: ['confirmation'],
        previous: { confirmation: 'pending' },
      },
    });
    await others.close();
  });

  it.each([
    ['a 409', 409, { reason: REASON }],
    ['a 422', 422, { reason: `  ${REASON}\n` }],
    ['a problem', 422, { title: 'Refused', detail: REASON }],
  ])('opens its task again when %s says why, and can be made again', async (_, code, body) => {
    receiver.answers = [refusal(code, body)];
    const { id: endpoint } = await confirming();
    const id = await newTask();
    await decide(id, { ...APPROVAL, comment: 'Go' });
    await becomes(id, REOPENED);
    expect(await history(id)).toEqual([
      ['created', 'Alice Martin', null],
      ['decided', 'Bruno Keller', 'Go'],
      ['refused', null, REASON],
    ]);
    await eventually(async () =>
      expect(await world.deliveries(endpoint)).toMatchObject([
        { status: 'delivered', log: [{ status: code, message: `refused: ${REASON}` }] },
      ]),
    );
    const [line] = await world.server.database.query(
      `SELECT actor_login AS actor, action, before, after FROM audit WHERE object_uri = '/process/tasks/${id}' ORDER BY id DESC LIMIT 1`,
    );
    expect(line).toEqual({
      actor: 'event delivery',
      action: 'update',
      before: { status: 'done', outcome: 'approve', comment: 'Go', confirmation: 'pending' },
      after: { status: 'open', confirmation: 'refused', refusalReason: REASON },
    });
    expect(await decide(id, { ...APPROVAL, outcome: 'reject' })).toMatchObject({
      confirmation: 'pending',
      refusalReason: null,
    });
    await becomes(id, { confirmation: 'confirmed', outcome: 'reject', refusalReason: null });
  });

  it('sends the reopening of a refused task to the endpoint', async () => {
    receiver.answers = [status(204), refusal(409)];
    await confirming({ kinds: [] });
    const id = await newTask();
    await decide(id);
    const [, , reopened] = await receiver.hasGot(3);
    expect(reopened!.body).toMatchObject({
      type: 'task.reopened',
      data: {
        task: { status: 'open', confirmation: 'refused', refusalReason: REASON },
        previous: { status: 'done', outcome: 'approve', confirmation: 'pending' },
      },
    });
  });

  it('is sent again after a 409 that says nothing', async () => {
    const held: ServerResponse[] = [];
    receiver.answers = [status(409), refusal(409, { reason: ' ' }), refusal(400)];
    receiver.usual = (response) => held.push(response);
    await confirming();
    const id = await newTask();
    await decide(id);
    await eventually(async () => {
      await world.hurry();
      expect(held).toHaveLength(1);
    });
    expect(await read(id)).toMatchObject({ status: 'done', confirmation: 'pending' });
    held[0]!.writeHead(204).end();
    await becomes(id, { confirmation: 'confirmed' });
  });

  it('stays pending after a 410, when its endpoint is paused, and when it is deleted', async () => {
    receiver.answers = [refusal(410)];
    const { id: endpoint } = await confirming();
    const id = await newTask();
    await decide(id);
    await eventually(async () =>
      expect((await world.call('GET', `${ENDPOINTS}/${endpoint}`)).body.status).toBe('paused'),
    );
    const later = await newTask();
    await decide(later);
    expect((await world.call('DELETE', `${ENDPOINTS}/${endpoint}`)).status).toBe(204);
    for (const task of [id, later])
      expect(await read(task)).toMatchObject({ status: 'done', confirmation: 'pending' });
    await decide(id, { status: 'open' });
    expect(await decide(id)).toMatchObject({ status: 'done', confirmation: null });
  });

  it('is confirmed by the answer to a delivery from when its endpoint confirmed', async () => {
    const { id: endpoint } = await confirming();
    receiver.answers = [status(503)];
    const id = await newTask();
    await decide(id);
    await receiver.hasGot(1);
    const ceased = await world.call('PATCH', `${ENDPOINTS}/${endpoint}`, [
      { op: 'replace', path: '/confirms', value: false },
    ]);
    expect(ceased.status).toBe(200);
    await eventually(async () => {
      await world.hurry();
      expect(receiver.messages.length).toBeGreaterThan(1);
    });
    await becomes(id, { confirmation: 'confirmed' });
  });

  it('is another one after it was taken back: a late answer changes nothing', async () => {
    const held: ServerResponse[] = [];
    receiver.usual = (response) => held.push(response);
    const { id: endpoint } = await confirming();
    const [refused, confirmed] = [await newTask(), await newTask()];
    for (const id of [refused, confirmed]) {
      await decide(id);
      await receiver.hasGot(id === refused ? 1 : 2);
      expect(await decide(id, { status: 'open' })).toMatchObject({ confirmation: null });
    }
    await decide(refused, { ...APPROVAL, outcome: 'reject' });
    refusal(409)(held[0]!, receiver.messages[0]!);
    held[1]!.writeHead(204).end();
    await receiver.hasGot(3);
    await eventually(async () =>
      expect(await world.deliveries(endpoint, 'status:eq:delivered')).toHaveLength(2),
    );
    expect(await read(refused)).toMatchObject({ outcome: 'reject', confirmation: 'pending' });
    expect(await read(confirmed)).toMatchObject({ status: 'open', confirmation: null });
    held[2]!.writeHead(204).end();
    await becomes(refused, { confirmation: 'confirmed' });
  });

  it('is not changed by people, but taken back until it is confirmed', async () => {
    const held: ServerResponse[] = [];
    receiver.usual = (response) => held.push(response);
    await confirming();
    const id = await newTask();
    await decide(id);
    const conflicts = async (values: object, message: string): Promise<void> => {
      const answer = await write(id, values);
      expect([answer.status, answer.body]).toEqual([409, { code: 409, message }]);
    };
    const waits = 'The decision waits for the engine: open the task again to change it';
    await conflicts({ outcome: 'reject' }, waits);
    await conflicts({ status: 'cancelled', outcome: null }, waits);
    await receiver.hasGot(1);
    held[0]!.writeHead(200).end();
    await becomes(id, { confirmation: 'confirmed' });
    for (const values of [{ comment: 'Other' }, { status: 'open' }])
      await conflicts(values, 'The engine has confirmed the decision');
    expect((await write(id, { status: 'open' }, world.admin)).body).toMatchObject({
      status: 'open',
      confirmation: null,
    });
  });

  it('is one of its application, of its source, and of a person', async () => {
    const source = await world.call('POST', '/api/v2/process/sources', {
      reference: 'CONFIRMING',
      label: 'Confirming',
      serviceAccount: await idOf(world.server, 'users', 'process.engine'),
      applications: [world.application, world.other],
    });
    expect(source.status).toBe(201);
    const { id: endpoint } = await confirming({
      applications: [world.application],
      source: source.body.id,
    });
    const more = { source: source.body.id };
    const [own, elsewhere, sourceless] = [
      await newTask(more),
      await newTask({ ...more, application: world.other }),
      await newTask(),
    ];
    for (const id of [own, elsewhere, sourceless]) await decide(id);
    await becomes(own, { confirmation: 'confirmed' });
    expect(await read(elsewhere)).toMatchObject({ status: 'done', confirmation: null });
    expect(await read(sourceless)).toMatchObject({ status: 'done', confirmation: null });
    const byEngine = await newTask(more);
    expect((await write(byEngine, APPROVAL, world.engine)).body).toMatchObject({
      status: 'done',
      confirmation: null,
    });
    const bySql = await newTask(more);
    await world.server.database.query(`UPDATE tasks SET status = 'done' WHERE id = $1`, [bySql]);
    await becomes(bySql, { confirmation: 'confirmed' });
    expect(await world.deliveries(endpoint)).toHaveLength(3);
  });

  it('has no say without an endpoint that confirms', async () => {
    receiver.usual = refusal(409);
    await world.push(receiver.url, { kinds: ['task.decided'] });
    const id = await newTask();
    expect(await decide(id)).toMatchObject({ confirmation: null, refusalReason: null });
    await receiver.hasGot(1);
    await eventually(async () =>
      expect((await history(id)).map(([kind]) => kind)).toEqual(['created', 'decided']),
    );
    expect(await read(id)).toMatchObject({ status: 'done', confirmation: null });
  });

  it('needs an endpoint with the event of decisions', async () => {
    const answer = await world.call('POST', ENDPOINTS, {
      label: 'Deaf',
      mode: 'pull',
      confirms: true,
      kinds: ['task.created'],
    });
    expect([answer.status, answer.body.fields]).toEqual([
      400,
      [
        {
          name: 'kinds',
          message: 'must contain task.decided where the endpoint confirms decisions',
        },
      ],
    ]);
  });
});

describe('a worker of an endpoint that confirms', () => {
  const work = (endpoint: string, what: string, body: object): Promise<Answer> =>
    world.call('POST', `${ENDPOINTS}/${endpoint}/${what}`, { worker: 'w1', ...body }, world.engine);
  const pull = (more: object = {}) =>
    world.pull({ reference: 'CONFIRM', confirms: true, kinds: ['task.decided'], ...more });
  /** Decides a task, and leases the delivery that tells it. */
  async function leased(endpoint: string): Promise<{ id: string; delivery: string }> {
    const id = await newTask();
    await decide(id);
    const { body } = await work(endpoint, 'fetch', { wait: 20 });
    return { id, delivery: body.deliveries[0].id as string };
  }

  const cease = async (endpoint: string): Promise<void> => {
    const ceased = await world.call('PATCH', `${ENDPOINTS}/${endpoint}`, [
      { op: 'replace', path: '/confirms', value: false },
    ]);
    expect([ceased.status, ceased.body.confirms]).toEqual([200, false]);
  };

  it('confirms decisions by completing their deliveries', async () => {
    const endpoint = await pull();
    const { id, delivery } = await leased(endpoint);
    const other = await work(endpoint, 'complete', { worker: 'w2', deliveries: [delivery] });
    expect(other.body).toEqual({ results: [{ id: delivery, done: false }] });
    expect(await read(id)).toMatchObject({ confirmation: 'pending' });
    const done = await work(endpoint, 'complete', { deliveries: [delivery, delivery] });
    expect(done.body.results).toEqual([
      { id: delivery, done: true },
      { id: delivery, done: true },
    ]);
    expect(await read(id)).toMatchObject({ status: 'done', confirmation: 'confirmed' });
    expect((await history(id)).at(-1)).toEqual(['confirmed', 'Process Engine', null]);
  });

  it('refuses them with a reason', async () => {
    const endpoint = await pull();
    const { id, delivery } = await leased(endpoint);
    const other = await work(endpoint, 'refuse', {
      worker: 'w2',
      deliveries: [delivery],
      reason: REASON,
    });
    expect(other.body).toEqual({ results: [{ id: delivery, done: false }] });
    const refused = await work(endpoint, 'refuse', { deliveries: [delivery], reason: REASON });
    expect([refused.status, refused.body]).toEqual([
      200,
      { results: [{ id: delivery, done: true }] },
    ]);
    expect(await read(id)).toMatchObject(REOPENED);
    expect((await history(id)).at(-1)).toEqual(['refused', 'Process Engine', REASON]);
    expect(await world.deliveries(endpoint)).toMatchObject([
      { status: 'delivered', log: [{ message: `refused: ${REASON}` }] },
    ]);
  });

  it('refuses only with a reason, and only where the endpoint confirms', async () => {
    const endpoint = await pull();
    const bad = await work(endpoint, 'refuse', { deliveries: ['1'] });
    expect([bad.status, bad.body.fields]).toEqual([
      400,
      [{ name: 'reason', message: 'is required' }],
    ]);
    const blank = await work(endpoint, 'refuse', { deliveries: ['1'], reason: '\u0001' });
    expect([blank.status, blank.body.fields]).toEqual([
      400,
      [{ name: 'reason', message: 'must not be blank' }],
    ]);
    const plain = await world.pull();
    const refused = await work(plain, 'refuse', { deliveries: ['1'], reason: REASON });
    expect([refused.status, refused.body]).toEqual([
      409,
      { code: 409, message: 'Only an endpoint that confirms refuses decisions' },
    ]);
    const stranger = await world.call(
      'POST',
      `${ENDPOINTS}/${endpoint}/refuse`,
      { worker: 'w1', deliveries: ['1'], reason: REASON },
      world.bruno,
    );
    expect(stranger.status).toBe(403);
  });

  it('refuses an external task by an error of the process', async () => {
    const endpoint = await pull();
    const external = (id: string, call: string, body: object): Promise<Answer> =>
      world.call('POST', `/engine-rest/external-task/${id}/${call}`, body, world.engine);
    const first = await leased(endpoint);
    const error = { workerId: 'w1', errorCode: 'BUDGET', errorMessage: REASON };
    expect((await external(first.delivery, 'bpmnError', error)).status).toBe(204);
    expect(await read(first.id)).toMatchObject(REOPENED);
    const second = await leased(endpoint);
    expect((await external(second.delivery, 'complete', { workerId: 'w1' })).status).toBe(204);
    expect(await read(second.id)).toMatchObject({ confirmation: 'confirmed' });
  });

  it('settles decisions that it leased before its endpoint stopped confirming', async () => {
    const endpoint = await pull();
    const external = (id: string, call: string, body: object): Promise<Answer> =>
      world.call('POST', `/engine-rest/external-task/${id}/${call}`, body, world.engine);
    const [confirmed, refused, erroneous] = [
      await leased(endpoint),
      await leased(endpoint),
      await leased(endpoint),
    ];
    await cease(endpoint);
    const plain = await leased(endpoint);
    const { delivery } = confirmed;
    expect((await work(endpoint, 'complete', { deliveries: [delivery] })).body).toEqual({
      results: [{ id: delivery, done: true }],
    });
    expect(await read(confirmed.id)).toMatchObject({ status: 'done', confirmation: 'confirmed' });
    const deliveries = [refused.delivery, plain.delivery];
    const answer = await work(endpoint, 'refuse', { deliveries, reason: REASON });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        results: [
          { id: refused.delivery, done: true },
          { id: plain.delivery, done: false },
        ],
      },
    ]);
    expect(await read(refused.id)).toMatchObject(REOPENED);
    const error = { workerId: 'w1', errorCode: 'BUDGET', errorMessage: REASON };
    expect((await external(erroneous.delivery, 'bpmnError', error)).status).toBe(204);
    expect(await read(erroneous.id)).toMatchObject(REOPENED);
    const late = await work(endpoint, 'refuse', { deliveries: [plain.delivery], reason: REASON });
    expect([late.status, late.body]).toEqual([
      409,
      { code: 409, message: 'Only an endpoint that confirms refuses decisions' },
    ]);
    expect((await external(plain.delivery, 'bpmnError', error)).status).toBe(204);
    expect(await read(plain.id)).toMatchObject({ status: 'done', confirmation: null });
    expect(await world.deliveries(endpoint, 'status:eq:failed')).toMatchObject([
      { id: plain.delivery },
    ]);
  });

  it('settles a decision that was pending before its endpoint ceased to confirm, and became a delivery later', async () => {
    const other = await pull({ reference: 'OTHER', confirms: false });
    const endpoint = await pull();
    const dispatching = world.server.app.get(DataSource).createQueryRunner();
    await dispatching.startTransaction();
    await dispatching.query('SELECT FROM dispatching FOR UPDATE');
    const id = await newTask();
    await decide(id);
    await cease(endpoint);
    // One that confirms only now has no say about what was decided before.
    await pull({ reference: 'LATER' });
    await dispatching.rollbackTransaction();
    await dispatching.release();
    const completeAt = async (at: string): Promise<void> => {
      const { body } = await work(at, 'fetch', { wait: 20 });
      const deliveries = [body.deliveries[0].id as string];
      await work(at, 'complete', { deliveries });
    };
    const late = await world.call('PATCH', `${ENDPOINTS}/${other}`, [
      { op: 'replace', path: '/confirms', value: true },
    ]);
    expect(late.status).toBe(200);
    await completeAt(other);
    expect(await read(id)).toMatchObject({ confirmation: 'pending' });
    await completeAt(endpoint);
    expect(await read(id)).toMatchObject({ status: 'done', confirmation: 'confirmed' });
  });
});
