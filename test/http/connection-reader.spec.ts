import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { readConnections } from '../../src/http/connection-reader.js';
import { serializePipelined } from '../../src/http/pipelined-requests.js';
import { beginStream } from '../../src/http/streaming.js';

const GET = 'GET /0 HTTP/1.1\r\nHost: x\r\n\r\n';
const gets = (count: number): string =>
  Array.from({ length: count }, (_, at) => GET.replace('0', String(at))).join('');
const post = (path: string, head: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n${body}`;

/** Most connections of the server. */
const MOST = 40;

let server: Server;
let client: Socket;
/** What the client has received. */
let received: string;
/** How many requests Node has made, and those that were begun. */
let made: number;
let begun: { path: string; response: ServerResponse }[];
/** Whether the handler answers at once. */
let answers: boolean;

beforeEach(async () => {
  [made, begun, answers, received] = [0, [], false, ''];
  server = createServer((request, response) => {
    made++;
    serializePipelined(request, response, () => {
      begun.push({ path: request.url!, response });
      if (answers) request.resume().once('end', () => response.end(`${request.url}\n`));
    });
  });
  server.keepAliveTimeout = 0;
  readConnections(server, MOST);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('data', (data) => (received += data.toString()));
  client.on('error', () => undefined);
});
afterEach(async () => {
  client.destroy();
  server.closeAllConnections();
  await once(server.close(), 'close');
});

const paths = (): string[] => begun.map(({ path }) => path);
/** The bodies that the client has received: the paths of the requests. */
const bodies = (): string[] => received.match(/(?<=\r\n\r\n)\/\w+(?=\n)/g) ?? [];

/** Answers everything from now on, the request that waits for it included. */
function answerAll(): void {
  answers = true;
  for (const { response } of begun) response.end('/first\n');
}

describe('pipelined requests', () => {
  it('wait, one at most, and all are answered in their order', async () => {
    client.write(gets(500));
    await eventually(() => expect(made).toBeGreaterThanOrEqual(2));
    client.write(gets(500));
    await new Promise((done) => setTimeout(done, 100));
    expect([made, paths()]).toEqual([2, ['/0']]);
    answerAll();
    const all = gets(500).match(/\/\d+(?= )/g)!;
    await eventually(() => expect(bodies()).toHaveLength(1000));
    expect(bodies()).toEqual(['/first', ...all.slice(1), ...all]);
  });

  it('are not read from a client that sends without an end', async () => {
    const packet = Buffer.from(GET.repeat(100_000));
    for (let sent = 0; sent < 10; sent++) client.write(packet);
    await eventually(() => expect(made).toBe(2));
    await new Promise((done) => setTimeout(done, 200));
    expect(made).toBe(2);
    expect(client.writableLength).toBeGreaterThan(packet.length);
  });

  it('are read with their bodies, announced or chunked, however the packets are cut', async () => {
    const body = `a\r\n\r\n${GET}`;
    const chunk = `${body.length.toString(16)}\r\n${body}\r\n`;
    const chunked = 'Transfer-Encoding: chunked';
    const both =
      post('/announced', `Content-Length: ${body.length}`, body) +
      post('/chunked', chunked, `${chunk}${chunk}0\r\n\r\n`) +
      post('/trailers', chunked, `${chunk}0\r\nA: b\r\n\r\n\r\n\r\n`) +
      post('/none', 'Content-Length: 0', '');
    const names = ['/announced', '/chunked', '/trailers', '/none'];
    client.setNoDelay();
    client.write(both.repeat(30));
    await eventually(() => expect(made).toBeGreaterThan(0));
    answerAll();
    await eventually(() => expect(bodies()).toHaveLength(120));
    for (const byte of both) {
      client.write(byte);
      await new Promise(setImmediate);
    }
    await eventually(() => expect(bodies()).toHaveLength(124));
    const sent = Array.from({ length: 31 }, () => names).flat();
    expect(paths()).toEqual(sent);
  });

  it('are dropped after the request of a stream, and the server notices that the client leaves', async () => {
    client.write(gets(40));
    await eventually(() => expect(made).toBe(2));
    const { response } = begun[0]!;
    const closed = once(response, 'close');
    beginStream(response);
    await eventually(() => expect(received).toContain('Connection: close\r\n'));
    client.write(Buffer.from(GET.repeat(1_000_000)));
    await eventually(() => expect(client.writableLength).toBe(0));
    expect([made, begun.length]).toEqual([2, 1]);
    client.destroy();
    await closed;
  });

  it('leave other connections their turn between two answers', async () => {
    answers = true;
    client.write(GET.repeat(20_000));
    await eventually(() => expect(bodies().length).toBeGreaterThan(0));
    const other = connect((server.address() as AddressInfo).port, '127.0.0.1', () => {
      other.write(GET.replace('/0', '/other'));
    });
    await once(other, 'data');
    other.destroy();
    expect(begun.length).toBeLessThan(10_000);
  });

  it('start one by one over many connections, each in a turn of the event loop', async () => {
    const { port } = server.address() as AddressInfo;
    const clients = Array.from({ length: 30 }, () => {
      const one = connect(port, '127.0.0.1', () => one.write(gets(5)));
      return one.resume();
    });
    await eventually(() => expect([made, begun.length]).toEqual([60, 30]));
    const began: number[] = [];
    const count = (): void => {
      began.push(begun.length - 30);
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    answerAll();
    await eventually(() => expect(begun).toHaveLength(150));
    clearImmediate(counting);
    for (const one of clients) one.destroy();
    expect([...new Set(began)]).toEqual(Array.from({ length: 121 }, (_, more) => more));
  });
});

describe('empty lines before a request', () => {
  it('are ignored up to 64 bytes, and end the connection beyond, in one packet or many', async () => {
    answers = true;
    client.write('\r\n'.repeat(32) + GET);
    await eventually(() => expect(bodies()).toHaveLength(1));
    for (let at = 0; at < 32; at++) client.write('\r\n');
    client.write(GET);
    await eventually(() => expect(bodies()).toHaveLength(2));
    client.write('\r\n'.repeat(33));
    await once(client, 'close');
  });
});

describe('connections', () => {
  /** Opens connections one after another, each with the answer to a request. */
  const openIdle = async (count: number): Promise<Socket[]> => {
    const opened: Socket[] = [];
    for (let at = 0; at < count; at++) {
      const one = connect((server.address() as AddressInfo).port, '127.0.0.1');
      one.on('error', () => undefined).write(GET);
      await once(one, 'data');
      opened.push(one);
    }
    return opened;
  };
  const closed = (sockets: Socket[]): number[] =>
    sockets.flatMap((one, at) => (one.closed ? [at] : []));

  it('close when they are idle for longest, a tenth at once, to make room for new ones', async () => {
    answers = true;
    client.write(GET);
    await once(client, 'data');
    const idle = await openIdle(MOST - 1);
    // These are used again, so that they are no longer the longest idle ones.
    for (const one of [client, idle[0]!]) {
      one.write(GET);
      await once(one, 'data');
    }
    const [another] = await openIdle(1);
    await eventually(() => expect(closed(idle)).toHaveLength(4));
    expect([closed(idle), closed([client, another!])]).toEqual([[1, 2, 3, 4], []]);
    for (const one of [...idle, another!]) one.destroy();
  });

  it('stay while they wait for an answer or have begun a request, and a new one is closed', async () => {
    answers = true;
    const busy = await openIdle(MOST - 1);
    answers = false;
    busy[0]!.write(GET.slice(0, 20));
    for (const one of busy.slice(1)) one.write(GET);
    client.write(GET);
    await eventually(() => expect(begun).toHaveLength(2 * MOST - 2));
    const refused = connect((server.address() as AddressInfo).port, '127.0.0.1');
    refused.on('error', () => undefined).resume();
    await once(refused, 'close');
    expect(closed([client, ...busy])).toEqual([]);
    for (const one of busy) one.destroy();
  });
});
