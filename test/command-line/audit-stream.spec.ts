import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { makeCertificate } from '../support/certificate.js';
import { useCommandLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { Random } from '../support/random.js';
import { urlOf } from '../support/server-process.js';
import { startSyslogReceiver, type SyslogReceiver } from '../support/syslog-receiver.js';

/** The audit trail as a stream (docs/administrators.md, docs/decisions/0051). */

const served = useCommandLine();
const query = <T extends object>(text: string, values?: unknown[]) =>
  served.server.database.query<T & pg.QueryResultRow>(text, values);

interface Line {
  id: string;
  objectUri: string;
  after: unknown;
}

/** A command that goes on until it is ended. */
interface Running {
  child: ChildProcess;
  out: string;
  error: string;
}

const running: Running[] = [];
afterEach(async () => {
  for (const { child } of running.splice(0)) await kill(child);
});

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

function start(args: string[], env: Record<string, string> = {}): Running {
  const DATABASE_URL = urlOf(served.server.database.connection);
  const child = spawn(process.execPath, ['dist/src/cli.js', 'audit', ...args], {
    env: { ...process.env, DATABASE_URL, ...env },
  });
  const started: Running = { child, out: '', error: '' };
  child.stdout.on('data', (chunk: Buffer) => (started.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (started.error += chunk.toString()));
  running.push(started);
  return started;
}

const lastId = async (): Promise<string> =>
  (await query<{ id: string }>('SELECT coalesce(max(id), 0)::text AS id FROM audit'))[0]!.id;

const idsAfter = async (after: string): Promise<string[]> =>
  (
    await query<{ id: string }>('SELECT id::text FROM audit a WHERE a.id > $1 ORDER BY a.id', [
      after,
    ])
  ).map(({ id }) => id);

const insert = (uri: string, after: unknown = null) =>
  query(`INSERT INTO audit (action, object_uri, after) VALUES ('seed', $1, $2)`, [
    uri,
    JSON.stringify(after),
  ]);

/** The lines of whole rows of JSON. */
const linesOf = (out: string): Line[] =>
  out
    .slice(0, out.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1)
    .map((row) => JSON.parse(row) as Line);

const idsOf = (out: string): string[] => linesOf(out).map(({ id }) => id);

/** Transactions that write lines, some of them slow, some rolled back, some through a savepoint. */
async function write(transactions: number, random: Random): Promise<void> {
  const client = new pg.Client(served.server.database.connection);
  await client.connect();
  const line = `INSERT INTO audit (action, object_uri) SELECT 'seed', '/many' FROM generate_series(1, $1)`;
  for (let at = 0; at < transactions; at++) {
    await client.query('BEGIN');
    if (random.next() < 0.3) await client.query('SAVEPOINT inner_one');
    await client.query(line, [1 + random.below(3)]);
    if (random.next() < 0.3) await delay(random.below(400));
    await client.query(line, [1]);
    await client.query(random.next() < 0.2 ? 'ROLLBACK' : 'COMMIT');
  }
  await client.end();
}

describe('audit export --follow', () => {
  it('writes every line once and in the order of ids, while many transactions write', async () => {
    const after = await lastId();
    const follower = start(['export', '--follow', '--after', after]);
    await eventually(() => expect(idsOf(follower.out)).toHaveLength(1), 120_000);
    await Promise.all(Array.from({ length: 8 }, (_, at) => write(40, new Random(at))));
    const stored = await idsAfter(after);
    expect(stored.length).toBeGreaterThan(300);
    await eventually(() => expect(idsOf(follower.out).at(-1)).toBe(stored.at(-1)), 120_000);
    expect(idsOf(follower.out)).toEqual(stored);
    follower.child.kill('SIGTERM');
    expect(await once(follower.child, 'exit')).toEqual([0, null]);
    expect(follower.error).toBe('');
  }, 400_000);

  it('waits for a transaction that has drawn an id and is still open', async () => {
    const after = await lastId();
    const slow = new pg.Client(served.server.database.connection);
    await slow.connect();
    await slow.query(`BEGIN; INSERT INTO audit (action, object_uri) VALUES ('seed', '/slow')`);
    await insert('/quick');
    const follower = start(['export', '--follow', '--after', after]);
    await eventually(
      async () => expect((await idsAfter(after)).length).toBeGreaterThan(1),
      120_000,
    );
    await delay(1_500);
    expect(follower.out).toBe('');
    await slow.query('COMMIT');
    await slow.end();
    await eventually(
      () =>
        expect(linesOf(follower.out).map(({ objectUri }) => objectUri)).toEqual([
          '/slow',
          '/quick',
          '/administration/audit',
        ]),
      120_000,
    );
  }, 400_000);

  it.each([
    [['--after', '1'], 2, '--after needs --follow\n'],
    [['--follow', '--after', 'x'], 2, '--after must be the id of a line, or 0\n'],
    [
      ['file.json', '--follow'],
      2,
      '--follow writes JSON lines to standard output, from --after on\n',
    ],
    [
      ['--follow', '--after', '9000000000000000000'],
      1,
      expect.stringMatching(/^the audit trail ends with the id \d+, before 9000000000000000000\n$/),
    ],
  ])('%j fails with one line', async (args, code, error) => {
    expect(await served.run(['audit', 'export', ...args])).toEqual({ code, out: '', error });
  });
});

describe('audit stream', () => {
  const HEADER =
    /^<(\d+)>1 (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) \S+ process-platform - (\S+) - (\{.*\})$/s;

  /** The lines that a receiver got of these objects, in its order. */
  const got = ({ messages }: SyslogReceiver, uri: RegExp): Line[] =>
    messages
      .map((message) => JSON.parse(HEADER.exec(message)![4]!) as Line)
      .filter(({ objectUri }) => uri.test(objectUri));

  it('sends lines of any text as syslog, and loses none by kills and a receiver that is away', async () => {
    const text = `Grüße 😀\n\t"${'ü'.repeat(700)}"`;
    const receiver = await startSyslogReceiver();
    const name = `tcp://127.0.0.1:${receiver.port}`;
    const args = ['stream', name, '--after', await lastId()];
    await insert('/stream/1', { text });
    await query(`INSERT INTO audit (action, object_uri) VALUES ('refuse', '/stream/2')`);
    const first = start(args);
    await eventually(() => expect(got(receiver, /^.stream/)).toHaveLength(2), 120_000);
    expect(got(receiver, /^.stream.1/)[0]!.after).toEqual({ text });
    const [one, two] = receiver.messages;
    expect(one).toMatch(/^[ -~]+$/);
    expect(HEADER.exec(one!)!.slice(1, 4)).toEqual(['110', expect.any(String), 'seed']);
    expect(HEADER.exec(two!)!.slice(1, 4)).toEqual(['108', expect.any(String), 'refuse']);
    expect(receiver.messages).toHaveLength(3);

    // Killed before the receiver has ended the connection: the lines come again.
    receiver.holds = true;
    await insert('/stream/3');
    await eventually(() => expect(receiver.held).toHaveLength(1), 120_000);
    await kill(first.child);
    receiver.holds = false;
    const second = start(args);
    await eventually(() => expect(got(receiver, /^.stream.3/)).toHaveLength(1), 120_000);

    // Another process waits until this one ends.
    const third = start(args);
    await eventually(
      () => expect(third.error).toBe(`${name}: another process sends to it; waiting\n`),
      120_000,
    );

    await receiver.close();
    await insert('/stream/4');
    const refused = `${name}: connect ECONNREFUSED 127.0.0.1:${receiver.port}\n`;
    await eventually(() => expect(second.error).toBe(refused), 120_000);
    await insert('/stream/5');
    const back = await startSyslogReceiver(receiver.port);
    await eventually(() => expect(got(back, /^.stream.5/)).toHaveLength(1), 120_000);
    expect(got(back, /^.stream/).map(({ objectUri }) => objectUri)).toEqual([
      '/stream/4',
      '/stream/5',
    ]);
    expect(second.error).toBe(`${refused}${name}: takes lines again\n`);

    await kill(second.child);
    await insert('/stream/6');
    await eventually(() => expect(got(back, /^.stream.6/)).toHaveLength(1), 120_000);
    third.child.kill('SIGTERM');
    expect(await once(third.child, 'exit')).toEqual([0, null]);
    await back.close();
    const recorded = await query(`SELECT after FROM audit WHERE after->>'receiver' = $1`, [name]);
    expect(recorded).toEqual([{ after: { receiver: name, after: args.at(-1) } }]);
  }, 600_000);

  it('keeps lines that the receiver did not read to the end', async () => {
    const receiver = await startSyslogReceiver();
    const name = `tcp://127.0.0.1:${receiver.port}`;
    receiver.holds = true;
    await insert('/broken');
    start(['stream', name, '--after', String(BigInt(await lastId()) - 1n)]);
    await eventually(() => expect(receiver.held).toHaveLength(1), 120_000);
    receiver.holds = false;
    receiver.held[0]!.resetAndDestroy();
    await eventually(() => expect(got(receiver, /^.broken/)).toHaveLength(1), 120_000);
    await receiver.close();
  }, 400_000);

  it('checks the certificate of a receiver with TLS', async () => {
    const certificate = makeCertificate();
    const folder = mkdtempSync(join(tmpdir(), 'process-platform-audit-'));
    writeFileSync(join(folder, 'ca.pem'), certificate.cert);
    const receiver = await startSyslogReceiver(0, certificate);
    const name = `tls://localhost:${receiver.port}`;
    const args = ['stream', name, '--after', await lastId()];
    await insert('/secret');
    const stranger = start(args);
    await eventually(() => expect(stranger.error).toMatch(/self-signed certificate\n$/), 120_000);
    await kill(stranger.child);
    start(args, { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') });
    await eventually(() => expect(got(receiver, /^.secret/)).toHaveLength(1), 120_000);
    await receiver.close();
    rmSync(folder, { recursive: true });
  }, 400_000);

  it('writes JSON lines to standard output, and goes on where it ended', async () => {
    const args = ['stream', '-', '--after', await lastId()];
    await insert('/log/1');
    const first = start(args);
    await eventually(() => expect(linesOf(first.out)).toHaveLength(2), 120_000);
    first.child.kill('SIGTERM');
    await once(first.child, 'exit');
    await insert('/log/2');
    const second = start(args);
    await eventually(() => expect(linesOf(second.out)).toHaveLength(1), 120_000);
    expect(linesOf(second.out)[0]!.objectUri).toBe('/log/2');
  }, 400_000);

  it.each(['udp://127.0.0.1:514', 'tcp://127.0.0.1', 'tls://a:1/path', 'nowhere'])(
    'refuses the receiver %s',
    async (receiver) => {
      expect(await served.run(['audit', 'stream', receiver])).toEqual({
        code: 2,
        out: '',
        error: 'the receiver must be -, tcp://host:port or tls://host:port\n',
      });
    },
  );
});
