import { quantile } from 'simple-statistics';
import { pairs, Random } from '../../test/support/random.js';
import { type BenchServer, newPassword, request, tokenOf } from '../support/bench-server.js';
import { printTable } from '../support/table.js';
import { processorTimeOfSessions } from './costs.js';
import { CONNECTIONS } from './load.js';
import { atMost, type Result, withoutGoal } from './result.js';
import { type Described, filtersOf, sampleRows } from './sweep-filters.js';

/** The lists that are swept, each with as many rows as the database was loaded with. */
export const LISTS: Record<string, string> = {
  users: '/api/v2/directory/users',
  tasks: '/api/v2/process/tasks',
  documents: '/api/v2/content/documents',
  audit: '/api/v2/administration/audit',
};

/** How long a page may take for one caller, in milliseconds: p99, and the slowest. */
const P99 = 150;
const SLOWEST = 250;

/** How long a page may take where 16 callers ask for the slowest lists only, and how much slower other calls may get. */
const CROWDED_P99 = 1_000;
const CROWDED_RATIO = 1.5;

/** The number of lists in each table, and of those that the 16 callers ask for. */
const SHOWN = 25;
const WORST = 50;

/** Lists that take PostgreSQL less than the first or more than the second are not called again, in milliseconds. */
const SHORT = 20;
const LONG = 1_000;

/** A list that was measured. */
interface Swept {
  path: string;
  /** The median of three warm calls, in milliseconds. */
  time: number;
  /** The least processor time that PostgreSQL took for one of them, which other load hardly changes. */
  processor: number;
  status: number;
  items: number;
}

export interface SweepOptions {
  /** The names of the lists. */
  lists: string[];
  seed: number;
  /** The number of lists with two filters, drawn for each resource. */
  drawn: number;
}

/**
 * Measures the lists of users, tasks, documents and the audit trail, one call after another: every order, every
 * attribute with each of its operators in two orders, and two filters drawn at random. The values of the filters match
 * all, many, few or no rows. Then 16 callers ask for the slowest of all these lists.
 */
export async function sweep(server: BenchServer, options: SweepOptions): Promise<Result[]> {
  process.stdout.write(`seed ${options.seed}\n`);
  const random = new Random(options.seed);
  // Right after the sign-in: later it needs a confirmed password.
  const tokens = await administrators(server);
  const results: Result[] = [];
  const all: Swept[] = [];
  for (const name of options.lists) {
    const made = await listsOf(server, LISTS[name]!, options.drawn, random);
    for (const [kind, paths] of Object.entries(made)) {
      const swept: Swept[] = [];
      for (const path of paths) swept.push(await timed(server, path));
      all.push(...swept);
      results.push(...resultsOf(`${name}, ${kind}`, swept));
    }
  }
  return [...results, ...(await crowded(server, tokens, slowestOf(all, WORST)))];
}

/** The paths of the lists of a resource, by their kind. */
async function listsOf(
  server: BenchServer,
  uri: string,
  drawn: number,
  random: Random,
): Promise<Record<string, string[]>> {
  const get = async <T>(path: string): Promise<T> =>
    JSON.parse(await request(server, uri + path, { token: server.token })) as T;
  const attributes = await get<Described[]>('/attributes');
  const rows = await sampleRows(server, uri, random);
  const orders = attributes
    .filter(({ sortable }) => sortable)
    .flatMap(({ name }) => [name, `-${name}`]);
  const filters = await filtersOf(server, uri, { attributes, rows, random });
  const path = (parameters: [string, string][]): string =>
    `${uri}?${new URLSearchParams(parameters).toString()}`;
  const two = (): [string, string][] =>
    random.sample(filters, 2).map((filter): [string, string] => ['filters', filter]);
  return {
    'every order': orders.map((order) => path([['sorter', order]])),
    'one filter': pairs(filters, [false, true]).map(([filter, isSorted]) =>
      path([['filters', filter], ...sorters(isSorted, orders, random)]),
    ),
    'two filters': Array.from({ length: drawn }, () =>
      path([
        ...two(),
        ['filterMode', random.pick(['and', 'or'])],
        ...sorters(random.below(3) > 0, orders, random),
      ]),
    ),
  };
}

const sorters = (isSorted: boolean, orders: string[], random: Random): [string, string][] =>
  isSorted ? [['sorter', random.pick(orders)]] : [];

async function timed(server: BenchServer, path: string): Promise<Swept> {
  const first = await priced(server, path);
  if (first.processor < SHORT || first.processor > LONG) return first;
  const calls: Swept[] = [];
  for (let call = 0; call < 3; call++) calls.push(await priced(server, path));
  return {
    ...first,
    time: quantile(
      calls.map(({ time }) => time),
      0.5,
    ),
    processor: Math.min(...calls.map(({ processor }) => processor)),
  };
}

/** A call with the processor time of all sessions meanwhile, as no other caller asks. */
async function priced(server: BenchServer, path: string): Promise<Swept> {
  const before = processorTimeOfSessions(server);
  const swept = await called(server, server.token, path);
  return { ...swept, processor: processorTimeOfSessions(server) - before };
}

async function called({ port }: BenchServer, token: string, path: string): Promise<Swept> {
  const started = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { 'X-AUTHENTICATION-KEY': token },
  });
  const body = await answer.json();
  const time = performance.now() - started;
  const items = Array.isArray(body) ? body.length : 0;
  return { path, time, processor: 0, status: answer.status, items };
}

const slowestOf = (swept: Swept[], count: number): Swept[] =>
  [...swept].sort((a, b) => b.processor - a.processor).slice(0, count);

function resultsOf(what: string, swept: Swept[]): Result[] {
  const times = swept.map(({ time }) => time);
  const refused = swept.filter(({ status }) => status !== 200).length;
  const late = times.filter((time) => time > SLOWEST).length;
  const processor = swept.map((one) => one.processor);
  const long = processor.filter((time) => time > SLOWEST).length;
  const more = `${swept.length} lists, ${late} over ${SLOWEST} ms, ${refused} refused`;
  printTable(
    [`the slowest: ${what}`, 'ms of PostgreSQL', 'ms', 'items', 'status'],
    slowestOf(swept, SHOWN).map(({ path, time, items, status, ...one }) => [
      decodeURIComponent(path.replace(/^.*\?/, '')).replaceAll('|', '\\|'),
      one.processor.toFixed(1),
      time.toFixed(1),
      String(items),
      String(status),
    ]),
  );
  return [
    atMost(`a page of ${what}, p99`, quantile(times, 0.99), P99, 'ms', more),
    atMost(`a page of ${what}, slowest`, Math.max(...times), SLOWEST, 'ms'),
    withoutGoal(
      `processor time of PostgreSQL for ${what}, p99`,
      quantile(processor, 0.99),
      'ms',
      `slowest ${Math.max(...processor).toFixed(0)} ms, ${long} over ${SLOWEST} ms`,
    ),
  ];
}

/** Measures 16 administrators who ask for these lists only, and another call meanwhile. */
async function crowded(server: BenchServer, tokens: string[], worst: Swept[]): Promise<Result[]> {
  const what = `16 callers of the ${WORST} slowest`;
  const alone = await others(server, () => tokens.length > 0, 100);
  const times: Swept[] = [];
  let asking = tokens.length;
  const callers = tokens.map(async (token, caller) => {
    for (let n = 0; n < worst.length; n++)
      times.push(await called(server, token, worst[(n + caller * 3) % worst.length]!.path));
    asking--;
  });
  const meanwhile = await others(server, () => asking > 0);
  await Promise.all(callers);
  const refused = times.filter(({ status }) => status !== 200).length;
  const p99 = quantile(
    times.map(({ time }) => time),
    0.99,
  );
  const [busy, quiet] = [quantile(meanwhile, 0.5), quantile(alone, 0.5)];
  const figures = `${busy.toFixed(2)} ms against ${quiet.toFixed(2)} ms`;
  return [
    atMost(`${what}, p99`, p99, CROWDED_P99, 'ms'),
    withoutGoal(`lists of ${what} that were refused`, refused, `of ${times.length}`),
    atMost(`another call beside ${what}`, busy / quiet, CROWDED_RATIO, 'times alone', figures),
  ];
}

/** The milliseconds of calls that read no list, one after another. */
async function others(
  server: BenchServer,
  goesOn: () => boolean,
  most = Infinity,
): Promise<number[]> {
  const times: number[] = [];
  do times.push((await called(server, server.token, '/api/v2/directory/users/me')).time);
  while (goesOn() && times.length < most);
  return times;
}

/** The tokens of 16 new administrators: a person may run only a few searches at a time. */
async function administrators(server: BenchServer): Promise<string[]> {
  const tokens: string[] = [];
  for (let n = 0; n < CONNECTIONS; n++) {
    const login = `bench.sweep.${Date.now()}.${n}`;
    const password = newPassword();
    const body = { login, lastName: 'Sweep', password, administrator: true };
    await request(server, LISTS.users!, { method: 'POST', token: server.token, body });
    tokens.push(await tokenOf(server.port, { login, password }));
  }
  return tokens;
}
