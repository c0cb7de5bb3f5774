import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Housekeeping } from '../../src/database/housekeeping.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** Calls with an Idempotency-Key, which a client repeats when it has got no answer. */

const TASKS = '/api/v2/process/tasks';

let writing: WritingServer;
beforeAll(async () => {
  writing = await startWritingServer();
});
afterAll(() => writing.close());

const body = (title: string) => ({ title, application: 'LEAVE', assignee: 'bruno.keller' });

const post = (title: string, key: string, token = writing.engine) =>
  writing.call('POST', TASKS, body(title), { token, headers: { 'Idempotency-Key': key } });

const tasksWith = async (title: string): Promise<number> => {
  const [row] = await writing.server.database.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM tasks WHERE title = $1',
    [title],
  );
  return row!.count;
};

describe('POST /api/v2/process/tasks with an Idempotency-Key', () => {
  it('creates one task, and answers the same again, whatever has become of the task', async () => {
    const first = await post('Once', '"8e03978e-40d5-43dd-bc93-6894a57f9324"');
    expect(first.status).toBe(201);
    const { uri } = first.body as { uri: string };
    await writing.call('PATCH', `/api/v2${uri}`, [{ op: 'replace', path: '/priority', value: 9 }]);
    for (const key of [
      '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
      '8e03978e-40d5-43dd-bc93-6894a57f9324',
    ]) {
      const again = await post('Once', key);
      expect([again.status, again.text]).toEqual([201, first.text]);
      expect([again.headers.location, again.headers.etag]).toEqual([
        first.headers.location,
        first.headers.etag,
      ]);
    }
    expect(await tasksWith('Once')).toBe(1);
    const filters = `filters=object:eq:${uri}&filters=action:eq:create`;
    const audit = await writing.call('GET', `/api/v2/administration/audit?${filters}`);
    expect(audit.body).toHaveLength(1);
  });

  it('is a 422 with another body, and a separate call for another user with the same key', async () => {
    await post('First body', 'shared');
    const other = await post('Second body', 'shared');
    expect([other.status, other.body]).toEqual([
      422,
      { code: 422, message: 'The Idempotency-Key belongs to a call with another body' },
    ]);
    expect((await post('Second body', 'shared', writing.admin)).status).toBe(201);
    expect(await tasksWith('Second body')).toBe(1);
  });

  it('is a 409 while the same call is under way', async () => {
    const { connection } = writing.server.database;
    const { Client } = (await import('pg')).default;
    const client = new Client(connection);
    await client.connect();
    // Holds up the first call, which waits for the application.
    await client.query('BEGIN');
    await client.query(`SELECT 1 FROM applications WHERE reference = 'LEAVE' FOR UPDATE`);
    const calls = [post('Concurrent', 'at-once'), post('Concurrent', 'at-once')];
    const first = await Promise.race(calls);
    expect([first.status, first.body]).toEqual([
      409,
      { code: 409, message: 'A call with this Idempotency-Key is under way' },
    ]);
    await client.query('ROLLBACK');
    await client.end();
    const answers = (await Promise.all(calls)).map(({ status }) => status).sort();
    expect(answers).toEqual([201, 409]);
    expect(await tasksWith('Concurrent')).toBe(1);
  });

  it('keeps nothing of a call that failed, so that it can be corrected', async () => {
    const bad = await writing.call(
      'POST',
      TASKS,
      { ...body('Corrected'), priority: 'high' },
      { token: writing.engine, headers: { 'Idempotency-Key': 'corrected' } },
    );
    expect(bad.status).toBe(400);
    expect((await post('Corrected', 'corrected')).status).toBe(201);
  });

  it.each(['""', 'with a blank', 'x'.repeat(256)])('is a 400 for the key %s', async (key) => {
    const { status, body: answer } = await post('Bad key', key);
    expect([status, answer]).toEqual([
      400,
      {
        code: 400,
        message: 'Invalid: Idempotency-Key',
        fields: [
          { name: 'Idempotency-Key', message: 'must have 1 to 255 visible ASCII characters' },
        ],
      },
    ]);
  });

  it('is remembered for 24 hours', async () => {
    const { database, app } = writing.server;
    await post('For a day', 'day');
    const age = (interval: string) =>
      database.query(
        `UPDATE idempotency_keys SET creation_date = now() - interval '${interval}' WHERE key = 'day'`,
      );
    await age('23 hours 59 minutes');
    await post('For a day', 'day');
    expect(await tasksWith('For a day')).toBe(1);
    await age('24 hours 1 minute');
    await post('For a day', 'day');
    expect(await tasksWith('For a day')).toBe(2);
    await age('25 hours');
    await app.get(Housekeeping).run();
    expect(await database.query(`SELECT 1 FROM idempotency_keys WHERE key = 'day'`)).toEqual([]);
  });
});
