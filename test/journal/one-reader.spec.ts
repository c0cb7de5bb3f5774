import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import pg from 'pg';
import { loadConfig } from '../../src/base/config/config.js';
import { createApp } from '../../src/create-app.js';
import { ReadBarrier } from '../../src/journal/read-barrier.js';
import { type EndpointWorld, startEndpointWorld } from '../support/endpoints.js';
import { openEvents } from '../support/event-stream.js';
import { eventually } from '../support/eventually.js';
import { callFeed, FeedConsumer } from '../support/feed-consumer.js';

/** The one reader of the journal in a process (docs/decisions/0032). */

let world: EndpointWorld;
beforeAll(async () => {
  world = await startEndpointWorld();
});
afterAll(() => world.server.close());

/** After so long without a change all processes read the journal as rarely as they do at most, in milliseconds. */
const QUIET = 5_500;

/** Waits until a process has read the journal so often again. @returns how long that took, in milliseconds */
async function timeOfReads(app: NestExpressApplication, count: number): Promise<number> {
  const { counts } = app.get(ReadBarrier);
  const before = counts.reads;
  const started = performance.now();
  await eventually(() => expect(counts.reads).toBeGreaterThanOrEqual(before + count));
  return performance.now() - started;
}

describe('a process that waits for changes', () => {
  it('runs at most four statements a second while nothing changes, however many consumers wait', async () => {
    const { server, admin } = world;
    await world.push('http://127.0.0.1:1/');
    const streams = await Promise.all(
      Array.from({ length: 10 }, () => openEvents(server.port, { token: admin })),
    );
    const consumer = new FeedConsumer(server, admin, 'tasks');
    await consumer.catchUp();
    const waiting = callFeed(server, admin, { kinds: 'tasks', after: consumer.cursor!, wait: 60 });
    await delay(QUIET);
    const statements = jest.spyOn(pg.Client.prototype, 'query');
    const seconds = 5;
    // The removal of what has expired takes its turn once a minute.
    await eventually(async () => {
      statements.mockClear();
      await delay(seconds * 1_000);
      const count = statements.mock.calls.length;
      expect(count).toBeGreaterThan(seconds);
      expect(count).toBeLessThanOrEqual(4 * seconds);
    });
    statements.mockRestore();
    for (const stream of streams) stream.close();
    await world.task();
    expect((await waiting).status).toBe(200);
  });
});

describe('a write', () => {
  it('wakes the readers of other processes, and not again while they read often', async () => {
    const app = await createApp(
      loadConfig({ LOG_LEVEL: 'silent' }).withDatabase(world.server.database.connection),
    );
    await app.init();
    const listener = new pg.Client(world.server.database.connection);
    await listener.connect();
    let wakes = 0;
    listener.on('notification', () => wakes++);
    await listener.query('LISTEN writes');
    const stop = app.get(ReadBarrier).follow(10);
    await delay(QUIET / 2);
    const slowly = await timeOfReads(app, 4);
    await world.task();
    expect(await timeOfReads(app, 4)).toBeLessThan(slowly / 2);
    await eventually(() => expect(wakes).toBe(1));
    for (let n = 0; n < 20; n++) await world.task();
    expect(wakes).toBeLessThan(10);
    // A sign-in changes nothing that the journal has.
    await delay(1_000);
    const before = wakes;
    await world.server.signIn('bruno.keller');
    await timeOfReads(app, 2);
    expect(wakes).toBe(before);
    stop();
    await listener.end();
    await app.close();
  });
});
