import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { openPush, type PushStream } from '../support/push-stream.js';
import { uriOf } from '../support/id-of.js';
import { beginTransaction, untilWaitsForLock } from '../support/locks.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** A push without an end: NDJSON in, a result for each line out, while the body arrives. */

const NDJSON = 'application/x-ndjson';

let writing: WritingServer;
let server: WritingServer['server'];
beforeAll(async () => {
  writing = await startWritingServer();
  ({ server } = writing);
});
afterAll(() => writing.close());

let made = 0;
const newSource = async (): Promise<string> => {
  const reference = `STREAM-${++made}`;
  await writing.create('/api/v2/process/sources', {
    reference,
    label: 'An engine',
    serviceAccount: await uriOf(server, 'users', 'process.engine'),
    applications: [await uriOf(server, 'applications', 'LEAVE')],
  });
  return reference;
};

const open = (
  parameters: Record<string, string>,
  { token = writing.engine, headers = {} }: { token?: string; headers?: object } = {},
): PushStream => openPush(server.port, parameters, { token, headers });

const task = (externalId: string, more: object = {}) => ({
  externalId,
  title: `Task ${externalId}`,
  application: 'LEAVE',
  ...more,
});
const line = (item: unknown): string => `${JSON.stringify(item)}\n`;

const sums = (more: object) => ({
  stored: true,
  ...{ created: 0, updated: 0, unchanged: 0, stale: 0, refused: 0, cancelled: 0 },
  unknown: [],
  inactive: [],
  ...more,
});

/** Sends a whole body and returns all lines. */
async function send(
  source: string,
  body: string | Buffer,
  parameters: Record<string, string> = {},
): Promise<Record<string, unknown>[]> {
  const stream = open({ source, ...parameters });
  stream.request.end(body);
  expect(await stream.ended).toBe('end');
  expect(stream.status()).toBe(200);
  return stream.lines;
}

const openTasks = (source: string) =>
  server.database.query<{ externalId: string; title: string }>(
    `SELECT external_id AS "externalId", t.title FROM tasks t JOIN sources s ON s.id = t.source_id
     WHERE s.reference = $1 AND t.status = 'open' ORDER BY external_id COLLATE "C"`,
    [source],
  );

describe('PUT /api/v2/process/tasks with NDJSON', () => {
  it('answers a result for each line, in order, and the sums in the last line', async () => {
    const source = await newSource();
    const stream = open({ source });
    stream.request.end(['a', 'b', 'c'].map((id) => line(task(id))).join(''));
    await stream.ended;
    expect([stream.status(), stream.headers()['content-type']]).toEqual([200, NDJSON]);
    expect(stream.lines).toEqual([
      ...['a', 'b', 'c'].map((externalId) => ({
        externalId,
        result: 'created',
        uri: expect.stringMatching(/^\/process\/tasks\/\d+$/),
        fields: [],
        unknown: [],
        inactive: [],
        ignored: [],
      })),
      sums({ created: 3 }),
    ]);
    const again = await send(source, [task('c', { title: 'New' }), task('a')].map(line).join(''));
    expect(again.map(({ result }) => result)).toEqual(['updated', 'unchanged', undefined]);
    expect(again.at(-1)).toEqual(sums({ updated: 1, unchanged: 1 }));
  });

  it('stores more tasks than a body may have otherwise, and the later one of two with the same id', async () => {
    const source = await newSource();
    const items = Array.from({ length: 2_500 }, (_, at) => task(String(at).padStart(5, '0')));
    items.splice(100, 0, task('00007', { title: 'Later' }));
    const lines = await send(source, items.map(line).join(''));
    expect(lines).toHaveLength(2_502);
    expect(lines.slice(0, -1).map(({ externalId }) => externalId)).toEqual(
      items.map(({ externalId }) => externalId),
    );
    expect(lines.at(-1)).toEqual(sums({ created: 2_500, updated: 1 }));
    const stored = await openTasks(source);
    expect(stored).toHaveLength(2_500);
    expect(stored[7]).toEqual({ externalId: '00007', title: 'Later' });
  });

  it('stores and answers what has arrived while the source pauses', async () => {
    const source = await newSource();
    const stream = open({ source });
    stream.request.write(line(task('first')).slice(0, 20));
    await delay(50);
    stream.request.write(line(task('first')).slice(20) + line(task('second')).slice(0, 5));
    await eventually(() => expect(stream.lines).toHaveLength(1));
    expect(stream.lines[0]).toMatchObject({ externalId: 'first', result: 'created' });
    expect(await openTasks(source)).toHaveLength(1);
    stream.request.end(line(task('second')).slice(5));
    await stream.ended;
    expect(stream.lines.at(-1)).toEqual(sums({ created: 2 }));
  });

  it('refuses lines that cannot be read one by one, and skips blank ones', async () => {
    const source = await newSource();
    const body = Buffer.concat([
      Buffer.from(`\r\n  \n${line(task('fine'))}{"externalId":"x"\n7\n`),
      Buffer.from([0xff, 0xfe, 10]),
      Buffer.from(`{"externalId":"twice","title":"a","title":"b"}\n`),
      Buffer.from(`${line(task('long', { description: 'x'.repeat(110_000) }))}`),
      Buffer.from(`{"externalId":"nul","title":"\\u0000"}\r\n${JSON.stringify(task('last'))}`),
    ]);
    const lines = await send(source, body);
    const refused = (name: string, message: string) => ({
      externalId: null,
      result: 'refused',
      uri: null,
      fields: [{ name, message }],
      unknown: [],
      inactive: [],
      ignored: [],
    });
    const notJson = refused('body', 'is not valid JSON in UTF-8');
    expect(lines).toEqual([
      expect.objectContaining({ externalId: 'fine', result: 'created' }),
      notJson,
      refused('body', 'must be a JSON object'),
      notJson,
      refused('title', 'is given more than once'),
      refused('body', 'is longer than 100 KiB'),
      refused('title', 'the character NUL is not allowed'),
      expect.objectContaining({ externalId: 'last', result: 'created' }),
      sums({ created: 2, refused: 6 }),
    ]);
  });

  it('is an ordinary error before the first line: guests, other accounts, parameters and Accept', async () => {
    const source = await newSource();
    const status = async (parameters: Record<string, string>, options: object = {}) => {
      const stream = open(parameters, options);
      stream.request.write(line(task('never')));
      await stream.ended;
      return [stream.status(), stream.headers().connection];
    };
    expect(await status({ source }, { token: 'nobody' })).toEqual([401, 'close']);
    expect(await status({ source }, { token: writing.bruno })).toEqual([400, 'close']);
    expect(await status({ source, allOrNone: 'true' })).toEqual([400, 'close']);
    const accept = { headers: { Accept: 'application/x-ndjson;q=0' } };
    expect(await status({ source }, accept)).toEqual([406, 'close']);
    const coded = { headers: { 'Content-Encoding': 'gzip' } };
    expect(await status({ source }, coded)).toEqual([415, 'close']);
    expect(await openTasks(source)).toEqual([]);
  });

  it('cancels with a snapshot what the whole stream does not contain, and only once it is whole', async () => {
    const source = await newSource();
    const items = Array.from({ length: 1_200 }, (_, at) =>
      task(`s-${String(at).padStart(4, '0')}`),
    );
    await send(source, items.map(line).join(''));
    const broken = open({ source, snapshot: 'true' });
    const changed = items.slice(0, 3).map((item) => ({ ...item, priority: 1 }));
    broken.request.write(changed.map(line).join(''));
    await eventually(() => expect(broken.lines).toHaveLength(3));
    broken.request.destroy();
    await broken.ended;
    expect(await openTasks(source)).toHaveLength(1_200);
    const dry = await send(source, items.slice(100).map(line).join(''), {
      snapshot: 'true',
      dryRun: 'true',
    });
    expect(dry.at(-1)).toEqual(sums({ stored: false, unchanged: 1_100, cancelled: 100 }));
    expect(await openTasks(source)).toHaveLength(1_200);
    for (const empty of ['', '\n']) {
      const none = await send(source, empty, { snapshot: 'true', dryRun: 'true' });
      expect(none).toEqual([sums({ stored: false, cancelled: 1_200 })]);
    }
    const braked = await send(source, line(items[0]), { snapshot: 'true' });
    expect(braked.at(-1)).toEqual({
      code: 409,
      message:
        'The snapshot would cancel 1199 of 1200 open tasks, more than 20 %: send force=true to cancel them',
    });
    const whole = await send(source, items.slice(100).map(line).join(''), { snapshot: 'true' });
    expect(whole.at(-1)).toEqual(sums({ unchanged: 1_100, cancelled: 100 }));
    expect(await openTasks(source)).toHaveLength(1_100);
  });

  it('refuses a snapshot of more than 200,000 open tasks, until some have ended', async () => {
    const source = await newSource();
    await server.database.query(
      `INSERT INTO tasks (title, application_id, source_id, external_id)
        SELECT 'Task', a.id, s.id, 'many-' || n FROM sources s, applications a, generate_series(1, 200001) AS n
        WHERE s.reference = $1 AND a.reference = 'LEAVE'`,
      [source],
    );
    const item = task('many-1', { title: 'New' });
    const refused = open({ source, snapshot: 'true' });
    refused.request.end(line(item));
    await refused.ended;
    const tooMany = {
      code: 409,
      message:
        'The source has more than 200000 open tasks, too many for a snapshot: without snapshot=true, push those that have ended with their status',
    };
    expect([refused.status(), refused.lines]).toEqual([409, [tooMany]]);
    const path = `/api/v2/process/tasks?source=${source}&snapshot=true`;
    const whole = await writing.call('PUT', path, [item], { token: writing.engine });
    expect([whole.status, whole.body]).toEqual([409, tooMany]);
    expect((await send(source, line(task('many-2', { status: 'done' })))).at(-1)).toEqual(
      sums({ updated: 1 }),
    );
    expect((await send(source, line(item), { snapshot: 'true' })).at(-1)).toEqual({
      code: 409,
      message:
        'The snapshot would cancel 199999 of 200000 open tasks, more than 20 %: send force=true to cancel them',
    });
  }, 300_000);

  it('cancels with a snapshot nothing that another push has created or changed since it began', async () => {
    const source = await newSource();
    await send(source, ['in', 'changed', 'gone'].map((id) => line(task(id))).join(''));
    const snapshot = open({ source, snapshot: 'true', force: 'true' });
    snapshot.request.write(line(task('in')));
    await eventually(() => expect(snapshot.lines).toHaveLength(1));
    await send(source, line(task('new')) + line(task('changed', { priority: 1 })));
    snapshot.request.end();
    expect(await snapshot.ended).toBe('end');
    expect(snapshot.lines.at(-1)).toEqual(sums({ unchanged: 1, cancelled: 1 }));
    const left = (await openTasks(source)).map(({ externalId }) => externalId);
    expect(left).toEqual(['changed', 'in', 'new']);
  });

  it('keeps what has been answered when the client breaks off, and takes the rest later', async () => {
    const source = await newSource();
    const stream = open({ source });
    stream.request.write(line(task('kept')));
    await eventually(() => expect(stream.lines).toHaveLength(1));
    stream.request.write('{"externalId":"half');
    stream.request.destroy();
    await stream.ended;
    expect((await openTasks(source)).map(({ externalId }) => externalId)).toEqual(['kept']);
    const lines = await send(source, [task('kept'), task('half')].map(line).join(''));
    expect(lines.at(-1)).toEqual(sums({ created: 1, unchanged: 1 }));
  });

  it('survives a client that leaves while a whole batch is stored', async () => {
    const source = await newSource();
    const rejections: unknown[] = [];
    const note = (reason: unknown) => rejections.push(reason);
    process.on('unhandledRejection', note);
    await beginTransaction(server);
    await server.database.query('SELECT FROM sources WHERE reference = $1 FOR UPDATE', [source]);
    const stream = open({ source });
    const batch = Array.from({ length: 500 }, (_, at) => line(task(`whole-${at}`)));
    stream.request.write(batch.join(''));
    await untilWaitsForLock(server);
    stream.request.destroy();
    await stream.ended;
    // The server learns of it while the batch is still being stored.
    await delay(300);
    await server.database.query('ROLLBACK');
    const lines = await send(source, line(task('after')));
    expect(lines.at(-1)).toEqual(sums({ created: 1 }));
    process.off('unhandledRejection', note);
    expect(rejections).toEqual([]);
  });

  it('ends with a 400 when the database cannot store what it is given', async () => {
    const source = await newSource();
    await server.database.query(
      "ALTER TABLE tasks ADD CONSTRAINT no_such_title CHECK (title <> 'Impossible')",
    );
    const items = [task('kept'), task('lost', { title: 'Impossible' })];
    const stream = open({ source });
    stream.request.write(line(items[0]));
    await eventually(() => expect(stream.lines).toHaveLength(1));
    stream.request.write(line(items[1]));
    expect(await stream.ended).toBe('end');
    expect(stream.lines.at(-1)).toMatchObject({ code: 400, fields: [{ name: 'request' }] });
    await server.database.query('ALTER TABLE tasks DROP CONSTRAINT no_such_title');
  });

  it('ends with an error when the token ends', async () => {
    const source = await newSource();
    const token = await server.signIn('process.engine');
    const stream = open({ source }, { token });
    stream.request.write(line(task('before')));
    await eventually(() => expect(stream.lines).toHaveLength(1));
    await server.call('/api/v2/authentication', { method: 'DELETE', token });
    stream.request.write(line(task('after')));
    await stream.ended;
    expect(stream.lines.at(-1)).toMatchObject({ code: 401 });
    expect(await openTasks(source)).toHaveLength(1);
  });

  it('is a 429 beside three others of the same account, and not for another one', async () => {
    const source = await newSource();
    const three = [1, 2, 3].map(() => open({ source }));
    for (const { request } of three) request.write(line(task('held')));
    await eventually(() => expect(three.map(({ status }) => status())).toEqual([200, 200, 200]));
    const fourth = open({ source });
    fourth.request.end();
    await fourth.ended;
    expect([fourth.status(), fourth.headers()['retry-after'], fourth.lines]).toEqual([
      429,
      '5',
      [{ code: 429, message: 'Too many requests: an account may push 3 streams at once' }],
    ]);
    const other = open({ source }, { token: writing.admin });
    other.request.end();
    expect([await other.ended, other.status()]).toEqual(['end', 200]);
    for (const { request } of three) request.end();
    await Promise.all(three.map(({ ended }) => ended));
  });

  it('ends with a 408 when only blank lines come', async () => {
    const stream = open({ source: await newSource() });
    stream.request.write(line(task('one')));
    const blanks = setInterval(() => stream.request.write('\n'), 1_000);
    await stream.ended;
    clearInterval(blanks);
    expect(stream.lines.map((one) => one.result ?? one.code)).toEqual(['created', 408]);
  });

  it('takes longer than any other request may', async () => {
    const source = await newSource();
    const stream = open({ source });
    const started = performance.now();
    let sent = 0;
    // Node checks every few seconds for requests that have taken more than ten.
    while (performance.now() - started < 16_000) {
      stream.request.write(line(task(`slow-${sent++}`)));
      await delay(1_000);
    }
    stream.request.end();
    expect(await stream.ended).toBe('end');
    expect(stream.lines.at(-1)).toEqual(sums({ created: sent }));
  });

  it('takes no more of a body than a client reads answers', async () => {
    const source = await newSource();
    const stream = open({ source });
    stream.request.on('response', (response) => response.pause());
    const titles = 'y'.repeat(200);
    let written = 0;
    const write = (): boolean => {
      const items = Array.from({ length: 500 }, () =>
        task(`p-${String(written++).padStart(7, '0')}`, { title: titles, unknownAttribute: 1 }),
      );
      return stream.request.write(items.map(line).join(''));
    };
    const deadline = performance.now() + 60_000;
    let full = 0;
    // Refused lines answer more than they take. Nothing drains for a second: everybody waits.
    while (full < 10 && performance.now() < deadline) {
      if (write()) full = 0;
      else {
        const drained = await Promise.race([
          new Promise((resolve) => stream.request.once('drain', () => resolve(true))),
          delay(1_000),
        ]);
        if (drained === undefined) break;
        full++;
      }
      if (full >= 10) full = 0;
    }
    expect(performance.now()).toBeLessThan(deadline);
    expect(written).toBeLessThan(200_000);
    stream.request.destroy();
    await stream.ended;
  });
});
