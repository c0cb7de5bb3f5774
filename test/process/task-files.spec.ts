import { createHash, randomBytes } from 'node:crypto';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Housekeeping } from '../../src/database/housekeeping.js';
import { USER_STATUS } from '../../src/security/user-status.js';
import { eventually } from '../support/eventually.js';
import { idOf } from '../support/id-of.js';
import { readRaw } from '../support/raw.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** Files of tasks (docs/api-contract.md#files-of-tasks). */

const TASKS = '/api/v2/process/tasks';
const OCTETS = { 'Content-Type': 'application/octet-stream' };
const MEBIBYTE = 2 ** 20;

let writing: WritingServer;
let call: WritingServer['call'];
let outsider: string;
beforeAll(async () => {
  writing = await startWritingServer();
  ({ call } = writing);
  outsider = await writing.server.signIn('chloe.lefevre');
  await writing.server.database.query(
    `INSERT INTO parameters (key, value) VALUES ('security.Throttle.writes', '1000')`,
  );
});
afterAll(() => writing.close());

const make = async (more: object = {}): Promise<string> =>
  (
    await writing.create(TASKS, {
      title: 'Order chairs',
      application: 'EXPENSES',
      assignee: 'bruno.keller',
      ...more,
    })
  ).id;
const add = (id: string, name: string, content: Buffer, token = writing.bruno) =>
  writing.server.call(`${TASKS}/${id}/files?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    token,
    headers: OCTETS,
    body: content,
  });
const list = async (id: string, token = writing.bruno) =>
  (await call('GET', `${TASKS}/${id}/files`, undefined, { token })).body as unknown[];
const added = async (id: string, name: string, content: Buffer): Promise<string> => {
  const { status, body, text } = await add(id, name, content);
  expect([status, text]).toEqual([201, expect.anything()]);
  return body.id as string;
};
/** Downloads a file as it is sent. */
const download = (
  id: string,
  fileId: string,
  headers: Record<string, string> = {},
  method = 'GET',
) =>
  fetch(`http://127.0.0.1:${writing.server.port}${TASKS}/${id}/files/${fileId}`, {
    method,
    headers: { 'X-AUTHENTICATION-KEY': writing.bruno, ...headers },
  });
const setLimit = async (key: string, value: number) => {
  await writing.server.database.query(
    `INSERT INTO parameters (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = $2`,
    [`tasks.files.${key}`, String(value)],
  );
};

/** A request that announces more than it sends. */
const begin = (
  id: string,
  token: string,
  sent: number,
  length = 9 * MEBIBYTE,
): Promise<net.Socket> =>
  new Promise((resolve) => {
    const socket = net.connect(writing.server.port, '127.0.0.1', () => {
      socket.write(
        `POST ${TASKS}/${id}/files?name=a HTTP/1.1\r\nHost: 127.0.0.1\r\nX-AUTHENTICATION-KEY: ${token}\r\n` +
          `Content-Type: application/octet-stream\r\nContent-Length: ${length}\r\n\r\n`,
      );
      socket.write(Buffer.alloc(sent), () => resolve(socket));
    });
    socket.on('error', () => undefined);
  });
const unfinished = async (): Promise<{ files: number; pieces: number }> => {
  const [row] = await writing.server.database.query<{ files: number; pieces: number }>(
    `SELECT count(DISTINCT f.id)::int AS files, count(p.file_id)::int AS pieces
     FROM task_files f LEFT JOIN task_file_pieces p ON p.file_id = f.id WHERE NOT f.stored`,
  );
  return row!;
};
/** The first answer to a raw request. */
const answerTo = (socket: net.Socket): Promise<ReturnType<typeof readRaw>> =>
  new Promise((resolve) => {
    let text = '';
    socket.on('data', (data) => {
      text += data.toString('latin1');
      if (text.includes('\r\n\r\n{')) resolve(readRaw(text));
    });
  });
/** Moves the clock of the server on, by milliseconds. */
const letPass = (time: number): void => {
  const { performance } = globalThis;
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + time);
};
afterEach(() => {
  jest.restoreAllMocks();
});

describe('files of a task', () => {
  it('can be added, listed, downloaded byte for byte and deleted by people who see the task', async () => {
    const id = await make();
    const content = randomBytes(700_001);
    const before = await call('GET', `${TASKS}/${id}`);
    const { status, body } = await add(id, 'Offer № 1 "é".pdf', content);
    const file = {
      id: expect.stringMatching(/^\d+$/) as unknown,
      name: 'Offer № 1 "é".pdf',
      size: 700_001,
      author: expect.objectContaining({ reference: 'bruno.keller' }) as unknown,
      creationDate: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
    };
    expect([status, body]).toEqual([201, file]);
    expect(await list(id)).toEqual([file]);
    const answer = await download(id, body.id as string);
    const received = Buffer.from(await answer.arrayBuffer());
    expect(received.equals(content)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '700001',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': `attachment; filename="Offer No 1 _e_.pdf"; filename*=UTF-8''Offer%20%E2%84%96%201%20%22%C3%A9%22.pdf`,
      etag: `"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"`,
    });
    const etag = answer.headers.get('ETag')!;
    expect((await download(id, body.id as string, { 'If-None-Match': etag })).status).toBe(304);
    // Engines hear of it by the revision.
    expect((await call('GET', `${TASKS}/${id}`)).headers.etag).not.toBe(before.headers.etag);
    const one = `${TASKS}/${id}/files/${body.id as string}`;
    expect((await call('DELETE', one, undefined, { token: writing.bruno })).status).toBe(204);
    expect(await list(id)).toEqual([]);
    expect((await download(id, body.id as string)).status).toBe(404);
  });

  it('do not exist for others, and belong to their task', async () => {
    const [id, other] = [await make(), await make()];
    const fileId = await added(id, 'a.txt', Buffer.from('a'));
    expect((await add(id, 'b.txt', Buffer.from('b'), outsider)).status).toBe(404);
    for (const path of [`${id}/files`, `${id}/files/${fileId}`])
      expect((await call('GET', `${TASKS}/${path}`, undefined, { token: outsider })).status).toBe(
        404,
      );
    expect((await download(other, fileId)).status).toBe(404);
    expect((await call('DELETE', `${TASKS}/${other}/files/${fileId}`)).status).toBe(404);
    expect(await list(id)).toHaveLength(1);
  });

  it('can be deleted only by the person who added them, and by administrators', async () => {
    const id = await make({ assignee: 'alice.martin', candidates: ['bruno.keller'] });
    const theirs = await add(id, 'a.txt', Buffer.from('a'), writing.admin);
    const path = `${TASKS}/${id}/files/${theirs.body.id as string}`;
    const refused = await call('DELETE', path, undefined, { token: writing.bruno });
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'Only the person who added a file deletes it, or an administrator',
    ]);
    const mine = await added(id, 'b.txt', Buffer.from('b'));
    expect((await call('DELETE', `${TASKS}/${id}/files/${mine}`)).status).toBe(204);
  });

  it('can be added only to open tasks, by people and by the service account of the source', async () => {
    const source = {
      label: 'Files',
      reference: 'FILES',
      serviceAccount: 'alice.martin',
      applications: ['EXPENSES'],
    };
    await writing.create('/api/v2/process/sources', source);
    const id = await make({ source: 'FILES' });
    const foreign = await add(id, 'a.txt', Buffer.from('a'), writing.engine);
    expect([foreign.status, foreign.body.message]).toEqual([
      403,
      'Only the service account of its source may write this task',
    ]);
    expect((await add(await make(), 'a.txt', Buffer.from('a'), writing.engine)).status).toBe(201);
    const fileId = await added(id, 'b.txt', Buffer.from('b'));
    await call('PATCH', `${TASKS}/${id}`, [{ op: 'replace', path: '/status', value: 'done' }]);
    const late = await add(id, 'c.txt', Buffer.from('c'));
    expect([late.status, late.body.message]).toEqual([409, 'The task is not open any more']);
    expect(await (await download(id, fileId)).text()).toBe('b');
  });

  it('are refused with a bad name, without content and of another type', async () => {
    const id = await make();
    const fault =
      'must be the name of a file: at most 200 characters, no slashes, control or invisible characters';
    for (const [name, message] of [
      ['', 'is required'],
      ['../a', fault],
      ['a\\b', fault],
      ['..', fault],
      [' a', fault],
      ['a\u202egpj.exe', fault],
      ['a\u061cgpj.exe', fault],
      ['a\u200b', fault],
      ['a\nb', fault],
      ...[0x2060, 0x200c, 0x200d, 0x180e, 0xe0041, 0x3164, 0xfff9, 0x206a, 0xfe0f].map(
        (code) => [`a${String.fromCodePoint(code)}b`, fault] as const,
      ),
      ['x'.repeat(201), fault],
    ] as const) {
      const { status, body } = await add(id, name, Buffer.from('a'));
      expect([name, status, body.fields]).toEqual([name, 400, [{ name: 'name', message }]]);
    }
    const empty = await add(id, 'a', Buffer.alloc(0));
    expect([empty.status, empty.body.fields]).toEqual([
      400,
      [{ name: 'body', message: 'must not be empty' }],
    ]);
    const typed = await call('POST', `${TASKS}/${id}/files?name=a`, { a: 1 });
    expect(typed.status).toBe(415);
    expect(await list(id)).toEqual([]);
  });

  it.each([
    [
      'emoji',
      '\u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u2764\ufe0f\u200d\u{1f525} \u{1f469}\u{1f3fd}\u200d\u{1f4bb} 1\ufe0f\u20e3.png',
    ],
    ['a flag', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}.png'],
    ['a Persian word', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645.txt'],
    ['a Hindi word', '\u0915\u094d\u200d\u0937.txt'],
    ['a variant of a Chinese character', '\u845b\u{e0100}.txt'],
  ])('have invisible characters where their script needs them: %s', async (_, name) => {
    const { status, body } = await add(await make(), name, Buffer.from('a'));
    expect([status, body.name]).toEqual([201, name]);
  });

  it('are limited in size, in number and together, also where the size is not announced', async () => {
    const id = await make();
    await setLimit('size', 1);
    await setLimit('count', 3);
    await setLimit('total', 2);
    await eventually(async () => {
      const { status, body } = await add(id, 'big', Buffer.alloc(MEBIBYTE + 1));
      expect([status, body.message]).toEqual([413, 'The body is too large; at most 1 MiB']);
    });
    const chunked = await fetch(
      `http://127.0.0.1:${writing.server.port}${TASKS}/${id}/files?name=big`,
      {
        method: 'POST',
        headers: { 'X-AUTHENTICATION-KEY': writing.bruno, ...OCTETS },
        body: new ReadableStream({
          start: (controller) => {
            for (let at = 0; at < 17; at++) controller.enqueue(new Uint8Array(64 * 1024));
            controller.close();
          },
        }),
        duplex: 'half',
      },
    );
    expect(chunked.status).toBe(413);
    expect(await list(id)).toEqual([]);
    await added(id, 'whole', Buffer.alloc(MEBIBYTE));
    await added(id, 'half', Buffer.alloc(MEBIBYTE / 2));
    const third = await add(id, 'whole', Buffer.alloc(MEBIBYTE));
    expect([third.status, third.body.message]).toEqual([
      409,
      'The files of a task can have at most 2 MiB together',
    ]);
    const small = Buffer.from('a');
    // One that was let in finds no room when it has arrived, because another was faster.
    let answer = '';
    const slow = net.connect(writing.server.port, '127.0.0.1');
    slow.on('data', (data) => (answer += data.toString('latin1')));
    slow.write(
      `POST ${TASKS}/${id}/files?name=slow HTTP/1.1\r\nHost: 127.0.0.1\r\nX-AUTHENTICATION-KEY: ${writing.bruno}\r\n` +
        `Content-Type: application/octet-stream\r\nContent-Length: 2\r\n\r\na`,
    );
    await eventually(async () => {
      const rows = await writing.server.database.query(
        `SELECT 1 FROM task_files WHERE name = 'slow'`,
      );
      expect(rows).toHaveLength(1);
    });
    await added(id, 'fast', small);
    slow.write('b');
    await eventually(() => expect(answer).toContain('\r\n\r\n{'));
    expect(readRaw(answer)).toMatchObject({
      status: 409,
      body: { message: 'A task can have at most 3 files' },
    });
    slow.destroy();
    expect((await add(id, 'c', small)).body.message).toBe('A task can have at most 3 files');
    const [{ count }] = (await writing.server.database.query(
      'SELECT count(*)::int FROM task_files WHERE NOT stored',
    )) as [{ count: number }];
    expect(count).toBe(0);
    await writing.server.database.query(`DELETE FROM parameters WHERE key LIKE '%tasks.files%'`);
    await eventually(async () => expect((await add(id, 'd', small)).status).toBe(201));
  });

  it('count for the daily limit of a person, even if deleted or aborted', async () => {
    const { database } = writing.server;
    await setLimit('perDay', 3);
    const inADay = {
      code: 409,
      message: 'A person can send at most 3 MiB of files in a day',
    };
    const [id, other] = [await make(), await make()];
    const half = Buffer.alloc(MEBIBYTE / 2);
    try {
      await database.query('DELETE FROM task_file_senders');
      await eventually(async () => {
        await add(id, 'a', Buffer.alloc(3 * MEBIBYTE));
        const { status, body } = await add(id, 'b', Buffer.alloc(1));
        expect([status, body]).toEqual([409, inADay]);
      });
      // Another day.
      await database.query(`UPDATE task_file_senders SET day = day - 1`);
      for (let time = 0; time < 2; time++) {
        const fileId = await added(id, 'again', half);
        const one = `${TASKS}/${id}/files/${fileId}`;
        expect((await call('DELETE', one, undefined, { token: writing.bruno })).status).toBe(204);
      }
      // One that breaks off counts as far as it came.
      const broken = await begin(other, writing.bruno, MEBIBYTE / 2, MEBIBYTE);
      await eventually(async () => expect((await unfinished()).pieces).toBe(2));
      broken.destroy();
      await eventually(async () => expect((await unfinished()).files).toBe(0));
      // Of three that arrive together, a third does not fit, whether its size is announced or not.
      const answers = await Promise.all(
        [true, true, false].map((isAnnounced) =>
          isAnnounced
            ? add(other, 'at once', half)
            : fetch(`http://127.0.0.1:${writing.server.port}${TASKS}/${other}/files?name=c`, {
                method: 'POST',
                headers: { 'X-AUTHENTICATION-KEY': writing.bruno, ...OCTETS },
                body: new ReadableStream({
                  start: (controller) => {
                    for (let at = 0; at < 17; at++) controller.enqueue(new Uint8Array(64 * 1024));
                    controller.close();
                  },
                }),
                duplex: 'half',
              }),
        ),
      );
      expect(answers.filter(({ status }) => status === 409).length).toBeGreaterThan(0);
      const [row] = await database.query<{ bytes: string }>(
        'SELECT bytes FROM task_file_senders WHERE user_id = (SELECT id FROM users WHERE login = $1)',
        ['bruno.keller'],
      );
      expect(Number(row!.bytes)).toBeLessThanOrEqual(3 * MEBIBYTE);
      // Administrators and process engines send any number.
      expect((await add(id, 'admin', Buffer.alloc(4 * MEBIBYTE), writing.admin)).status).toBe(201);
    } finally {
      await database.query(`DELETE FROM parameters WHERE key LIKE '%tasks.files%'`);
      await database.query('DELETE FROM task_file_senders');
      await eventually(async () => expect((await add(id, 'd', half)).status).toBe(201));
    }
  });

  it('share an exact limit over all tasks, even when many arrive at once', async () => {
    const { database } = writing.server;
    const sizes = () =>
      database.query<{ counted: string; stored: string }>(
        `SELECT (SELECT sum(bytes) FROM task_file_bytes)::text AS counted,
          (SELECT coalesce(sum(size), 0) FROM task_files WHERE stored)::text AS stored`,
      );
    const tasks = await Promise.all(Array.from({ length: 6 }, () => make()));
    await database.query('DELETE FROM task_files');
    await setLimit('stored', 2);
    const together = {
      code: 409,
      message: 'The files of all tasks can have at most 2 MiB together',
    };
    try {
      await eventually(async () => {
        const { status, body } = await add(tasks[0]!, 'large', Buffer.alloc(3 * MEBIBYTE));
        expect([status, body]).toEqual([409, together]);
        await database.query('DELETE FROM task_files');
      });
      const large = Buffer.alloc(MEBIBYTE * 0.6);
      const tokens = [writing.bruno, writing.admin];
      const answers = await Promise.all(
        tasks.map((id, at) => add(id, 'at once', large, tokens[at % 2])),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409]);
      for (const { status, body } of answers) if (status === 409) expect(body).toEqual(together);
      const kept = String(3 * large.length);
      expect(await sizes()).toEqual([{ counted: kept, stored: kept }]);
      const full = answers.findIndex(({ status }) => status === 201);
      expect((await call('DELETE', `${TASKS}/${tasks[full]!}`)).status).toBe(204);
      const rest = String(2 * large.length);
      expect(await sizes()).toEqual([{ counted: rest, stored: rest }]);
      const free = answers.findIndex(({ status }) => status === 409);
      expect((await add(tasks[free]!, 'later', large)).status).toBe(201);
    } finally {
      await database.query(`DELETE FROM parameters WHERE key LIKE '%tasks.files%'`);
    }
  });

  it('are in the history of the task, and go with it', async () => {
    const id = await make();
    const fileId = await added(id, 'a.pdf', Buffer.from('a'));
    await call('DELETE', `${TASKS}/${id}/files/${fileId}`);
    const { body } = await call('GET', `${TASKS}/${id}/history`);
    expect(body.map(({ kind, file }: Record<string, unknown>) => [kind, file])).toEqual([
      ['created', null],
      ['attached', 'a.pdf'],
      ['detached', 'a.pdf'],
    ]);
    await added(id, 'b.pdf', Buffer.from('b'));
    expect((await call('DELETE', `${TASKS}/${id}`)).status).toBe(204);
    const pieces = await writing.server.database.query(
      'SELECT 1 FROM task_file_pieces p JOIN task_files f ON f.id = p.file_id WHERE f.task_id = $1',
      [id],
    );
    expect(pieces).toEqual([]);
  });

  it('break the connection when a user deletes them during the download', async () => {
    const id = await make();
    const fileId = await added(id, 'large', randomBytes(9 * MEBIBYTE));
    const { body } = await download(id, fileId);
    const reader = body!.getReader();
    await reader.read();
    await writing.server.database.query('DELETE FROM task_files WHERE id = $1', [fileId]);
    const readOn = async (): Promise<void> => {
      while (!(await reader.read()).done);
    };
    await expect(readOn()).rejects.toThrow('terminated');
  });
});

describe('files that arrive', () => {
  it('are stored piece by piece, three of a person at once, and nothing stays of one that breaks off', async () => {
    const id = await make();
    const sockets = await Promise.all([1, 2, 3].map(() => begin(id, writing.bruno, 2 * MEBIBYTE)));
    // All but the last piece of each is out of the memory before the body has arrived.
    await eventually(async () => expect(await unfinished()).toEqual({ files: 3, pieces: 24 }));
    expect(await list(id)).toEqual([]);
    const fourth = await add(id, 'b', Buffer.from('b'));
    expect([fourth.status, fourth.body.message, fourth.headers['retry-after']]).toEqual([
      429,
      'Too many requests: a person may send 3 files at once',
      '5',
    ]);
    expect((await add(id, 'b', Buffer.from('b'), writing.admin)).status).toBe(201);
    for (const socket of sockets) socket.destroy();
    await eventually(async () => expect(await unfinished()).toEqual({ files: 0, pieces: 0 }));
    await eventually(async () => expect((await add(id, 'c', Buffer.from('c'))).status).toBe(201));
  });

  it('leave no place taken by a client that leaves during the checks', async () => {
    const id = await make();
    for (let n = 0; n < 12; n++) {
      const socket = await begin(id, writing.bruno, 3);
      await delay(n % 4);
      socket.destroy();
    }
    await eventually(async () => expect(await unfinished()).toEqual({ files: 0, pieces: 0 }));
    await eventually(async () => expect((await add(id, 'c', Buffer.from('c'))).status).toBe(201));
  });

  it('are refused before they arrive without a valid token', async () => {
    const socket = await begin(await make(), 'x'.repeat(43), 1);
    const text = await new Promise<string>((resolve) => {
      let all = '';
      socket.on('data', (data) => (all += data.toString('latin1')));
      socket.on('close', () => resolve(all));
    });
    expect(readRaw(text).status).toBe(401);
  });

  it('are broken off where they are slower than 16 KiB a second after a minute', async () => {
    const id = await make();
    const steady = await begin(id, writing.bruno, 2 * MEBIBYTE, 2 * MEBIBYTE + 1);
    await eventually(async () => expect(await unfinished()).toEqual({ files: 1, pieces: 8 }));
    const slow = await begin(id, writing.bruno, 1);
    await eventually(async () => expect(await unfinished()).toEqual({ files: 2, pieces: 8 }));
    letPass(120_000);
    await eventually(() => expect(slow.closed).toBe(true));
    await eventually(async () => expect(await unfinished()).toEqual({ files: 1, pieces: 8 }));
    const answer = answerTo(steady);
    steady.write('b');
    expect((await answer).status).toBe(201);
  });

  it('are kept by housekeeping for as long as pieces arrive', async () => {
    const id = await make();
    const socket = await begin(id, writing.bruno, 0, MEBIBYTE);
    await eventually(async () => expect(await unfinished()).toEqual({ files: 1, pieces: 0 }));
    await writing.server.database.query(
      `UPDATE task_files SET date = now() - interval '2 hours' WHERE NOT stored`,
    );
    socket.write(Buffer.alloc(MEBIBYTE / 2));
    await eventually(async () => expect(await unfinished()).toEqual({ files: 1, pieces: 2 }));
    await writing.server.app.get(Housekeeping).run();
    const answer = answerTo(socket);
    socket.write(Buffer.alloc(MEBIBYTE / 2));
    expect((await answer).status).toBe(201);
  });

  it.each([
    ['whose last piece is full', MEBIBYTE / 4],
    ['whose last piece is small', 2],
  ])('are a 404 when a user deletes the task meanwhile: %s', async (_, length) => {
    const id = await make();
    const socket = await begin(id, writing.bruno, length / 2, length);
    await eventually(async () => expect(await unfinished()).toEqual({ files: 1, pieces: 0 }));
    expect((await call('DELETE', `${TASKS}/${id}`)).status).toBe(204);
    const answer = answerTo(socket);
    socket.write(Buffer.alloc(length / 2));
    expect(await answer).toMatchObject({ status: 404, body: { code: 404 } });
  });

  it('are no error of the server where the client breaks off', async () => {
    const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const id = await make();
    const socket = await begin(id, writing.bruno, 1);
    await eventually(async () => expect(await unfinished()).toEqual({ files: 1, pieces: 0 }));
    socket.destroy();
    await eventually(async () => expect(await unfinished()).toEqual({ files: 0, pieces: 0 }));
    // The place is free once the request has ended.
    expect((await add(id, 'b', Buffer.from('b'))).status).toBe(201);
    expect(errors).not.toHaveBeenCalled();
  });

  it('may spell their media type in capitals', async () => {
    const { status } = await writing.server.call(`${TASKS}/${await make()}/files?name=a`, {
      method: 'POST',
      token: writing.bruno,
      headers: { 'Content-Type': 'Application/Octet-Stream' },
      body: Buffer.from('a'),
    });
    expect(status).toBe(201);
  });
});

describe('files that are read', () => {
  /** A download of which nothing is read but its beginning. */
  const stall = async (id: string, fileId: string, token = writing.bruno): Promise<net.Socket> => {
    const socket = net.connect(writing.server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      `GET ${TASKS}/${id}/files/${fileId} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-AUTHENTICATION-KEY: ${token}\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once('readable', resolve));
    expect(String(socket.read(12))).toBe('HTTP/1.1 200');
    return socket;
  };

  const http = (): net.Server => writing.server.app.getHttpServer();
  const setStatus = async (status: number) => {
    const sophie = await idOf(writing.server, 'users', 'sophie.bohm');
    return call('PATCH', `/api/v2/directory/users/${sophie}`, [
      { op: 'replace', path: '/status', value: status },
    ]);
  };

  it('are six of a person at once, and free their places', async () => {
    const id = await make({ assignee: 'alice.martin', candidates: ['bruno.keller'] });
    const fileId = await added(id, 'large', Buffer.alloc(9 * MEBIBYTE));
    const path = `${TASKS}/${id}/files/${fileId}`;
    const sockets: net.Socket[] = [];
    for (let at = 0; at < 6; at++) sockets.push(await stall(id, fileId));
    const { status, headers, body } = await call('GET', path, undefined, { token: writing.bruno });
    expect([status, body.message, headers['retry-after']]).toEqual([
      429,
      'Too many requests: a person may read 6 files at once',
      '5',
    ]);
    expect(headers['content-disposition']).toBeUndefined();
    expect((await download(id, fileId, {}, 'HEAD')).status).toBe(200);
    expect((await call('GET', path)).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await eventually(async () => {
      const answer = await download(id, fileId);
      await answer.arrayBuffer();
      expect(answer.status).toBe(200);
    });
  });

  it.each([
    [
      'the reader loses the task',
      (id: string) =>
        call('PATCH', `${TASKS}/${id}`, [{ op: 'replace', path: '/candidates', value: [] }]),
    ],
    [
      'the token is revoked',
      (_: string, token: string) => call('DELETE', '/api/v2/authentication', undefined, { token }),
    ],
    ['the reader is deactivated', () => setStatus(USER_STATUS.inactive)],
  ])('end soon after %s', async (_, lose) => {
    const id = await make({ candidates: ['sophie.bohm'] });
    const fileId = await added(id, 'large', Buffer.alloc(9 * MEBIBYTE));
    const token = await writing.server.signIn('sophie.bohm');
    const held = await stall(id, fileId);
    const connected = new Promise<net.Socket>((resolve) => http().once('connection', resolve));
    const lost = await stall(id, fileId, token);
    const sending = await connected;
    expect((await lose(id, token)).status).toBeLessThan(300);
    await eventually(() => expect(sending.destroyed).toBe(true));
    lost.resume();
    await eventually(() => expect(lost.closed).toBe(true));
    expect(lost.bytesRead).toBeLessThan(9 * MEBIBYTE);
    expect(held.closed).toBe(false);
    held.destroy();
    await setStatus(USER_STATUS.active);
  });

  it('are broken off where they are slower than 16 KiB a second after a minute', async () => {
    const id = await make();
    const fileId = await added(id, 'large', Buffer.alloc(9 * MEBIBYTE));
    const sockets: net.Socket[] = [];
    for (let at = 0; at < 6; at++) sockets.push(await stall(id, fileId));
    // Longer than all of it may take.
    letPass(700_000);
    await eventually(async () => {
      const answer = await download(id, fileId);
      await answer.arrayBuffer();
      expect(answer.status).toBe(200);
    });
    for (const socket of sockets) {
      socket.resume();
      await eventually(() => expect(socket.closed).toBe(true));
    }
    // The buffers of the operating system may hold all of one.
    const read = sockets.map((socket) => socket.bytesRead);
    expect(Math.min(...read)).toBeLessThan(9 * MEBIBYTE);
  });
});
