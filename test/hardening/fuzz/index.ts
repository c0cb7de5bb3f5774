import { randomInt } from 'node:crypto';
import { ATTACKS } from './attacks.js';
import { faultsOf, isMet, type Outcome, runClass } from './run-class.js';
import { AUDIENCE, startIssuer } from './forged-tokens.js';
import { prepare } from './target.js';
import { startHarness } from '../harness.js';
import type { ReportRow, Section } from '../report-row.js';
import { SYSADMIN_PASSWORD } from '../../support/prepare-database.js';

/** Part of DATABASE_URL; no answer or log may reveal it. */
const DATABASE_PASSWORD = 'canary-of-the-database';

/** Maximum number of faults in a row; the rest is counted. */
const SHOWN = 5;

/** Section 4A: hostile input. FUZZ_SEED repeats a run, FUZZ_CLASSES (A1,A5) selects classes. */
export const fuzz: Section = async ({ scale }, report) => {
  const seed = Number(process.env.FUZZ_SEED || randomInt(2 ** 31));
  const only = process.env.FUZZ_CLASSES?.split(',');
  process.stdout.write(`FUZZ_SEED=${seed} repeats this run\n`);
  const harness = await startHarness({
    settings: {
      shared_preload_libraries: 'pg_stat_statements',
      'pg_stat_statements.max': '10000',
    },
  });
  const issuer = await startIssuer();
  try {
    const client = await harness.connect();
    await client.query(
      'CREATE SCHEMA statistics; CREATE EXTENSION pg_stat_statements WITH SCHEMA statistics',
    );
    const { host, user, database } = harness.connection;
    const server = await harness.serve({
      DATABASE_URL: `postgresql://${user}:${DATABASE_PASSWORD}@localhost/${database}?host=${encodeURIComponent(host)}`,
      OIDC_ISSUER: issuer.address,
      OIDC_AUDIENCE: AUDIENCE,
    });
    const target = await prepare({
      port: server.port,
      query: async (text, values) => (await client.query(text, values)).rows as never,
      statements: async () =>
        (
          await client.query<{ query: string }>(
            'SELECT DISTINCT query FROM statistics.pg_stat_statements(true)',
          )
        ).rows.map(({ query }) => query),
      isAlive: () => server.isAlive(),
      printed: () => server.printed(),
      sysadminPassword: SYSADMIN_PASSWORD,
      issuer,
      secrets: [DATABASE_PASSWORD],
    });
    let sent = 0;
    const started = performance.now();
    for (const attack of ATTACKS) {
      if (only && !only.includes(attack.id)) continue;
      const outcome = await runClass(attack, target, scale, seed);
      sent += outcome.sent;
      report(rowOf(attack.id, attack.goal, outcome));
    }
    const seconds = (performance.now() - started) / 1_000;
    process.stdout.write(
      `            ${sent} requests in ${seconds.toFixed(0)} s, ${(sent / seconds).toFixed(0)} a second, one process throughout\n`,
    );
  } finally {
    await issuer.stop();
    await harness.stop();
  }
};

function rowOf(id: string, goal: string, outcome: Outcome): ReportRow {
  const { sent, refused, failed, leaks, hangs, slowest, sideEffects, wrong, remark } = outcome;
  const faults = faultsOf(outcome);
  const figure = [
    `sent ${sent}, 4xx ${refused}, 5xx ${failed}, leaks ${leaks.length}, hangs ${hangs}, slowest ${slowest.toFixed(0)} ms, side effects ${sideEffects.length}, wrong ${wrong.length}`,
    ...(remark === undefined ? [] : [remark]),
    ...faults.slice(0, SHOWN),
    ...(faults.length > SHOWN ? [`and ${faults.length - SHOWN} more`] : []),
  ].join('\n            ');
  return { id, goal, figure, met: isMet(outcome) };
}
