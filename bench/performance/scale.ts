import { setTimeout as delay } from 'node:timers/promises';
import type { Request } from 'express';
import type { Client } from 'pg';
import '../../src/app.module.js';
import type { Bind } from '../../src/database/bindings.js';
import {
  type ListSource,
  listStatement,
  type Statement,
} from '../../src/resources/list/list-query.js';
import { parseListRequest } from '../../src/resources/list/list-request.js';
import { readList } from '../../src/resources/list/choose-plan.js';
import { resourceNamed } from '../../src/resources/resource.js';
import type { Caller } from '../../src/security/caller.js';
import { percentiles } from '../support/table.js';
import { compareByTurns, load, median, type Run } from './load.js';
import { atMost, type Growth, type Result } from './result.js';
import { PAGE, requests, type Turns } from './reads.js';
import { residentMegabytes, type Site } from './site.js';

const USERS = '/api/v2/directory/users';

/** Reads whose time must not depend on how many users there are. */
const READS: Record<string, string[]> = {
  'page of users': [PAGE],
  'page by last name': [`${USERS}?range=0-50&sorter=lastName`],
  'page by filter and sorter': [
    `${USERS}?range=0-20&filters=lastName:starts:mar&sorter=-creationDate`,
  ],
  'one user': [`${USERS}/me`],
  'users by login': [`${USERS}?filters=login:eq:sysadmin`],
};

/** The same reads with few users and with many, by turns. */
export async function growth(
  [few, many]: [Site, Site],
  [fewUsers, manyUsers]: [number, number],
  { seconds, pairs }: Turns,
): Promise<{ results: Result[]; growth: Growth[] }> {
  const results: Result[] = [];
  const drawn: Growth[] = [];
  for (const [work, paths] of Object.entries(READS)) {
    const rates: [number[], number[]] = [[], []];
    for (let pair = -1; pair < pairs; pair++)
      for (const [at, site] of [few, many].entries()) {
        const run = await load(site.server.port, requests(paths, site.token), { seconds });
        if (pair >= 0) rates[at]!.push(run.rate);
      }
    const ratios = rates[0].map((rate, pair) => rate / rates[1][pair]!);
    const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    results.push(atMost(`growth: ${work}`, median(ratios), 1.5, 'times', spread));
    drawn.push({
      work,
      rates: { [fewUsers]: median(rates[0]), [manyUsers]: median(rates[1]) },
    });
  }
  return { results, growth: drawn };
}

const TIMES = 20;

/** Milliseconds of single calls. */
async function timesOf(
  { server, token }: Site,
  path: string,
  headers: Record<string, string> = {},
): Promise<number[]> {
  const times: number[] = [];
  for (let time = -2; time < TIMES; time++) {
    const started = performance.now();
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      headers: { 'X-AUTHENTICATION-KEY': token, ...headers },
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    if (time >= 0) times.push(performance.now() - started);
  }
  return times;
}

const SORTERS = ['id', 'lastName', '-lastName', 'login', 'email', 'creationDate', 'status'];

/** Deep pages under every kind of sorter, right after a tenth of the rows was changed, and tidied. */
export async function deepPages(site: Site, users: number): Promise<Result[]> {
  const start = Math.floor(users * 0.9);
  const pages = async (work: string): Promise<Result[]> => {
    const results: Result[] = [];
    for (const sorter of SORTERS) {
      const times = await timesOf(site, `${USERS}?range=${start}-50&sorter=${sorter}`);
      const [p50, p99] = percentiles(times);
      results.push(
        atMost(`range=${start}-50 by ${sorter}${work}`, Number(p50), 150, 'ms', `p99 ${p99} ms`),
      );
    }
    return results;
  };
  const clean = await pages('');
  await site.client.query(
    `UPDATE users SET user_function = coalesce(user_function, '') || '.' WHERE id % 10 = 3`,
  );
  const changed = performance.now();
  const dirty = await pages(', right after a tenth changed');
  await untilTidied(site, changed);
  const seconds = Math.round((performance.now() - changed) / 1_000);
  const tidied = await pages(`, ${seconds} s after a tenth changed`);
  return [...clean, ...dirty, ...tidied];
}

/** Waits until autovacuum has come by after a moment (of performance.now()). */
async function untilTidied({ client }: Site, moment: number): Promise<void> {
  for (;;) {
    const since = (performance.now() - moment) / 1_000;
    const { rowCount } = await client.query(
      `SELECT FROM pg_stat_user_tables WHERE relname = 'users' AND last_autovacuum > now() - make_interval(secs => $1)`,
      [since],
    );
    if (rowCount) return;
    if (since > 300) throw new Error('autovacuum does not come by');
    await delay(250);
  }
}

const EXACT = { Prefer: 'count=exact' };

/** Exact counts of everything, of an indexed filter, of a common piece of text. */
export async function counts(site: Site): Promise<Result[]> {
  const count = async (work: string, goal: number, query: string): Promise<Result> => {
    const times = await timesOf(site, `${USERS}?range=0-50${query}`, EXACT);
    const [p50, p99] = percentiles(times);
    return atMost(`exact count ${work}`, Number(p50), goal, 'ms', `p99 ${p99} ms`);
  };
  return [
    await count('of everything', 150, ''),
    await count('by an indexed filter', 150, '&filters=status:eq:1'),
    await count('by a common piece of text', 300, '&filters=lastName:contains:er'),
  ];
}

/** Filters and sorter together; what PostgreSQL alone needs for the same statement. */
const COMBINATIONS = [
  'filters=status:eq:1&filters=lastName:starts:ma&sorter=lastName',
  'filters=status:eq:2&sorter=-creationDate',
  'filters=organization.label:contains:sales&filters=status:eq:1&sorter=lastName',
  'filters=email:contains:quillfeather&sorter=firstName',
  'filters=creationDate:gte:2024-01-01T00:00:00.000Z&filters=userFunction:starts:project&sorter=creationDate',
  'filters=title:contains:martin&sorter=-creationDate',
  'filters=userFunction:contains:manager&filters=status:eq:1&sorter=lastName',
  // All of them late in the order, which nothing tells beforehand.
  'filters=firstName:contains:maria&sorter=email',
];

/** One call after the other, by turns with the same statement on a connection like the server's own. */
export async function combinations(
  { server, token, client }: Site,
  { seconds, pairs }: Turns,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const query of COMBINATIONS) {
    const path = `${USERS}?range=0-50&${query}`;
    const { text, values, others } = await statementsOf(client, path);
    const alone = async (): Promise<Run> => {
      const until = performance.now() + seconds * 1_000;
      let asked = 0;
      for (; performance.now() < until; asked++)
        await client.query({ text, values, rowMode: 'array' });
      return { rate: asked / seconds, p50: NaN, p99: NaN };
    };
    const called = () => load(server.port, requests([path], token), { seconds, connections: 1 });
    const { ours, other, ratios } = await compareByTurns({ ours: called, other: alone }, pairs);
    const { chosen, best } = await planTimes(client, { text, values }, others);
    results.push(
      atMost(
        `plan of ${query}`,
        chosen / best,
        1.3,
        'times the best plan',
        `${chosen.toFixed(2)} ms against ${best.toFixed(2)} ms`,
      ),
    );
    const times = ratios.map((ratio) => 1 / ratio);
    const spread = `${Math.min(...times).toFixed(2)} to ${Math.max(...times).toFixed(2)}`;
    const figures = `${(1_000 / ours.rate).toFixed(2)} ms against ${(1_000 / other.rate).toFixed(2)} ms`;
    results.push(
      atMost(
        `filter and sorter: ${query}`,
        median(times),
        1.3,
        'times PostgreSQL alone',
        `${spread}; ${figures}`,
      ),
    );
  }
  return results;
}

/** Of nine ways the quickest is looked for, which by chance alone is a third quicker among ten turns. */
const PLAN_TURNS = 40;

/** Milliseconds for the turns of one way, where a plan takes long. */
const LONGEST_COMPARISON = 2_000;

/** Ways to read and to join, of which one after the other is forbidden to see what is quicker then. */
const WAYS = [
  ...['seqscan', 'indexscan', 'bitmapscan', 'sort', 'incremental_sort', 'memoize'],
  ...['nestloop', 'hashjoin', 'mergejoin'],
];

/**
 * Milliseconds of the plan that PostgreSQL chooses, and of the quickest that it finds when made to, be
 * it by another statement: each is run by turns with the chosen one, for they take less than a millisecond.
 */
async function planTimes(
  client: Client,
  chosen: Asked,
  others: Asked[],
): Promise<{ chosen: number; best: number }> {
  const run = async ({ text, values }: Asked): Promise<number> => {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ 'Execution Time': number }] }>(
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
      values,
    );
    return rows[0]!['QUERY PLAN'][0]['Execution Time'];
  };
  const without = async (way: string): Promise<number> => {
    await client.query(`SET enable_${way} = off`);
    const time = await run(chosen);
    await client.query(`RESET enable_${way}`);
    return time;
  };
  const first = await run(chosen);
  let found = { chosen: first, best: first };
  const ways = WAYS.map((way) => () => without(way));
  for (const way of [...ways, ...others.map((other) => () => run(other))]) {
    const times: [chosen: number[], other: number[]] = [[], []];
    const until = performance.now() + LONGEST_COMPARISON;
    for (let turn = 0; turn < PLAN_TURNS && performance.now() < until; turn++) {
      times[0].push(await run(chosen));
      times[1].push(await way());
      // Some take seconds; one look is enough to know.
      if (times[1][0]! > 10 * times[0][0]!) break;
    }
    const [mine, other] = [median(times[0]), median(times[1])];
    if (other / mine < found.best / found.chosen) found = { chosen: mine, best: other };
  }
  return found;
}

type Asked = Pick<Statement, 'text' | 'values'>;

/** The statement by which the server reads the path of a list in the end, and those that it could. */
async function statementsOf(client: Client, path: string): Promise<Asked & { others: Asked[] }> {
  const users = resourceNamed('users');
  const request = { url: path, headers: {} } as Request;
  const caller = { id: '1', administrator: true, sysadmin: true } as Caller;
  const listRequest = parseListRequest(request, users.listableBy(caller));
  const sourceFor = (bind: Bind): ListSource => users.source(caller, bind);
  const asked: Statement[] = [];
  await readList(
    async (statement) => {
      asked.push(statement);
      const { text, values } = statement;
      return (await client.query<unknown[]>({ text, values, rowMode: 'array' })).rows;
    },
    sourceFor,
    listRequest,
  );
  const { text, values } = asked.at(-1)!;
  const others = [true, false].map((narrowed) => listStatement(sourceFor, listRequest, narrowed));
  return { text, values, others: others.filter((other) => other.text !== text) };
}

/** Memory while half a million mixed requests are answered. */
export async function memory(site: Site, amount: number): Promise<Result[]> {
  const paths = [
    PAGE,
    `${USERS}?range=20-20&sorter=lastName`,
    `${USERS}/me`,
    `${USERS}?filters=login:eq:sysadmin`,
    '/api/v2/directory/organizations?range=0-20',
    '/api/v2/content/documents?range=0-20',
    '/navigation/workplace',
    '/navigation/search/workplace?searchName=workplace_searchUsers&searchField=quickSearch&query=ma',
  ];
  const mixed = requests(paths, site.token);
  // Warm: what grows from here on would grow for ever.
  await load(site.server.port, mixed, { amount: Math.ceil(amount * 0.1) });
  const before = residentMegabytes(site.server.pid);
  await load(site.server.port, mixed, { amount });
  const after = residentMegabytes(site.server.pid);
  const per = ((after - before) * 100_000) / amount;
  const requestsMade = `${amount.toLocaleString('en')} requests`;
  return [
    atMost(`memory after ${requestsMade}`, after, 250, 'MB'),
    atMost('growth of memory', Math.max(per, 0), 1, 'MB per 100,000 requests'),
  ];
}
