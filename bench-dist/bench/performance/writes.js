import { hash, verify } from '@node-rs/argon2';
import { compareByTurns, load } from './load.js';
import { atLeast, ratioResult } from './result.js';
/** Creating and changing users: validated, audited, one transaction each. */
export async function userWrites(site, { seconds, pairs }) {
    const { rows } = await site.client.query('SELECT id FROM users WHERE NOT sysadmin ORDER BY hashint8(id) LIMIT 500');
    let made = 0;
    const headers = { 'X-AUTHENTICATION-KEY': site.token, 'Content-Type': 'application/json' };
    const posts = [
        {
            method: 'POST',
            path: '/api/v2/directory/users',
            headers,
            setupRequest: (request) => {
                const login = `written.${process.pid}.${++made}`;
                return {
                    ...request,
                    body: JSON.stringify({
                        login,
                        firstName: 'Brigitte',
                        lastName: `Written ${made}`,
                        title: `Brigitte Written ${made}`,
                        email: `${login}@company.example`,
                        status: 1,
                    }),
                };
            },
        },
    ];
    const patches = rows.map(({ id }) => ({
        method: 'PATCH',
        path: `/api/v2/directory/users/${id}`,
        headers,
        setupRequest: (request) => ({
            ...request,
            body: JSON.stringify([{ op: 'replace', path: '/userFunction', value: `Function ${++made}` }]),
        }),
    }));
    const by = (requests) => compareByTurns({
        ours: () => load(site.server.port, requests, { seconds }),
        other: () => load(site.best.port, requests, { seconds }),
    }, pairs);
    const name = 'hand-written with the same writes';
    const results = [
        ratioResult('POST of a user', name, 0.5, await by(posts)),
        ratioResult('PATCH of a user', name, 0.5, await by(patches)),
    ];
    await site.client.query(`DELETE FROM users WHERE login LIKE 'written.%'`);
    return results;
}
/** The two passwords that are compared, as the server stores them. */
const SETTINGS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const AT_ONCE = 2;
/** Signing in by password against argon2 alone, and by API key. */
export async function signIns(site, password, { seconds, pairs }) {
    const { rows } = await site.client.query(`SELECT u.id, u.login FROM users u JOIN passwords p ON p.user_id = u.id
     WHERE u.status = 1 AND NOT u.sysadmin ORDER BY u.id LIMIT 100`);
    const stored = await hash(password, SETTINGS);
    const bare = async () => {
        const until = performance.now() + seconds * 1_000;
        let evaluated = 0;
        const work = async () => {
            for (; performance.now() < until; evaluated++)
                await verify(stored, password, SETTINGS);
        };
        await Promise.all(Array.from({ length: AT_ONCE }, work));
        return { rate: evaluated / seconds, p50: 0, p99: 0 };
    };
    const byPassword = rows.map(({ login }) => signIn(login, password));
    const comparison = await compareByTurns({ ours: () => load(site.server.port, byPassword, { seconds }), other: bare }, pairs);
    const byKey = [];
    for (const { id, login } of rows.slice(0, 50))
        byKey.push(signIn(login, await apiKeyOf(site.server, site.token, id)));
    await load(site.server.port, byKey, { seconds });
    const run = await load(site.server.port, byKey, { seconds });
    return [
        ratioResult('sign-in by password', 'argon2 alone', 0.9, comparison),
        atLeast('sign-in by API key', run.rate, 3_000, 'a second', `p50 ${run.p50}, p99 ${run.p99} ms`),
    ];
}
const signIn = (login, password) => ({
    method: 'POST',
    path: '/api/v2/authentication',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ login, password }),
});
async function apiKeyOf({ port }, token, id) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v2/directory/users/${id}/api-keys`, {
        method: 'POST',
        headers: { 'X-AUTHENTICATION-KEY': token, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'benchmark' }),
    });
    if (!answer.ok)
        throw new Error(`no API key: ${await answer.text()}`);
    return (await answer.json()).key;
}
//# sourceMappingURL=writes.js.map