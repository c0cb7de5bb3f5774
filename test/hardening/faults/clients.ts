import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { QUIET, startHarness, tokenOf } from '../harness.js';
import { measure, type Section } from '../report-row.js';
import { attempt, keepAlive, keepCalling, type Outcome, quantileOf, tally } from '../traffic.js';
import type { ServerProcess } from '../../support/server-process.js';
import { until } from '../../support/until.js';

const USERS = '/api/v2/directory/users?range=0-10';

/** C10: clients that are slow on purpose. */
export const clients: Section = async (_scale, report) => {
  const harness = await startHarness({ env: QUIET });
  try {
    const server = await harness.serve();
    const token = await tokenOf(server.port, 'alice.martin');
    await measure(
      {
        id: 'C10',
        goal: '500 slow headers, bodies, readers: p99 of others ≤2× before, all gone ≤12 s, RSS +≤50 MB',
      },
      report,
      () => slow(server, token),
    );
  } finally {
    await harness.stop();
  }
};

const rssOf = ({ child }: ServerProcess): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024;

const handlesOf = ({ child }: ServerProcess): number => readdirSync(`/proc/${child.pid}/fd`).length;

type Kind = 'header' | 'body' | 'reader';

async function slow(server: ServerProcess, token: string) {
  const agent = keepAlive(8);
  const call = () => attempt(server.port, USERS, { token, agent });
  const before = keepCalling(8, call);
  await delay(4_000);
  await before.stop();
  const rss = rssOf(server);
  const handles = handlesOf(server);
  const kinds: Kind[] = ['header', 'body', 'reader'];
  const sockets = Array.from({ length: 500 }, (_, index) =>
    slowSocket(server.port, token, kinds[index % 3]!),
  );
  const meanwhile = keepCalling(8, call);
  await delay(1_000);
  // An unread socket does not notice its end, so this counts the server's own handles.
  const gone = await until(() => Promise.resolve(handlesOf(server) <= handles + 10), {
    within: 40_000,
    every: 100,
  });
  const goneAfter = gone === undefined ? undefined : gone + 1_000;
  const grown = rssOf(server) - rss;
  await meanwhile.stop();
  sockets.forEach((socket) => socket.destroy());
  agent.destroy();
  const p99 = (outcomes: Outcome[]): number =>
    quantileOf(
      outcomes.map(({ duration }) => duration),
      0.99,
    );
  const [quiet, busy] = [p99(before.outcomes), p99(meanwhile.outcomes)];
  return {
    figure: `p99 ${quiet.toFixed(1)} ms before, ${busy.toFixed(1)} ms meanwhile (${tally(meanwhile.outcomes)}); all gone after ${goneAfter === undefined ? 'more than 40' : (goneAfter / 1000).toFixed(1)} s; RSS +${grown.toFixed(0)} MB`,
    met:
      busy <= 2 * quiet &&
      goneAfter !== undefined &&
      goneAfter <= 12_000 &&
      grown <= 50 &&
      meanwhile.outcomes.every(({ status }) => status === 200),
  };
}

/** Sends a header or body at one byte per second, or reads none of many answers. */
function slowSocket(port: number, token: string, kind: Kind): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const head = `Host: x\r\nX-AUTHENTICATION-KEY: ${token}\r\n`;
  if (kind === 'reader') {
    const get = `GET /api/v2/directory/users?range=0-500 HTTP/1.1\r\n${head}`;
    socket.write(`${get}\r\n${get}\r\n${get}Connection: close\r\n\r\n`);
    socket.pause();
    return socket;
  }
  socket.resume();
  socket.write(
    kind === 'header'
      ? `GET ${USERS} HTTP/1.1\r\n${head}X-Slow: `
      : `POST /api/v2/content/documents HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
  );
  const timer = setInterval(() => socket.write(' '), 1_000);
  socket.on('close', () => clearInterval(timer));
  return socket;
}
