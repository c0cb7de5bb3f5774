import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import { Logger } from '@nestjs/common';
import { createPublicKey, verify } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { allow, ENDPOINTS, type EndpointWorld, startEndpointWorld } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { idOf } from '../support/id-of.js';
import { type Received, type Receiver, startReceiver, status } from '../support/receiver.js';
import { judge, parse } from '../support/webhook-judge.mjs';

/** Events of tasks that are pushed (docs/api-contract.md#task-events). */

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let world: EndpointWorld;
let receiver: Receiver;
beforeAll(async () => {
  world = await startEndpointWorld();
});
afterAll(() => world.server.close());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await world.clear();
  await receiver.close();
});

/** The kinds and revisions of the messages about a task, in the order of their arrival. */
const heard = (id: string): [string, number][] =>
  receiver.messages.flatMap(({ body }) =>
    body.subject === `/process/tasks/${id}` ? [[body.type, body.data.task.revision]] : [],
  );
/** Creates tasks at once, whose messages the receiver does not answer. @returns the answers that it holds back */
async function holdMessagesOf(count: number): Promise<ServerResponse[]> {
  const held: ServerResponse[] = [];
  receiver.usual = (response) => held.push(response);
  await world.server.database.query(
    `INSERT INTO tasks (title, application_id)
      SELECT 'Together', (SELECT min(id) FROM applications) FROM generate_series(1, ${count})`,
  );
  return held;
}
const isDelivered = async (id: string, count: number): Promise<void> =>
  eventually(async () => {
    const all = await world.deliveries(id, 'status:eq:delivered');
    expect(all).toHaveLength(count);
  });

describe('an event of a task', () => {
  it('is a CloudEvent with the task as it was after the change, signed for two independent verifiers', async () => {
    const { secret } = await world.push(receiver.url);
    const bruno = await idOf(world.server, 'users', 'bruno.keller');
    const id = await world.task({ description: 'Long text', assignee: bruno });
    await world.change(id, { title: 'Approve it', description: 'Other text', priority: 7 });
    const [created, changed] = await receiver.hasGot(2);
    expect(judge(secret, created!.headers, created!.text)).toEqual(created!.body);
    expect(judge(secret, changed!.headers, changed!.text)).toEqual(changed!.body);
    expect(created!.headers).toMatchObject({
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'webhook-id': expect.stringMatching(/^msg_[0-9a-f]{32}$/),
    });
    const task = (await world.call('GET', `/api/v2/process/tasks/${id}`)).body as Record<
      string,
      unknown
    >;
    expect(changed!.body).toEqual({
      specversion: '1.0',
      id: changed!.headers['webhook-id'],
      source: '/api/v2',
      type: 'task.changed',
      subject: `/process/tasks/${id}`,
      time: expect.stringMatching(TIME),
      timestamp: changed!.body.time,
      datacontenttype: 'application/json',
      data: {
        task: {
          id,
          uri: `/process/tasks/${id}`,
          reference: task.reference,
          source: null,
          externalId: null,
          revision: 2,
          title: 'Approve it',
          status: 'open',
          priority: 7,
          link: null,
          application: task.application,
          assignee: task.assignee,
          group: null,
          dueDate: null,
          creationDate: task.creationDate,
          modificationDate: task.modificationDate,
          completionDate: null,
          followUpDate: null,
          sourceVersion: null,
          correlationId: null,
          outcome: null,
          comment: null,
          confirmation: null,
          refusalReason: null,
          closedBy: null,
          closedFor: null,
        },
        changed: ['description', 'priority', 'title'],
        previous: { title: 'Approve the order', priority: 0 },
      },
    });
    expect(changed!.headers['webhook-id']).not.toBe(created!.headers['webhook-id']);
  });

  it('is one for each change, also by plain SQL, in the order of the revisions', async () => {
    const { id: endpoint } = await world.push(receiver.url, { content: 'thin' });
    const bruno = await idOf(world.server, 'users', 'bruno.keller');
    const group = await idOf(world.server, 'groups', 'EXPENSE-APPROVERS');
    const { database } = world.server;
    const id = await world.task({ group });
    await world.change(id, { assignee: bruno });
    await world.change(id, { assignee: null });
    await world.change(id, { group: null, assignee: bruno });
    await world.change(id, { status: 'done' });
    await world.change(id, { status: 'open' });
    await database.query(
      `UPDATE tasks SET status = 'cancelled', revision = revision + 1 WHERE id = $1`,
      [id],
    );
    await world.change(id, { priority: 3 });
    await world.call('DELETE', `/api/v2/process/tasks/${id}`);
    await isDelivered(endpoint, 9);
    expect(heard(id)).toEqual([
      ['task.created', 1],
      ['task.claimed', 2],
      ['task.released', 3],
      ['task.reassigned', 4],
      ['task.decided', 5],
      ['task.reopened', 6],
      ['task.cancelled', 7],
      ['task.changed', 8],
      ['task.deleted', 8],
    ]);
    const reference = receiver.messages[0]!.body.data.task.reference as string;
    expect(receiver.messages[3]!.body.data).toEqual({
      task: {
        id,
        uri: `/process/tasks/${id}`,
        reference,
        source: null,
        externalId: null,
        revision: 4,
      },
    });
  });

  it('names the decider, the outcome and the comment, with the ids of the source', async () => {
    const { id: endpoint, secret } = await world.push(receiver.url, { kinds: ['task.decided'] });
    const source = await world.call('POST', '/api/v2/process/sources', {
      label: 'Orders',
      reference: 'ORDERS',
      applications: [world.application],
    });
    expect([source.status, source.text]).toEqual([201, expect.anything()]);
    const id = await world.task({
      source: source.body.id,
      externalId: 'order-17',
      sourceVersion: 3,
      correlationId: 'process-4711',
      variables: [],
      outcomes: [{ name: 'approve', label: 'Approve' }],
    });
    const alice = await idOf(world.server, 'users', 'alice.martin');
    await world.change(id, { status: 'done', outcome: 'approve', comment: 'fine' });
    await isDelivered(endpoint, 1);
    const [message] = receiver.messages;
    judge(secret, message!.headers, message!.text);
    expect(message!.body.data).toMatchObject({
      task: {
        source: { reference: 'ORDERS', uri: source.body.uri },
        externalId: 'order-17',
        sourceVersion: 3,
        correlationId: 'process-4711',
        status: 'done',
        outcome: 'approve',
        comment: 'fine',
        closedBy: { id: alice, uri: `/directory/users/${alice}`, reference: 'alice.martin' },
      },
      previous: { status: 'open', outcome: null, comment: null, closedBy: null },
    });
  });

  it('is one for all changes of a transaction, and none for a task that it creates and deletes', async () => {
    const { id: endpoint } = await world.push(receiver.url);
    const { database } = world.server;
    await database.query(`WITH made AS (
        INSERT INTO tasks (id, title, application_id) VALUES (80001, 'Made', ${world.application}), (80002, 'Gone', ${world.application})
      ) SELECT 1`);
    await database.query(`DO $$ BEGIN
        UPDATE tasks SET title = 'First', priority = 1 WHERE id = 80001;
        UPDATE tasks SET title = 'Second', priority = 0, status = 'done' WHERE id = 80001;
        INSERT INTO tasks (id, title, application_id) VALUES (80003, 'Brief', ${world.application});
        DELETE FROM tasks WHERE id IN (80002, 80003);
      END $$`);
    await isDelivered(endpoint, 4);
    expect(heard('80001').map(([kind]) => kind)).toEqual(['task.created', 'task.decided']);
    expect(heard('80002').map(([kind]) => kind)).toEqual(['task.created', 'task.deleted']);
    expect(heard('80003')).toEqual([]);
    const decided = receiver.messages.find(({ body }) => body.type === 'task.decided')!;
    expect(decided.body.data).toMatchObject({
      task: { title: 'Second', status: 'done', priority: 0 },
      changed: ['completionDate', 'status', 'title'],
      previous: { title: 'Made', status: 'open' },
    });
  });

  it('goes only to endpoints that want its kind and its application, and that were there', async () => {
    const before = await world.task();
    const kinds = await world.push(receiver.url, { kinds: ['task.decided', 'task.cancelled'] });
    const applications = await world.push(receiver.url, { applications: [world.other] });
    const one = await world.task();
    await world.change(one, { status: 'done' });
    const other = await world.task({ application: world.other });
    await world.change(before, { status: 'cancelled' });
    await isDelivered(kinds.id, 2);
    await isDelivered(applications.id, 1);
    const about = async (id: string) =>
      (await world.deliveries(id)).map(({ kind, task }) => [
        kind,
        (task as { uri: string } | null)?.uri ?? null,
      ]);
    expect(await about(kinds.id)).toEqual([
      ['task.decided', `/process/tasks/${one}`],
      ['task.cancelled', `/process/tasks/${before}`],
    ]);
    expect(await about(applications.id)).toEqual([['task.created', `/process/tasks/${other}`]]);
  });
});

describe('the signature', () => {
  it('comes from the old and the new secret while one is replaced', async () => {
    const { id, secret } = await world.push(receiver.url);
    const made = await world.call('POST', `${ENDPOINTS}/${id}/secrets`, { overlap: 48 });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      signature: 'hmac',
      formerExpiration: expect.stringMatching(TIME),
    });
    await world.call('POST', `${ENDPOINTS}/${id}/test`);
    const [both] = await receiver.hasGot(1);
    judge(secret, both!.headers, both!.text);
    judge(made.body.secret as string, both!.headers, both!.text);
    expect(both!.body).toEqual({
      specversion: '1.0',
      id: both!.headers['webhook-id'],
      source: '/api/v2',
      type: 'endpoint.test',
      time: expect.stringMatching(TIME),
      timestamp: both!.body.time,
      datacontenttype: 'application/json',
      data: {},
    });
    const last = await world.call('POST', `${ENDPOINTS}/${id}/secrets`, { overlap: 0 });
    await world.call('POST', `${ENDPOINTS}/${id}/test`);
    const [, one] = await receiver.hasGot(2);
    judge(last.body.secret as string, one!.headers, one!.text);
    expect(() => judge(secret, one!.headers, one!.text)).toThrow();
    expect(() => judge(made.body.secret as string, one!.headers, one!.text)).toThrow();
    const { body } = await world.call('GET', `${ENDPOINTS}/${id}`);
    expect(body.secrets).toEqual([
      { creationDate: expect.stringMatching(TIME), expiration: null, publicKey: null },
    ]);
  });

  it('can be one of Ed25519, which the public key verifies', async () => {
    const { id, secret } = await world.push(receiver.url, { signature: 'ed25519' });
    await world.call('POST', `${ENDPOINTS}/${id}/test`);
    const [{ headers, text }] = (await receiver.hasGot(1)) as [Received];
    const key = createPublicKey({
      key: Buffer.concat([
        Buffer.from('302a300506032b6570032100', 'hex'),
        Buffer.from(secret.replace('whpk_', ''), 'base64'),
      ]),
      format: 'der',
      type: 'spki',
    });
    const [, signature = ''] = /^v1a,(\S+)$/.exec(String(headers['webhook-signature'])) ?? [];
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`;
    expect(verify(null, Buffer.from(signed), key, Buffer.from(signature, 'base64'))).toBe(true);
    expect(parse(headers, text).type).toBe('endpoint.test');
    const { body } = await world.call('GET', `${ENDPOINTS}/${id}`);
    expect(body.secrets[0].publicKey).toBe(secret);
  });

  it('needs a secret: without one, the endpoint says so and nothing is sent', async () => {
    const made = await world.call('POST', ENDPOINTS, {
      label: 'Engine',
      mode: 'push',
      url: receiver.url,
    });
    const { id, state } = made.body as { id: string; state: string };
    expect([made.status, state]).toEqual([201, 'no-secret']);
    const tested = await world.call('POST', `${ENDPOINTS}/${id}/test`);
    expect([tested.status, tested.body]).toEqual([
      409,
      { code: 409, message: 'The endpoint has no secret with which it would sign: make one' },
    ]);
    const listed = async (filter: string, mode = 'machine') =>
      (await world.call('GET', `${ENDPOINTS}?filters=${filter}&responseMode=${mode}`)).body;
    expect(await listed('state:eq:no-secret')).toMatchObject([{ id, state: 'no-secret' }]);
    expect(await listed('state:eq:no-secret', 'user')).toMatchObject([{ state: 'no secret' }]);
    expect((await world.call('POST', `${ENDPOINTS}/${id}/secrets`, {})).status).toBe(201);
    expect(await listed('state:eq:no-secret')).toEqual([]);
    expect(await listed('state:eq:active')).toMatchObject([{ id, state: 'active' }]);
    expect((await world.call('POST', `${ENDPOINTS}/${id}/test`)).status).toBe(201);
    await receiver.hasGot(1);
  });

  it('needs a secret that the SECRETS_KEY of the server opens', async () => {
    const { id } = await world.push(receiver.url);
    await world.server.database.query(
      `UPDATE endpoint_secrets SET sealed = set_byte(sealed, 20, 255 - get_byte(sealed, 20)) WHERE endpoint_id = ${id}`,
    );
    const tested = await world.call('POST', `${ENDPOINTS}/${id}/test`);
    expect([tested.status, tested.body]).toEqual([
      409,
      {
        code: 409,
        message:
          'The SECRETS_KEY of this server does not open the secret of the endpoint: renew it',
      },
    ]);
    expect((await world.call('POST', `${ENDPOINTS}/${id}/secrets`, {})).status).toBe(201);
    expect((await world.call('POST', `${ENDPOINTS}/${id}/test`)).status).toBe(201);
    await receiver.hasGot(1);
  });

  it('needs a secret that is encrypted in the database', async () => {
    const { id, secret } = await world.push(receiver.url);
    const bytes = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const [row] = await world.server.database.query<{ sealed: Buffer }>(
      `SELECT sealed FROM endpoint_secrets WHERE endpoint_id = ${id}`,
    );
    expect(row!.sealed.includes(bytes)).toBe(false);
    expect(row!.sealed.length).toBe(4 + 12 + 16 + 32);
    const [audited] = await world.server.database.query<{ text: string }>(
      'SELECT string_agg(a::text, $1) AS text FROM audit a',
      [' '],
    );
    expect(audited!.text).not.toContain(secret);
  });
});

describe('a message that is not taken', () => {
  it('is sent again under the same id, and delays only later changes of its task', async () => {
    const { id: endpoint, secret } = await world.push(receiver.url);
    receiver.answers.push(status(500, {}, 'not now'));
    const one = await world.task();
    await receiver.hasGot(1);
    await world.change(one, { priority: 1 });
    const other = await world.task();
    await receiver.hasGot(2);
    await isDelivered(endpoint, 1);
    expect(heard(one)).toEqual([['task.created', 1]]);
    expect(heard(other)).toEqual([['task.created', 1]]);
    const [failed] = await world.deliveries(endpoint, 'status:eq:waiting');
    expect(failed).toMatchObject({
      kind: 'task.created',
      attempts: 1,
      completionDate: null,
      log: [
        {
          attemptDate: expect.stringMatching(TIME),
          duration: expect.any(Number),
          status: 500,
          message: null,
        },
      ],
    });
    const waits =
      Date.parse(failed.nextAttemptDate as string) -
      Date.parse(failed.log[0].attemptDate as string);
    expect(waits / 1000).toBeGreaterThan(4);
    // The wait after it is five minutes.
    expect(waits / 1000).toBeLessThan(60);
    await world.hurry();
    await isDelivered(endpoint, 3);
    expect(heard(one)).toEqual([
      ['task.created', 1],
      ['task.created', 1],
      ['task.changed', 2],
    ]);
    const [first, , again] = receiver.messages;
    expect(again!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(again!.text).toBe(first!.text);
    judge(secret, again!.headers, again!.text);
  });

  it.each([
    ['a redirect', status(301, { Location: 'http://127.0.0.1:9/' }), 301],
    ['a fault of the request', status(400), 400],
    ['too many requests', status(429), 429],
  ])('is sent again after %s', async (_name, answer, code) => {
    const { id } = await world.push(receiver.url);
    receiver.answers.push(answer);
    await world.call('POST', `${ENDPOINTS}/${id}/test`);
    await receiver.hasGot(1);
    await eventually(async () => {
      const [delivery] = await world.deliveries(id);
      expect(delivery).toMatchObject({ status: 'waiting', attempts: 1, log: [{ status: code }] });
    });
    await world.hurry();
    await isDelivered(id, 1);
    expect(receiver.messages).toHaveLength(2);
  });

  it('waits as long as Retry-After says, and so does the endpoint', async () => {
    const { id } = await world.push(receiver.url);
    receiver.answers.push(status(503, { 'Retry-After': '3600' }));
    await world.call('POST', `${ENDPOINTS}/${id}/test`);
    await receiver.hasGot(1);
    await eventually(async () => {
      const [delivery] = await world.deliveries(id);
      expect(Date.parse(delivery.nextAttemptDate as string) - Date.now()).toBeGreaterThan(
        3_500_000,
      );
    });
    const { body } = await world.call('GET', `${ENDPOINTS}/${id}`);
    expect(Date.parse(body.blockedUntil as string) - Date.now()).toBeGreaterThan(3_500_000);
    await world.call('POST', `${ENDPOINTS}/${id}/test`);
    await world.server.database.query(
      `UPDATE deliveries SET next_attempt = now() WHERE status = 'waiting'`,
    );
    await eventually(async () => {
      expect(await world.deliveries(id, 'status:eq:waiting')).toHaveLength(2);
    });
    expect(receiver.messages).toHaveLength(1);
  });

  it('pauses the endpoint when the receiver answers 410, and loses nothing', async () => {
    const { id } = await world.push(receiver.url);
    receiver.answers.push(status(410));
    const task = await world.task();
    await eventually(async () => {
      expect((await world.call('GET', `${ENDPOINTS}/${id}`)).body.status).toBe('paused');
    });
    await world.change(task, { status: 'done' });
    await eventually(async () => {
      expect(await world.deliveries(id, 'status:eq:waiting')).toHaveLength(2);
    });
    const [audited] = await world.server.database.query(
      `SELECT actor_login, before, after FROM audit WHERE object_uri = '/process/endpoints/${id}' ORDER BY id DESC LIMIT 1`,
    );
    expect(audited).toEqual({
      actor_login: 'event delivery',
      before: { status: 'active' },
      after: { status: 'paused', reason: 'the receiver answered 410' },
    });
    await world.call('PATCH', `${ENDPOINTS}/${id}`, [
      { op: 'replace', path: '/status', value: 'active' },
    ]);
    await world.hurry();
    await isDelivered(id, 2);
    expect(heard(task)).toEqual([
      ['task.created', 1],
      ['task.created', 1],
      ['task.decided', 2],
    ]);
  });

  it('leaves no more after a 410, which the audit trail has once', async () => {
    receiver.usual = status(410);
    const { id } = await world.push(receiver.url);
    await world.server.database.query(
      `INSERT INTO tasks (title, application_id)
        SELECT 'Gone', (SELECT min(id) FROM applications) FROM generate_series(1, 300)`,
    );
    await eventually(async () => {
      const { body } = await world.call('GET', `${ENDPOINTS}/${id}`);
      expect(body).toMatchObject({ status: 'paused', waitingCount: 300 });
    });
    // Those that were under way with the first one.
    expect(receiver.messages.length).toBeLessThanOrEqual(32);
    const audited = await world.server.database.query(
      `SELECT FROM audit WHERE object_uri = '/process/endpoints/${id}' AND actor_login = 'event delivery'`,
    );
    expect(audited).toHaveLength(1);
  });

  it('is given up after ten attempts, and sent again by hand under the same id', async () => {
    const { id } = await world.push(receiver.url);
    receiver.usual = status(500);
    await world.call('POST', `${ENDPOINTS}/${id}/test`);
    for (let attempt = 1; attempt <= 10; attempt++) {
      await receiver.hasGot(attempt);
      await eventually(async () => {
        const [delivery] = await world.deliveries(id);
        expect(delivery.attempts).toBe(attempt);
      });
      await world.hurry();
    }
    const [failed] = await world.deliveries(id);
    expect([failed.status, failed.log.length]).toEqual(['failed', 10]);
    receiver.usual = status(200);
    const replayed = await world.call('POST', `${ENDPOINTS}/${id}/replay`, { failed: true });
    expect([replayed.status, replayed.body]).toEqual([200, { count: 1, next: null }]);
    await isDelivered(id, 1);
    const ids = new Set(receiver.messages.map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBe(1);
    const chosen = await world.call('POST', `${ENDPOINTS}/${id}/replay`, {
      deliveries: [failed.id],
    });
    expect(chosen.body).toEqual({ count: 1, next: null });
    await receiver.hasGot(12);
  });

  it('is sent again with all of a time, or from one delivery on, in the order of the changes', async () => {
    const { id } = await world.push(receiver.url);
    const task = await world.task();
    for (const priority of [1, 2, 3]) await world.change(task, { priority });
    await isDelivered(id, 4);
    await world.server.database.query(
      `UPDATE deliveries SET creation_date = timestamptz '2027-08-02T06:00:00Z' + make_interval(hours => revision),
        status = CASE WHEN revision = 2 THEN 'failed' ELSE status END WHERE endpoint_id = $1`,
      [id],
    );
    const all = (await world.deliveries(id)).map((delivery) => delivery.id as string);
    const replayed = async (body: object): Promise<number[]> => {
      const before = receiver.messages.length;
      const { status: code, body: answer } = await world.call(
        'POST',
        `${ENDPOINTS}/${id}/replay`,
        body,
      );
      expect([code, answer.next]).toEqual([200, null]);
      await receiver.hasGot(before + (answer.count as number));
      await eventually(async () =>
        expect(await world.deliveries(id, 'status:eq:waiting')).toEqual([]),
      );
      return receiver.messages.slice(before).map((message) => message.body.data.task.revision);
    };
    const [from, to] = ['2027-08-02T08:00:00Z', '2027-08-02T12:00:00+02:00'];
    expect(await replayed({ failed: true, to: from })).toEqual([]);
    expect(await replayed({ failed: true, from, to })).toEqual([2]);
    expect(await replayed({ from, to })).toEqual([2, 3]);
    expect(await replayed({ to: from })).toEqual([1]);
    expect(await replayed({ fromDelivery: all[2] })).toEqual([3, 4]);
    expect(await replayed({ from, fromDelivery: all[0] })).toEqual([2, 3, 4]);
  });

  it('is sent again with at most 999 others, and the answer names the next delivery', async () => {
    const id = await world.pull();
    await world.server.database.query(
      `INSERT INTO deliveries (endpoint_id, kind, data, status, completion_date)
        SELECT $1, 'endpoint.test', '{}', 'failed', now() FROM generate_series(1, 1002)`,
      [id],
    );
    const [last] = await world.server.database.query<{ id: string }>(
      'SELECT (max(id) - 1)::text AS id FROM deliveries WHERE endpoint_id = $1',
      [id],
    );
    const replay = async (body: object): Promise<unknown> =>
      (await world.call('POST', `${ENDPOINTS}/${id}/replay`, body)).body;
    expect(await replay({ failed: true })).toEqual({ count: 1_000, next: last!.id });
    expect(await replay({ failed: true, fromDelivery: last!.id })).toEqual({
      count: 2,
      next: null,
    });
  });
});

describe('an endpoint', () => {
  it('keeps its events while it is paused, and gets them in order when it resumes', async () => {
    const { id } = await world.push(receiver.url);
    const status = (value: string) =>
      world.call('PATCH', `${ENDPOINTS}/${id}`, [{ op: 'replace', path: '/status', value }]);
    await status('paused');
    const task = await world.task();
    await world.change(task, { priority: 1 });
    await world.change(task, { status: 'done' });
    await eventually(async () => {
      expect(await world.deliveries(id, 'status:eq:waiting')).toHaveLength(3);
    });
    expect(receiver.messages).toEqual([]);
    await status('active');
    await isDelivered(id, 3);
    expect(heard(task)).toEqual([
      ['task.created', 1],
      ['task.changed', 2],
      ['task.decided', 3],
    ]);
  });

  it('gets no deliveries that were read ahead once it is paused', async () => {
    const { id } = await world.push(receiver.url);
    const held = await holdMessagesOf(50);
    await receiver.hasGot(32);
    const change = (value: string) =>
      world.call('PATCH', `${ENDPOINTS}/${id}`, [{ op: 'replace', path: '/status', value }]);
    await change('paused');
    receiver.usual = status(204);
    for (const response of held) response.writeHead(204).end();
    await isDelivered(id, 32);
    expect(receiver.messages).toHaveLength(32);
    await change('active');
    await isDelivered(id, 50);
    const ids = receiver.messages.map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([50, 50]);
  });

  it('gets each delivery that workers had leased once, after its mode changes to push', async () => {
    const { id } = await world.push(receiver.url);
    const change = (changes: Record<string, string | null>) =>
      world.call(
        'PATCH',
        `${ENDPOINTS}/${id}`,
        Object.entries(changes).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
      );
    expect((await change({ mode: 'pull', url: null })).status).toBe(200);
    await world.task();
    await eventually(async () => expect(await world.deliveries(id)).toHaveLength(1));
    const fetched = await world.call('POST', `${ENDPOINTS}/${id}/fetch`, { worker: 'w', lease: 1 });
    expect(fetched.body.deliveries).toHaveLength(1);
    expect((await change({ mode: 'push', url: receiver.url })).status).toBe(200);
    await isDelivered(id, 1);
    await delay(1_500);
    expect(receiver.messages).toHaveLength(1);
    expect(await world.deliveries(id)).toMatchObject([{ status: 'delivered', worker: null }]);
  });

  it('whose secret is damaged waits, and holds up no other', async () => {
    const damaged = await world.push(receiver.url);
    await world.server.database.query(
      'UPDATE endpoint_secrets SET sealed = substr(sealed, 1, 12) WHERE endpoint_id = $1',
      [damaged.id],
    );
    const { id } = await world.push(receiver.url);
    await world.task();
    await isDelivered(id, 1);
    expect(await world.deliveries(damaged.id)).toMatchObject([{ status: 'waiting', attempts: 0 }]);
  });

  it('whose secret the server cannot open is named in the log, once after each change', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn');
    const warnings = () =>
      warn.mock.calls.map(([text]) => String(text)).filter((text) => text.includes('SEALED'));
    const { id } = await world.push(receiver.url, { reference: 'SEALED' });
    await world.server.database.query(
      'UPDATE endpoint_secrets SET sealed = substr(sealed, 1, 12) WHERE endpoint_id = $1',
      [id],
    );
    const none = 'SECRETS_KEY does not open the secret of the endpoint SEALED: its events wait';
    await eventually(() => expect(warnings()).toEqual([none]));
    await delay(2_500);
    expect(warnings()).toEqual([none]);
    expect((await world.call('POST', `${ENDPOINTS}/${id}/secrets`, {})).status).toBe(201);
    const one =
      'SECRETS_KEY does not open every secret of the endpoint SEALED: the server signs with the others';
    await eventually(() => expect(warnings()).toEqual([none, one]));
    await world.server.database.query(
      'DELETE FROM endpoint_secrets WHERE endpoint_id = $1 AND length(sealed) = 12',
      [id],
    );
    await delay(2_500);
    expect(warnings()).toEqual([none, one]);
    warn.mockRestore();
  });

  it('makes a process lead: without an endpoint, no process writes that it leads', async () => {
    await eventually(async () => {
      const rows = await world.server.database.query(
        'SELECT leader_until < now() AS "isOver" FROM dispatching',
      );
      expect(rows).toEqual([{ isOver: true }]);
    });
    const { id } = await world.push(receiver.url);
    await world.task();
    await isDelivered(id, 1);
  });

  it('is not paused for long when many concurrent messages fail together', async () => {
    const { id } = await world.push(receiver.url);
    const held = await holdMessagesOf(20);
    await receiver.hasGot(20);
    receiver.usual = status(204);
    for (const response of held) response.writeHead(503).end();
    await eventually(async () => {
      const tried = await world.deliveries(id, 'attempts:eq:1');
      expect(tried).toHaveLength(20);
    });
    const { body } = await world.call('GET', `${ENDPOINTS}/${id}`);
    expect(body.blockedUntil).toBeNull();
    await world.hurry();
    await isDelivered(id, 20);
  });

  it('keeps the answers of its receiver only if the server parameter says so', async () => {
    const token = await world.server.signIn('sysadmin');
    const keep = (value: boolean) =>
      world.server.call('/api/v2/administration/parameters/com.platform.deliveries.keepAnswers', {
        method: 'PUT',
        token,
        body: { value },
      });
    const { id } = await world.push(receiver.url);
    receiver.usual = status(200, {}, 'x'.repeat(3000));
    await world.call('POST', `${ENDPOINTS}/${id}/test`);
    await isDelivered(id, 1);
    await keep(true);
    await world.call('POST', `${ENDPOINTS}/${id}/test`);
    await isDelivered(id, 2);
    await keep(false);
    const [first, second] = await world.deliveries(id);
    expect('answer' in first.log[0]).toBe(false);
    expect(second.log[0].answer).toBe('x'.repeat(1024));
  });
});

describe('a push', () => {
  it('goes nowhere while the server parameter is empty', async () => {
    const { id } = await world.push(receiver.url);
    await allow(world.server, '');
    await world.call('POST', `${ENDPOINTS}/${id}/test`);
    await eventually(async () => {
      const [delivery] = await world.deliveries(id);
      expect(delivery.log[0]).toMatchObject({
        status: null,
        message: 'the server parameter deliveries.destinations does not allow 127.0.0.1',
      });
    });
    await allow(world.server, '127.0.0.0/8');
    expect(receiver.messages).toEqual([]);
  });
});
