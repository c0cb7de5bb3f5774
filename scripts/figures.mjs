// Writes the tables between `<!-- figures: … -->` and `<!-- end -->` in the guides from docs/figures.json, a copy of
// the report of `npm run bench`: `costs`, `mix` and, where a guide shows all goals, `measured`. `--take` copies bench-report.json first. `--check`
// writes nothing; its exit code tells whether the tables are up to date.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

const FIGURES = 'docs/figures.json';
const flags = process.argv.slice(2);
if (flags.includes('--take')) copyFileSync('bench-report.json', FIGURES);
const { date, users, rounds, results, costs } = JSON.parse(readFileSync(FIGURES, 'utf8'));

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
