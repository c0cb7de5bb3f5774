// Writes the tables between `<!-- figures: … -->` and `<!-- end -->` in the guides from docs/figures.json and docs/day.json, taken
// from the reports of `npm run bench`, and from the simulation of bench/model.mjs. `--take` takes over bench-report.json first: of a run of
// the growth alone only that, and of a run without it all but that; `--take-day` copies bench-day.json. `--check` writes nothing; its exit
// code tells whether the tables are up to date.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { mixOf, mixOfDay, model } from '../bench/model.mjs';

const FIGURES = 'docs/figures.json';
const flags = process.argv.slice(2);
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
if (flags.includes('--take')) {
  const { growth, ...rest } = read('bench-report.json');
  const taken = { ...(rest.costs.length > 0 && rest), ...(growth && { growth }) };
  writeFileSync(FIGURES, `${JSON.stringify({ ...read(FIGURES), ...taken }, null, 2)}\n`);
}
const { date, users, rounds, results, costs, growth } = read(FIGURES);
const DAY = 'docs/day.json';
if (flags.includes('--take-day')) copyFileSync('bench-day.json', DAY);
const day = read(DAY);

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const count = (number) => number.toLocaleString('en');

const RATE = 20_000;
const busy = (milliseconds) => Math.ceil((RATE * milliseconds) / 1_000);

const sumOf = (all, read) => all.reduce((sum, one) => sum + read(one), 0);
const calls = sumOf(day.calls, (one) => one.count);
const statementTime = sumOf(day.statements, (one) => one.time);
const percent = (share) => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;

/** The average processor time of a call of the mix, in milliseconds. */
const mixed = (mix, side) => sumOf(mix, (one) => one.share * one[side]);

/** How many processors something kept busy in a number of seconds. */
const processors = (time, seconds) => (time / seconds).toFixed(2);
const nine = day.halfHours[4];
const halfHour = (day.minutes * 60) / day.halfHours.length;

/** The calls that are answered from memory. */
const NAVIGATION = ['categories', 'apps of a category', 'indicator', 'whole workplace'];

const verdictOf = (goal, met) => (goal === 'none' ? '' : met ? 'met' : 'missed');

const TABLES = {
  measured: () =>
    `${count(users)} users, ${rounds.pairs} pairs of ${rounds.seconds} s, on ${date.slice(0, 10)}:\n\n` +
    table(
      ['work', 'measured', 'goal', ''],
      results.map(({ work, figure, goal, met }) => [work, figure, goal, verdictOf(goal, met)]),
    ),
  costs: () =>
    `${count(users)} users, on ${date.slice(0, 10)}:\n\n` +
    table(
      ['call', 'ms of the server', 'ms of PostgreSQL'],
      costs.map(({ work, server, database }) => [work, server.toFixed(2), database.toFixed(2)]),
    ),
  growth: () =>
    `Up to ${count(growth.users)} users and ${count(growth.audit)} lines of the audit trail, on ${growth.date.slice(0, 10)}:\n\n` +
    table(
      [
        'ms of an answer, by the number of tasks',
        ...growth.steps.map(count),
        'growth',
        'of PostgreSQL',
      ],
      growth.reads.map(({ read: name, times, database }) => [
        name,
        ...times.map((time) => time.toFixed(1)),
        (times.at(-1) / times[0]).toFixed(2),
        `${database[0].toFixed(1)} to ${database.at(-1).toFixed(1)}`,
      ]),
    ),
  mix: () =>
    table(
      [`${count(RATE)} calls a second`, 'navigation from memory', 'as in the measured day'],
      ['server', 'database'].map((side) => [
        `processors busy of ${side === 'server' ? 'the servers' : 'PostgreSQL'}`,
        ...[mixOf(costs), mixOfDay(day)].map(
          (mix) => `${busy(mixed(mix, side))}, at ${mixed(mix, side).toFixed(2)} ms a call`,
        ),
      ]),
    ),
  day: () =>
    `${count(day.people)} people, ${count(calls)} calls in ${day.minutes} minutes, on ${day.date.slice(0, 10)}; times in milliseconds:\n\n` +
    table(
      [
        'call',
        'calls',
        'failed',
        'p50',
        'p99',
        'largest',
        'p99 at nine',
        'with a statement of its own',
      ],
      day.calls
        .filter((one) => one.count > 0)
        .map((one) => [
          one.kind,
          count(one.count),
          count(one.failed),
          one.p50,
          one.p99,
          count(Math.round(one.max)),
          one.busiest.count > 0 ? one.busiest.p99 : '',
          one.traced > 0
            ? `${percent(one.reached / one.traced)} of ${count(one.traced)} traced`
            : '',
        ]),
    ),
  use: () =>
    table(
      [
        'processors busy with',
        'in the whole day',
        `at nine, at ${count(Math.round(nine.calls / halfHour))} calls a second`,
      ],
      [
        ['the server', 'server'],
        ['PostgreSQL', 'database'],
        ['the driver, with the receiver of mails', 'driver'],
        ['other work of the computer', 'others'],
      ].map(([name, side]) => [
        name,
        processors(day.processorTime[side], day.minutes * 60),
        processors(nine[side], halfHour),
      ]),
    ),
  space: () =>
    table(
      ['memory and disk', ''],
      [
        ['the largest process of the server', `${Math.round(day.memory.ofProcess)} MB`],
        [
          'PostgreSQL, what its processes share counted once',
          `${Math.round(day.memory.database)} MB`,
        ],
        [
          'the database at the end, and what it grew by',
          `${count(day.disk.whole.database)} MB, ${count(day.disk.database)} MB`,
        ],
        [
          'of these the audit trail and the journal of changes',
          `${count(day.disk.audit)} MB and ${count(day.disk.changes)} MB`,
        ],
        ['written to the log of PostgreSQL (WAL)', `${count(day.disk.wal)} MB`],
        ['mails', count(day.mails)],
      ],
    ),
  reached: () => {
    const [traced, reached] = ['traced', 'reached'].map((name) =>
      sumOf(day.calls, (one) => one[name]),
    );
    const ofNavigation = day.calls.filter(({ kind }) => NAVIGATION.includes(kind));
    const [tracedThere, reachedThere] = ['traced', 'reached'].map((name) =>
      sumOf(ofNavigation, (one) => one[name]),
    );
    return (
      `${percent(reached / traced)} of the calls reach PostgreSQL with a statement of their own, of those of the navigation ${percent(reachedThere / tracedThere)} ` +
      `(of ${count(traced)} traced calls, ${count(tracedThere)} of them of the navigation).\n\n` +
      table(
        ['statements, also those of work beside calls', 'a call', 'share of the time of all'],
        day.statements.map((one) => [
          one.class,
          (one.calls / calls).toFixed(2),
          percent(one.time / statementTime),
        ]),
      )
    );
  },
  model: () =>
    table(
      [
        'PostgreSQL',
        'calls a second, navigation from memory',
        'calls a second, as in the measured day',
      ],
      model(costs, day).map(({ design, fromMemory, asInTheDay }) => [
        design,
        count(fromMemory),
        count(asInTheDay),
      ]),
    ),
};

let isStale = false;
for (const file of ['docs/performance.md', 'docs/sizing.md', 'docs/scaling.md']) {
  const text = readFileSync(file, 'utf8');
  const filled = text.replace(
    /(<!-- figures: (\w+) -->\n)[^]*?(<!-- end -->)/g,
    (_, begin, name, end) => `${begin}\n${TABLES[name]()}\n\n${end}`,
  );
  const made = await format(filled, { ...(await resolveConfig(file)), filepath: file });
  if (made === text) continue;
  isStale = true;
  if (flags.includes('--check')) console.error(`${file} does not show ${FIGURES}`);
  else writeFileSync(file, made);
}
if (isStale && flags.includes('--check')) process.exit(1);
