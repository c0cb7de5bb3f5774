import type { Request } from 'express';
import type { Client } from 'pg';
import { median } from 'simple-statistics';
import { users } from '../../src/directory/user.resource.js';
import { executeList } from '../../src/resources/list/execute-list.js';
import type { Statement } from '../../src/resources/list/list-sql.js';
import { parseListRequest } from '../../src/resources/list/parse-list-request.js';
import { planList } from '../../src/resources/list/plan-list.js';
import type { Caller } from '../../src/security/caller.js';
import { connectListSql } from '../../test/support/list-sql.js';
import type { BenchServer } from '../support/bench-server.js';
import { connectDirectory } from './directory.js';
import { compareAlternately, gets, load, type Rounds, type Run } from './load.js';
import { atMost, type Result, spreadOf } from './result.js';
import { FILTERS, PAGE } from './workloads.js';

/** Measures filtered lists call by call, alternately with the same statement on a session like the server's own. */
export async function filters(
  { port, token, client }: BenchServer,
  { seconds, pairs }: Rounds,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const query of FILTERS) {
    const path = `${PAGE}&${query}`;
    const { text, values } = await statementOf(client, path);
    const alone = async (): Promise<Run> => {
      const until = performance.now() + seconds * 1_000;
      let asked = 0;
      for (; performance.now() < until; asked++)
        await client.query({ text, values, rowMode: 'array' });
      return { rate: asked / seconds, p50: NaN, p99: NaN };
    };
    const called = () => load(port, gets([path], token), { seconds, connections: 1 });
    const { ours, other, ratios } = await compareAlternately({ ours: called, other: alone }, pairs);
    const times = ratios.map((ratio) => 1 / ratio);
    const figures = `${(1_000 / ours.rate).toFixed(2)} ms against ${(1_000 / other.rate).toFixed(2)} ms`;
    const more = `${spreadOf(times)}; ${figures}`;
    const work = `filter and sorter: ${query}`;
    results.push(atMost(work, median(times), 1.3, 'times PostgreSQL alone', more));
  }
  return results;
}

/** The statement with which the server reads a list. */
async function statementOf(client: Client, path: string): Promise<Statement> {
  const directory = connectDirectory();
  const request = { url: path, headers: {}, headersDistinct: {} } as Request;
  const caller = { id: '1', administrator: true, sysadmin: true } as Caller;
  const plan = planList(users, caller, parseListRequest(request, []));
  const { host, user, database } = client;
  const connection = { host, user: user!, database: database! };
  const { sql, dataSource } = await connectListSql(connection, directory);
  const asked: Statement[] = [];
  await executeList(
    async (statement) => {
      asked.push(statement);
      const { text, values } = statement;
      return (await client.query<unknown[]>({ text, values, rowMode: 'array' })).rows;
    },
    sql,
    plan,
  );
  await dataSource.destroy();
  return asked.at(-1)!;
}
