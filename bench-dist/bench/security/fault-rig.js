import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { demoMigrations } from '../../migrations/demo/index.js';
import { migrations } from '../../migrations/index.js';
import { loadConfig } from '../../src/config/config.js';
import { setFirstSysadminPassword } from '../../src/credentials/sysadmin-password.js';
import { startEmbeddedServer } from '../../src/database/embedded-server.js';
import { migrate } from '../../src/database/migrate.js';
import { startInstance, SYSADMIN_PASSWORD } from './rig.js';
const SIGNALS = {
    fast: 'SIGINT',
    immediate: 'SIGQUIT',
    killed: 'SIGKILL',
};
/**
 * @param options.empty leaves the database without a schema
 * @param options.folder where its data is to be
 */
export async function startFaultRig(options = {}) {
    const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'process-platform-faults-'));
    let postgres = await startEmbeddedServer({ folder });
    if (!options.empty)
        await prepareDatabase(postgres.connection);
    const instances = new Set();
    let last;
    const url = urlOf(postgres.connection);
    const connect = async () => {
        const { superuser, connection } = postgres;
        const client = new pg.Client({ ...superuser, database: connection.database });
        client.on('error', () => undefined);
        await client.connect();
        return client;
    };
    return {
        url,
        pid: () => postgres.pid,
        query: async (text, values) => {
            const client = await connect();
            try {
                return (await client.query(text, values)).rows;
            }
            finally {
                await client.end();
            }
        },
        hold: async (text) => {
            const client = await connect();
            await client.query(text);
            return client;
        },
        serve: async (env = {}, node = []) => {
            const all = { DATABASE_URL: url, LOG_LEVEL: 'warn', ...env };
            return startInstance(all, node, {
                spawned: (child) => {
                    last = child;
                    instances.add(child);
                },
            });
        },
        lastServed: () => last?.pid,
        endPostgres: async (how) => {
            process.kill(postgres.pid, SIGNALS[how]);
            await postgres.stop();
        },
        startPostgres: async () => {
            postgres = await startEmbeddedServer({ folder });
        },
        stop: async () => {
            for (const child of instances)
                child.kill('SIGKILL');
            await postgres.stop();
            rmSync(folder, { recursive: true, force: true });
        },
    };
}
const urlOf = ({ host, user, database }) => `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}`;
/** Schema, demonstration portal and the password of sysadmin. */
export async function prepareDatabase(connection) {
    const config = loadConfig({ DEMO_DATA: 'true', SYSADMIN_PASSWORD }).withDatabase(connection);
    await migrate(config, { migrations, demonstration: demoMigrations }, async () => {
        await setFirstSysadminPassword(config);
    });
}
/** Asks again until it holds; how long that took in milliseconds, or undefined when it never did. */
export async function until(holds, { within, every = 10 }) {
    const started = performance.now();
    while (performance.now() - started < within) {
        if (await holds().catch(() => false))
            return performance.now() - started;
        await delay(every);
    }
    return undefined;
}
/** Whether a process lives. */
export function isAlive({ child }) {
    return child.exitCode === null && child.signalCode === null;
}
//# sourceMappingURL=fault-rig.js.map