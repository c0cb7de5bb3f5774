import { randomInt } from 'node:crypto';
import { AUDIENCE, startIssuer } from './hostile/bearers.js';
import { prepare } from './hostile/ground.js';
import { ATTACKS } from './hostile/index.js';
import { faultsOf, isMet, runClass } from './hostile/run-class.js';
import { startRig, SYSADMIN_PASSWORD } from './rig.js';
/** Part of the address of the database, of which nobody may learn. */
const DATABASE_PASSWORD = 'canary-of-the-database';
/** Faults that a row tells; the rest is counted. */
const TOLD = 5;
/** Section 4A: hostile input. HOSTILE_SEED repeats a run, HOSTILE_CLASSES (A1,A5) narrows it. */
export const hostile = async ({ scale }, report) => {
    const seed = Number(process.env.HOSTILE_SEED || randomInt(2 ** 31));
    const only = process.env.HOSTILE_CLASSES?.split(',');
    process.stdout.write(`HOSTILE_SEED=${seed} repeats this run\n`);
    const rig = await startRig({
        shared_preload_libraries: 'pg_stat_statements',
        'pg_stat_statements.max': '10000',
    });
    const issuer = await startIssuer();
    try {
        await rig.client.query('CREATE SCHEMA statistics; CREATE EXTENSION pg_stat_statements WITH SCHEMA statistics');
        const { host, user, database } = rig.postgres.connection;
        const server = await rig.serve({
            DATABASE_URL: `postgresql://${user}:${DATABASE_PASSWORD}@localhost/${database}?host=${encodeURIComponent(host)}`,
            OIDC_ISSUER: issuer.address,
            OIDC_AUDIENCE: AUDIENCE,
        });
        const ground = await prepare({
            port: server.port,
            query: async (text, values) => (await rig.client.query(text, values)).rows,
            statements: async () => (await rig.client.query('SELECT DISTINCT query FROM statistics.pg_stat_statements(true)')).rows.map(({ query }) => query),
            isAlive: () => server.child.exitCode === null && server.child.signalCode === null,
            printed: () => server.printed(),
            sysadminPassword: SYSADMIN_PASSWORD,
            issuer,
            secrets: [DATABASE_PASSWORD],
        });
        let sent = 0;
        const started = performance.now();
        for (const attack of ATTACKS) {
            if (only && !only.includes(attack.id))
                continue;
            const outcome = await runClass(attack, ground, scale, seed);
            sent += outcome.sent;
            report(rowOf(attack.id, attack.goal, outcome));
        }
        const seconds = (performance.now() - started) / 1_000;
        process.stdout.write(`            ${sent} requests in ${seconds.toFixed(0)} s, ${(sent / seconds).toFixed(0)} a second, one process throughout\n`);
    }
    finally {
        await issuer.stop();
        await rig.stop();
    }
};
function rowOf(id, goal, outcome) {
    const { sent, refused, failed, leaks, hangs, slowest, sideEffects, wrong, remark } = outcome;
    const faults = faultsOf(outcome);
    const figure = [
        `sent ${sent}, 4xx ${refused}, 5xx ${failed}, leaks ${leaks.length}, hangs ${hangs}, slowest ${slowest.toFixed(0)} ms, side effects ${sideEffects.length}, wrong ${wrong.length}`,
        ...(remark === undefined ? [] : [remark]),
        ...faults.slice(0, TOLD),
        ...(faults.length > TOLD ? [`and ${faults.length - TOLD} more`] : []),
    ].join('\n            ');
    return { id, goal, figure, met: isMet(outcome) };
}
//# sourceMappingURL=hostile.js.map