// Writes the tables between `<!-- figures: … -->` and `<!-- end -->` in the guides from docs/figures.json, a copy of
// the report of `npm run bench`: `costs`, `mix`, `growth` and, where a guide shows all goals, `measured`. `--take` takes over
// bench-report.json first: of a run of the growth alone only that, and of a run without it all but that. `--check` writes nothing; its exit code tells whether the tables are up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

const FIGURES = 'docs/figures.json';
const flags = process.argv.slice(2);
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
if (flags.includes('--take')) {
  const { growth, ...rest } = read('bench-report.json');
  const taken = { ...(rest.costs.length > 0 && rest), ...(growth && { growth }) };
  writeFileSync(FIGURES, `${JSON.stringify({ ...read(FIGURES), ...taken }, null, 2)}\n`);
}
const { date, users, rounds, results, costs, growth } = read(FIGURES);

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const count = (number) => number.toLocaleString('en');

/** The share of each call in the traffic of a portal; docs/scaling.md describes it. */
const MIX = {
  categories: 0.2,
  'apps of a category': 0.2,
  indicator: 0.2,
  'whole workplace': 0.25,
  'a search for a common word': 0.05,
  'a search for a rare word': 0.05,
  'a page of 50 users by name': 0.04,
  'creating a user': 0.01,
};

/** The average processor time of a call of the mix, in milliseconds. */
function mixed(side) {
  return Object.entries(MIX).reduce((sum, [work, share]) => {
    const cost = costs.find((one) => one.work === work);
    if (cost === undefined) throw new Error(`${FIGURES} has no cost of: ${work}`);
    return sum + share * cost[side];
  }, 0);
}

const RATE = 20_000;
const busy = (milliseconds) => Math.ceil((RATE * milliseconds) / 1_000);

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
    `A call of this mix costs ${mixed('server').toFixed(2)} ms of a server and ${mixed('database').toFixed(2)} ms of PostgreSQL.\n\n` +
    table(
      [`${count(RATE)} calls a second`, 'processors busy'],
      ['server', 'database'].map((side) => [
        `${side === 'server' ? 'servers' : 'PostgreSQL'}: ${count(RATE)} × ${mixed(side).toFixed(2)} ms`,
        busy(mixed(side)),
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
