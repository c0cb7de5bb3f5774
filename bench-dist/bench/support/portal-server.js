import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { migrations } from '../../migrations/index.js';
import { loadConfig } from '../../src/config/config.js';
import { startEmbeddedServer } from '../../src/database/embedded-server.js';
import { migrate } from '../../src/database/migrate.js';
const SYSADMIN_PASSWORD = 'Sysadmin-Bench-2026';
/** Longest wait for the server to answer, in milliseconds. */
const START_TIMEOUT = 60_000;
/** Loading may be lost, so it need not wait for the disk; measuring uses the settings as shipped. */
const LOADING = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    max_wal_size: '8GB',
    maintenance_work_mem: '256MB',
};
/** @param load fills the empty, migrated database; without it the demonstration portal is seeded */
export async function startPortalServer(load) {
    const folder = mkdtempSync(join(tmpdir(), 'process-platform-bench-'));
    const remove = () => rmSync(folder, { recursive: true, force: true });
    let child;
    try {
        if (load)
            await loadInto(folder, load);
        const port = await freePort();
        child = spawn(process.execPath, [join(process.cwd(), 'dist/src/main.js')], {
            cwd: folder,
            env: {
                PATH: process.env.PATH,
                PORT: String(port),
                DEMO_DATA: String(!load),
                SYSADMIN_PASSWORD,
                LOG_LEVEL: 'warn',
            },
            stdio: ['ignore', 'inherit', 'ignore'],
        });
        const base = `http://127.0.0.1:${port}`;
        await untilReady(base, child);
        const host = join(folder, '.data', 'socket');
        const client = new pg.Client({ host, user: 'platform', database: 'platform', ssl: false });
        await client.connect();
        const stop = async () => {
            await client.end();
            await stopProcess(child);
            remove();
        };
        return { base, client, signIn: (...who) => signIn(base, ...who), stop };
    }
    catch (error) {
        if (child)
            await stopProcess(child);
        remove();
        throw error;
    }
}
async function loadInto(folder, load) {
    const server = await startEmbeddedServer({ folder: join(folder, '.data'), settings: LOADING });
    const client = new pg.Client(server.connection);
    try {
        const config = loadConfig({}).withDatabase(server.connection);
        await migrate(config, { migrations, demonstration: [] }, () => Promise.resolve());
        await client.connect();
        await load(client);
    }
    finally {
        await client.end();
        await server.stop();
    }
}
/** Passwords are set over HTTP, as an administrator would. */
async function signIn(base, login, password) {
    if (password !== undefined)
        return tokenOf(base, login, password);
    const token = await tokenOf(base, 'sysadmin', SYSADMIN_PASSWORD);
    const headers = { 'X-AUTHENTICATION-KEY': token, 'Content-Type': 'application/json' };
    const users = `${base}/api/v2/directory/users`;
    const [user] = (await (await fetch(`${users}?filters=login:eq:${login}`, { headers })).json());
    const body = JSON.stringify({ currentPassword: null, password: SYSADMIN_PASSWORD });
    const set = await fetch(`${users}/${user.id}/password`, { method: 'PUT', headers, body });
    if (!set.ok)
        throw new Error(`the password of ${login} cannot be set: ${await set.text()}`);
    return tokenOf(base, login, SYSADMIN_PASSWORD);
}
async function tokenOf(base, login, password) {
    const answer = await fetch(`${base}/api/v2/authentication`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ login, password }),
    });
    if (!answer.ok)
        throw new Error(`${login} cannot sign in: ${await answer.text()}`);
    return (await answer.json()).token;
}
async function untilReady(base, child) {
    const deadline = Date.now() + START_TIMEOUT;
    for (;;) {
        const ready = await fetch(`${base}/health/ready`).catch(() => undefined);
        if (ready?.ok)
            return;
        if (child.exitCode !== null || Date.now() > deadline)
            throw new Error('the server does not start');
        await delay(100);
    }
}
function stopProcess(child) {
    if (child.exitCode !== null)
        return Promise.resolve();
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    return ended;
}
function freePort() {
    return new Promise((resolve, reject) => {
        const server = createServer();
        server.once('error', reject);
        server.listen(0, '127.0.0.1', () => {
            const { port } = server.address();
            server.close(() => resolve(port));
        });
    });
}
//# sourceMappingURL=portal-server.js.map