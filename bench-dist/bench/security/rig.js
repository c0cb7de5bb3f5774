import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { demoMigrations } from '../../migrations/demo/index.js';
import { migrations } from '../../migrations/index.js';
import { loadConfig } from '../../src/config/config.js';
import { setFirstSysadminPassword } from '../../src/credentials/sysadmin-password.js';
import { startEmbeddedServer } from '../../src/database/embedded-server.js';
import { migrate } from '../../src/database/migrate.js';
export const DEMO_PASSWORD = 'Portal-Demo-2026';
export const SYSADMIN_PASSWORD = 'Sysadmin-Report-2026';
/** @param settings of PostgreSQL, e.g. `{ log_statement: 'all' }` */
export async function startRig(settings = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'process-platform-report-'));
    const postgres = await startEmbeddedServer({ folder, settings });
    const config = loadConfig({ DEMO_DATA: 'true', SYSADMIN_PASSWORD }).withDatabase(postgres.connection);
    await migrate(config, { migrations, demonstration: demoMigrations }, async () => {
        await setFirstSysadminPassword(config);
    });
    const client = new pg.Client({ ...postgres.superuser, database: postgres.connection.database });
    await client.connect();
    const instances = new Set();
    const { host, user, database } = postgres.connection;
    const url = `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}`;
    return {
        folder,
        postgres,
        client,
        databaseLog: () => readFileSync(join(folder, 'postgres.log'), 'utf8'),
        serve: async (env = {}, node = []) => {
            const instance = await startInstance({ DATABASE_URL: url, ...env }, node);
            instances.add(instance);
            return instance;
        },
        stop: async () => {
            await Promise.all([...instances].map((instance) => instance.stop()));
            await client.end();
            await postgres.stop();
            rmSync(folder, { recursive: true, force: true });
        },
    };
}
/** The shipped server as a process of its own; resolves when it listens. */
export async function startInstance(env, node, { output, spawned } = {}) {
    const child = spawn(process.execPath, [...node, resolve('dist/src/main.js')], {
        env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', DEMO_DATA: 'false', ...env },
        stdio: ['ignore', output ?? 'pipe', 'pipe'],
    });
    spawned?.(child);
    // Also when measuring itself breaks off.
    const abandon = () => child.kill('SIGKILL');
    process.once('exit', abandon);
    child.once('exit', () => process.off('exit', abandon));
    let printed = '';
    const ended = new Promise((done) => child.on('exit', () => done()));
    const port = await new Promise((done, fail) => {
        const read = (chunk) => {
            printed += chunk.toString();
            const [, found] = /listens on http:\/\/[^\s]*:(\d+)/.exec(printed) ?? [];
            if (found)
                done(Number(found));
        };
        child.stdout?.on('data', read);
        child.stderr?.on('data', read);
        child.on('exit', () => fail(new Error(`the server ended: ${printed}`)));
    });
    const stop = async () => {
        if (child.exitCode === null && child.signalCode === null)
            child.kill('SIGTERM');
        await ended;
    };
    return { port, child, printed: () => printed, stop };
}
/** One call. */
export function call(port, path, options = {}) {
    const { method, token, body, headers, from, agent } = options;
    const content = body === undefined ? undefined : JSON.stringify(body);
    const all = {
        ...(content === undefined
            ? {}
            : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(content) }),
        ...(token === undefined ? {} : { 'X-AUTHENTICATION-KEY': token }),
        ...headers,
    };
    return new Promise((done, fail) => {
        const started = performance.now();
        const request = httpRequest({ host: '127.0.0.1', port, path, method, headers: all, localAddress: from, agent }, (response) => {
            const chunks = [];
            response.on('data', (chunk) => chunks.push(chunk));
            response.on('error', fail);
            response.on('end', () => done({
                status: response.statusCode ?? 0,
                headers: response.headers,
                text: Buffer.concat(chunks).toString(),
                duration: performance.now() - started,
            }));
        });
        request.on('error', (error) => {
            // A kept connection may be closed by the server just when it is used again (RFC 9112 section 9.3.1).
            if (request.reusedSocket && error.code === 'ECONNRESET')
                call(port, path, options).then(done, fail);
            else
                fail(error);
        });
        request.end(content);
    });
}
export const AUTHENTICATION = '/api/v2/authentication';
/** An attempt to sign in. */
export const signIn = (port, login, password = DEMO_PASSWORD, more = {}) => call(port, AUTHENTICATION, { method: 'POST', body: { login, password }, ...more });
/** The token of somebody who can sign in. */
export async function tokenOf(port, login, password) {
    const { text, status } = await signIn(port, login, password);
    if (status !== 200)
        throw new Error(`${login} cannot sign in: ${text}`);
    return JSON.parse(text).token;
}
//# sourceMappingURL=rig.js.map