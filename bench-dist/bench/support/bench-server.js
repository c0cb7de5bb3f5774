import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
const START_TIMEOUT = 120_000;
/** @param folder made by createBenchFolder */
export async function startBenchServer(folder) {
    const port = await freePort();
    const main = join(import.meta.dirname, '..', '..', 'src', 'main.js');
    const child = spawn(process.execPath, [main], {
        cwd: folder,
        env: {
            ...process.env,
            PORT: String(port),
            DATABASE_URL: '',
            DEMO_DATA: 'false',
            LOG_LEVEL: 'error',
        },
        stdio: ['ignore', 'ignore', 'inherit'],
    });
    const agent = new Agent({ keepAlive: true });
    const call = (path, { method = 'GET', token, body } = {}) => new Promise((resolve, reject) => {
        const started = performance.now();
        const sent = request({
            agent,
            port,
            host: '127.0.0.1',
            path,
            method,
            headers: {
                ...(token === undefined ? {} : { 'X-AUTHENTICATION-KEY': token }),
                ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
            },
        }, (response) => {
            const chunks = [];
            response.on('data', (chunk) => chunks.push(chunk));
            response.on('end', () => {
                const milliseconds = performance.now() - started;
                const text = Buffer.concat(chunks).toString();
                const isJson = String(response.headers['content-type']).startsWith('application/json');
                resolve({
                    status: response.statusCode ?? 0,
                    body: isJson && text !== '' ? JSON.parse(text) : undefined,
                    milliseconds,
                });
            });
        });
        sent.on('error', reject);
        sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
    await untilReady(child, call);
    return {
        call,
        signIn: async (login, password) => {
            const { status, body } = await call('/api/v2/authentication', {
                method: 'POST',
                body: { login, password },
            });
            if (status !== 200)
                throw new Error(`${login} cannot sign in: ${status}`);
            return body.token;
        },
        stop: async () => {
            agent.destroy();
            const ended = new Promise((resolve) => child.once('exit', resolve));
            child.kill('SIGTERM');
            await ended;
        },
    };
}
async function untilReady(child, call) {
    const deadline = Date.now() + START_TIMEOUT;
    for (;;) {
        const ready = await call('/health/ready').catch(() => undefined);
        if (ready?.status === 200)
            return;
        if (child.exitCode !== null || Date.now() > deadline)
            throw new Error('the server does not start');
        await delay(100);
    }
}
function freePort() {
    return new Promise((resolve) => {
        const probe = createServer().listen(0, '127.0.0.1', () => {
            const { port } = probe.address();
            probe.close(() => resolve(port));
        });
    });
}
/** A password that passes the rules. */
export const newPassword = () => `Aa1!${randomBytes(12).toString('hex')}`;
//# sourceMappingURL=bench-server.js.map