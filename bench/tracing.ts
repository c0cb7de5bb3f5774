import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compareByTurns, load, median, type Run } from './performance/load.js';
import { PAGE, requests } from './performance/reads.js';
import { type Started, startServer, tokenOf } from './performance/site.js';
import { printTable } from './support/table.js';

/**
 * What traces cost: the mix of a portal's calls against two servers on one database, of which one
 * sends traces to a collector on this machine, by turns: `npm run bench:tracing`.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    pairs: { type: 'string', default: '5' },
    share: { type: 'string', default: '1' },
  },
});

const DEMO_PASSWORD = 'Portal-Demo-2026';
const PATHS = [PAGE, '/api/v2/authentication', '/navigation/workplace', '/api/v2'];
/** Clock ticks a second of /proc, which Linux fixes. */
const TICKS = 100;

const folder = mkdtempSync(join(tmpdir(), 'process-platform-tracing-'));
let spans = 0;
const collector = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')));
  request.on('end', () => {
    spans += body.split('"spanId"').length - 1;
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
}).listen(0, '127.0.0.1');

/** One run, and the processor time of the server for each of its calls, in milliseconds. */
const runs = (server: Started, token: string, costs: number[]) => async (): Promise<Run> => {
  const seconds = Number(values.seconds);
  const before = timeOf(server.pid);
  const run = await load(server.port, requests(PATHS, token), { seconds });
  costs.push((1000 * (timeOf(server.pid) - before)) / (run.rate * seconds));
  return run;
};

function timeOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

const silent = await startServer(folder, { DEMO_DATA: 'true' });
const telling = await startServer(folder, {
  DATABASE_URL: `postgresql://platform@localhost/platform?host=${encodeURIComponent(`${folder}/.data/socket`)}`,
  HOST: '127.0.0.1',
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
  OTEL_TRACES_SAMPLER_ARG: values.share,
});
try {
  const token = await tokenOf(silent.port, 'alice.martin', DEMO_PASSWORD);
  const [on, off]: [number[], number[]] = [[], []];
  const { ours, other, ratios } = await compareByTurns(
    { ours: runs(telling, token, on), other: runs(silent, token, off) },
    Number(values.pairs),
  );
  const line = (what: string, { rate, p50, p99 }: Run, costs: number[]): string[] => [
    what,
    ...[rate, p50, p99].map((figure) => figure.toFixed(0)),
    median(costs.slice(1)).toFixed(2),
  ];
  printTable(
    ['traces', 'calls a second', 'p50 (ms)', 'p99 (ms)', 'processor ms a call'],
    [line('none', other, off), line(`share ${values.share}`, ours, on)],
  );
  const spread = [...ratios].sort((a, b) => a - b).map((ratio) => ratio.toFixed(2));
  process.stdout.write(
    `\nWith traces by without, by pairs: ${spread.join(', ')}; ${spans} spans.\n`,
  );
} finally {
  await telling.stop();
  await silent.stop();
  collector.closeAllConnections();
  collector.close();
  rmSync(folder, { recursive: true, force: true });
}
