import { median } from 'simple-statistics';
import type { DataSource } from 'typeorm';
import type { Client } from 'pg';
import { users } from '../../src/directory/user.resource.js';
import { ListSql } from '../../src/resources/list/list-sql.js';
import { FIRST_PAGE } from '../../src/resources/list/parse-list-request.js';
import { planList } from '../../src/resources/list/plan-list.js';
import type { Caller } from '../../src/security/caller.js';
import { connectListSql } from '../../test/support/list-sql.js';
import type { BenchServer } from '../support/bench-server.js';
import { connectDirectory } from './directory.js';
import type { Rounds } from './load.js';
import { withoutGoal, type Result } from './result.js';
import { COLUMNS, FROM, SESSION } from './statements.js';

/** A way to read a page of users with two joins, one filter and two sort keys. */
type Way = () => Promise<unknown[]>;

const PAGE = { start: 0, count: 50 };
const caller = { id: '1', administrator: true, sysadmin: true } as Caller;

const TEXT = `SELECT ${COLUMNS} ${FROM} WHERE (t.status = $1::smallint)
  ORDER BY fold(t.last_name COLLATE "C"), t.creation_date DESC, t.id DESC LIMIT $2 OFFSET $3`;

/** Measures the milliseconds that each way takes for a page, alternately on one connection. */
export async function builder(
  { client }: BenchServer,
  { seconds, pairs }: Rounds,
): Promise<Result[]> {
  const { host, user, database } = client as { host: string; user: string; database: string };
  const session = { options: SESSION, max: 1 };
  const { dataSource } = await connectListSql(
    { host, user, database },
    connectDirectory(),
    session,
  );
  const ways = waysOf(dataSource, client);
  const times = await measureAlternately(ways, seconds, pairs);
  await dataSource.destroy();
  const text = times['plain text']!;
  return Object.entries(times).map(([name, time]) =>
    withoutGoal(
      `a page of users by ${name}`,
      time,
      'ms',
      `${(text / time).toFixed(2)} of the rate of plain text`,
    ),
  );
}

function waysOf(dataSource: DataSource, client: Client): Record<string, Way> {
  const sql = new ListSql(dataSource);
  const filters = [{ name: 'status', operator: 'eq', value: '1' }];
  const sorter = [
    { name: 'lastName', descending: false },
    { name: 'creationDate', descending: true },
  ];
  const plan = planList(users, caller, { ...FIRST_PAGE, range: PAGE, filters, sorter });
  const rows = async ({ text, values }: { text: string; values: unknown[] }): Promise<unknown[]> =>
    (await client.query<unknown[]>({ text, values, rowMode: 'array' })).rows;
  const entities = () =>
    dataSource
      .createQueryBuilder(users.definition.entity!, 't')
      .leftJoinAndSelect('t.organization', 'o')
      .leftJoinAndSelect('t.manager', 'm')
      .where('t.status = :status', { status: 1 })
      .orderBy('fold(t.last_name COLLATE "C")')
      .addOrderBy('t.creation_date', 'DESC')
      .addOrderBy('t.id', 'DESC')
      .limit(PAGE.count + 1)
      .offset(PAGE.start);
  return {
    'getMany()': () => entities().getMany(),
    'getRawMany()': () => entities().getRawMany(),
    'the builder without memory': () => rows(new ListSql(dataSource).page(plan)),
    'the builder with memory': () => rows(sql.page(plan)),
    'plain text': () => rows({ text: TEXT, values: ['1', PAGE.count + 1, PAGE.start] }),
  };
}

/** Returns the milliseconds per page: the median of the rounds of each way. */
async function measureAlternately(
  ways: Record<string, Way>,
  seconds: number,
  rounds: number,
): Promise<Record<string, number>> {
  const times = Object.fromEntries(Object.keys(ways).map((name) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round++)
    for (const [name, way] of Object.entries(ways)) {
      const started = performance.now();
      let pages = 0;
      for (; performance.now() - started < seconds * 1_000; pages++) await way();
      // The first round warms up plans, caches and compiled code.
      if (round > 0) times[name]!.push((performance.now() - started) / pages);
    }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]));
}
