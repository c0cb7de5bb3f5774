import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { credentials } from './credentials/index.js';
import { faults } from './faults/index.js';
import { clusterFaults } from './faults/cluster.js';
import { deliveries } from './faults/deliveries.js';
import { linearizable } from './faults/linearizable.js';
import { fuzz } from './fuzz/index.js';
import { load } from './load/index.js';
import { supplyChain } from './supply-chain.js';
import { worst } from './load/worst-requests.js';
import { printReportRow, type ReportRow, type Section } from './report-row.js';

/** The sections of the report, by the name that selects them. */
const SECTIONS: Record<string, Section> = {
  credentials,
  fuzz,
  faults,
  load,
  cluster: clusterFaults,
  deliveries,
  counters: linearizable,
  supply: supplyChain,
  worst,
};

/** The rows as JSON, for programs. */
const FILE = 'security-report.json';

/** `npm run security:report -- [--scale 0.1] [section …]`; exits with 1 when a goal is missed. */
const { values, positionals } = parseArgs({
  options: { scale: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const scale = Number(values.scale);
const names = positionals.length > 0 ? positionals : Object.keys(SECTIONS);
const unknown = names.filter((name) => !(name in SECTIONS));
if (!(scale > 0 && scale <= 1) || unknown.length > 0) {
  process.stderr.write(
    `usage: npm run security:report -- [--scale 0.1] [${Object.keys(SECTIONS).join('|')} …]\n`,
  );
  process.exit(2);
}
// Databases, servers and networks end with the process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const rows: ReportRow[] = [];
for (const name of names) {
  process.stdout.write(`\n${name}, at ${scale} of its size\n`);
  await SECTIONS[name]!({ scale }, (row) => {
    rows.push(row);
    printReportRow(row);
  });
}
writeFileSync(FILE, `${JSON.stringify(rows, undefined, 2)}\n`);
const missed = rows.filter(({ met }) => !met);
process.stdout.write(`\n${rows.length - missed.length} of ${rows.length} goals met; ${FILE}\n`);
process.exit(missed.length > 0 ? 1 : 0);
