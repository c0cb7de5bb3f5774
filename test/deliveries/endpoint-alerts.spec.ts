import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ENDPOINTS, type EndpointWorld, startEndpointWorld } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver, status } from '../support/receiver.js';

/** What says that an endpoint does not work (docs/api-contract.md#alerts). */

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

/** Puts a delivery into the database, as old as that (minutes). */
const store = (endpointId: string, values: object, age: number) =>
  world.server.database.query(
    `INSERT INTO deliveries (endpoint_id, kind, data, status, attempts, retries, next_attempt, creation_date)
      SELECT $1, 'endpoint.test', '{}', v.status, v.attempts, v.retries, now() + interval '1 hour', now() - make_interval(mins => $3)
      FROM jsonb_to_record($2) AS v (status text, attempts integer, retries integer)`,
    [endpointId, JSON.stringify({ attempts: 0, retries: 10, status: 'waiting', ...values }), age],
  );

const linesOf = async (endpointId: string): Promise<unknown[]> =>
  world.server.database.query(
    `SELECT action, actor_login AS actor, after FROM audit
      WHERE object_uri = $1 AND action IN ('fail-delivery', 'block-endpoint') ORDER BY id`,
    [`/process/endpoints/${endpointId}`],
  );

const health = (endpointId: string, changes: string) =>
  world.server.database.query(`UPDATE endpoint_health SET ${changes} WHERE endpoint_id = $1`, [
    endpointId,
  ]);

describe('GET /process/endpoint-alerts', () => {
  it('lists endpoints whose deliveries have failed, are half given up or wait for long, the worst first', async () => {
    const make = (reference: string, more: object = {}) => world.pull({ reference, ...more });
    const long = await make('LONG');
    const half = await make('HALF');
    const failed = await make('FAILED', { status: 'paused' });
    const fine = await make('FINE');
    const paused = await make('PAUSED', { status: 'paused' });
    await store(long, {}, 61);
    await store(half, { retries: 5 }, 1);
    await store(half, { retries: 9 }, 2);
    await store(failed, { status: 'failed' }, 1);
    await store(fine, { retries: 6, attempts: 9 }, 59);
    await store(paused, { retries: 1 }, 1_000);
    const { status: code, body } = await world.call('GET', '/api/v2/process/endpoint-alerts');
    const alert = (id: string, reference: string, more: object) => ({
      endpoint: { id, uri: `/process/endpoints/${id}`, reference, label: 'Worker' },
      ...{
        failed: 0,
        waiting: 0,
        oldestWaitingDate: null,
        attemptsUsed: 0,
        lastError: null,
        ...more,
      },
    });
    const oldestWaitingDate = expect.stringMatching(/^20.*Z$/);
    expect([code, body]).toEqual([
      200,
      [
        alert(failed, 'FAILED', { failed: 1 }),
        alert(half, 'HALF', { waiting: 2, attemptsUsed: 50, oldestWaitingDate }),
        alert(long, 'LONG', { waiting: 1, oldestWaitingDate }),
      ],
    ]);
  });

  it('counts the age of a delivery that is sent again from then on', async () => {
    const id = await world.pull({ reference: 'AGAIN' });
    await store(id, { status: 'delivered' }, 120);
    const [{ id: delivery }] = await world.deliveries(id);
    const since = Date.now();
    const replayed = await world.call('POST', `${ENDPOINTS}/${id}/replay`, {
      deliveries: [delivery],
    });
    expect(replayed.body).toEqual({ count: 1, next: null });
    const alerts = async () =>
      (await world.call('GET', '/api/v2/process/endpoint-alerts')).body as object[];
    expect(await alerts()).toEqual([]);
    const { body } = await world.call('GET', `${ENDPOINTS}/${id}`);
    expect(Date.parse(body.oldestWaitingDate)).toBeGreaterThan(since - 60_000);
    await world.server.database.query(
      `UPDATE deliveries SET replay_date = now() - interval '61 minutes' WHERE id = $1`,
      [delivery],
    );
    expect(await alerts()).toMatchObject([{ endpoint: { reference: 'AGAIN' }, waiting: 1 }]);
  });

  it('counts the attempts of a push', async () => {
    const { id } = await world.push(receiver.url);
    await store(id, { attempts: 4 }, 1);
    const alerts = async () =>
      (await world.call('GET', '/api/v2/process/endpoint-alerts')).body as object[];
    expect(await alerts()).toEqual([]);
    await store(id, { attempts: 9 }, 1);
    expect(await alerts()).toMatchObject([{ attemptsUsed: 90, waiting: 2 }]);
  });
});

describe('an endpoint whose last attempt has failed', () => {
  it('is alerted at once with the reason, is tried again by hand, and is well after a success', async () => {
    const { id } = await world.push(receiver.url);
    receiver.usual = status(400);
    await world.call('POST', `${ENDPOINTS}/${id}/test`);
    const alerts = async () =>
      (await world.call('GET', '/api/v2/process/endpoint-alerts')).body as object[];
    const lastError = { attemptDate: expect.stringMatching(/^20.*Z$/), status: 400, message: null };
    await eventually(async () =>
      expect(await alerts()).toMatchObject([
        { endpoint: { id }, failed: 0, waiting: 1, lastError },
      ]),
    );
    const read = async () => (await world.call('GET', `${ENDPOINTS}/${id}`)).body as object;
    expect(await read()).toMatchObject({ state: 'failing', lastFailureDate: null, lastError });
    receiver.usual = status(204);
    const retried = await world.call('POST', `${ENDPOINTS}/${id}/retry`);
    expect([retried.status, retried.body]).toEqual([200, { count: 1 }]);
    await eventually(async () => expect(await alerts()).toEqual([]));
    expect(await read()).toMatchObject({ state: 'active', lastError: null });
    const again = await world.call('POST', `${ENDPOINTS}/${id}/retry`);
    expect(again.body).toEqual({ count: 0 });
  });

  it('can be tried manually while the server pauses it', async () => {
    const { id } = await world.push(receiver.url);
    receiver.usual = status(503, { 'Retry-After': '3600' });
    await world.call('POST', `${ENDPOINTS}/${id}/test`);
    const state = async () => (await world.call('GET', `${ENDPOINTS}/${id}`)).body.state as string;
    await eventually(async () => expect(await state()).toBe('unavailable'));
    receiver.usual = status(204);
    await world.call('POST', `${ENDPOINTS}/${id}/retry`);
    await eventually(async () => expect(await state()).toBe('active'));
  });
});

describe('the audit trail', () => {
  it('has a line when a push is given up, and one an hour at most', async () => {
    const { id } = await world.push(receiver.url);
    receiver.usual = status(400);
    const giveUp = async (count: number): Promise<void> => {
      await world.call('POST', `${ENDPOINTS}/${id}/test`);
      await eventually(async () =>
        expect(await world.deliveries(id, 'attempts:eq:1')).toHaveLength(1),
      );
      await world.server.database.query(
        `UPDATE deliveries SET attempts = 9, next_attempt = now() WHERE endpoint_id = $1 AND status = 'waiting'`,
        [id],
      );
      await eventually(async () =>
        expect(await world.deliveries(id, 'status:eq:failed')).toHaveLength(count),
      );
    };
    const line = (failed: number) => ({
      action: 'fail-delivery',
      actor: 'event delivery',
      after: { failed },
    });
    await giveUp(1);
    expect(await linesOf(id)).toEqual([line(1)]);
    await giveUp(2);
    expect(await linesOf(id)).toEqual([line(1)]);
    await health(id, `failure_reported = failure_reported - interval '1 hour'`);
    await giveUp(3);
    expect(await linesOf(id)).toEqual([line(1), line(3)]);
  });

  it('has a line when a worker gives up, or its last lease lapses', async () => {
    const id = await world.pull();
    const work = (what: string, body: object) =>
      world.call('POST', `${ENDPOINTS}/${id}/${what}`, { worker: 'w', ...body }, world.engine);
    const fetch = async (): Promise<string[]> =>
      (await work('fetch', {})).body.deliveries.map((delivery: { id: string }) => delivery.id);
    await world.call('POST', `${ENDPOINTS}/${id}/test`);
    await work('fail', { deliveries: await fetch(), retries: 1 });
    expect(await linesOf(id)).toEqual([]);
    await work('fail', { deliveries: await fetch() });
    expect(await linesOf(id)).toHaveLength(1);
    await health(id, 'failure_reported = NULL');
    await world.call('POST', `${ENDPOINTS}/${id}/test`);
    expect(await fetch()).toHaveLength(1);
    await world.server.database.query(
      `UPDATE deliveries SET retries = 1, next_attempt = now() WHERE endpoint_id = $1 AND status = 'leased'`,
      [id],
    );
    expect(await fetch()).toEqual([]);
    expect(await linesOf(id)).toMatchObject([{ after: { failed: 1 } }, { after: { failed: 2 } }]);
  });

  it('has one line for an outage of more than an hour, which ends when something is taken', async () => {
    const { id } = await world.push(receiver.url);
    receiver.usual = status(503);
    await world.call('POST', `${ENDPOINTS}/${id}/test`);
    const attempts = async (count: number): Promise<void> => {
      await world.hurry();
      await eventually(async () =>
        expect(await world.deliveries(id, `attempts:gte:${count}`)).toHaveLength(1),
      );
    };
    const failFor = (age: string) =>
      health(id, `failures = 5, failing_since = now() - interval '${age}'`);
    await attempts(1);
    await failFor('59 minutes');
    await attempts(2);
    expect(await linesOf(id)).toEqual([]);
    await failFor('61 minutes');
    await attempts(3);
    const line = {
      action: 'block-endpoint',
      actor: 'event delivery',
      after: { unavailableSince: expect.stringMatching(/^20.*Z$/) },
    };
    expect(await linesOf(id)).toEqual([line]);
    await attempts(4);
    expect(await linesOf(id)).toEqual([line]);
    receiver.usual = status(200);
    await world.hurry();
    await eventually(async () =>
      expect(await world.deliveries(id, 'status:eq:delivered')).toHaveLength(1),
    );
    receiver.usual = status(503);
    await world.call('POST', `${ENDPOINTS}/${id}/test`);
    await eventually(async () =>
      expect(
        await world.server.database.query(
          `SELECT outage_reported AS reported, failing_since > now() - interval '1 hour' AS fresh
            FROM endpoint_health WHERE endpoint_id = $1`,
          [id],
        ),
      ).toEqual([{ reported: false, fresh: true }]),
    );
  });
});
