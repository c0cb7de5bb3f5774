import { createHash, randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { call } from './rig.js';
/** One call that never throws. */
export async function attempt(port, path, options = {}) {
    const at = performance.now();
    try {
        const answer = await call(port, path, options);
        return { status: answer.status, duration: answer.duration, at, answer };
    }
    catch (error) {
        const isRefused = error.code === 'ECONNREFUSED';
        return { status: isRefused ? -1 : 0, duration: performance.now() - at, at };
    }
}
/**
 * Callers that each call again as soon as they were answered.
 * @param pause after a call that failed, in milliseconds
 */
export function keepCalling(callers, one, pause = 20) {
    const outcomes = [];
    let running = true;
    const loop = async () => {
        while (running) {
            const outcome = await one();
            outcomes.push(outcome);
            if (outcome.status <= 0 || outcome.status >= 500)
                await new Promise((done) => setTimeout(done, pause));
        }
    };
    const loops = Array.from({ length: callers }, loop);
    return {
        outcomes,
        stop: async () => {
            running = false;
            await Promise.all(loops);
        },
    };
}
/** Connections that are kept between calls. */
export const keepAlive = (connections = 64) => new Agent({ keepAlive: true, maxSockets: connections });
/** @param target where to write now; it may change while they run */
export function keepWriting(target, writers = 16) {
    const journal = [];
    const traffic = keepCalling(writers, async () => {
        const { port, token } = target();
        const login = `w-${randomUUID()}`;
        const lastName = randomUUID();
        const body = { login, lastName, password: `Aa1!${login}` };
        const outcome = await attempt(port, '/api/v2/directory/users', { method: 'POST', token, body });
        if (outcome.status === 201) {
            const { id } = JSON.parse(outcome.answer.text);
            journal.push({ id, login, digest: digestOf(login, lastName) });
        }
        return outcome;
    });
    return { ...traffic, journal };
}
const digestOf = (login, lastName) => createHash('md5').update(`${login}/${lastName}`).digest('hex');
/** What of the journal is missing or different, and which users were written in part. */
export async function compare(query, journal) {
    const stored = await query(`SELECT u.id::text, md5(u.login || '/' || u.last_name) AS digest,
      EXISTS (SELECT FROM passwords p WHERE p.user_id = u.id)
        AND (SELECT count(*) FROM audit a WHERE a.object_uri = '/directory/users/' || u.id AND a.action = 'create') = 1 AS whole
      FROM users u WHERE u.login LIKE 'w-%'`);
    const orphans = await query(`SELECT count(*)::int AS count FROM audit a WHERE a.action = 'create' AND a.object_uri LIKE '/directory/users/%'
      AND NOT EXISTS (SELECT FROM users u WHERE '/directory/users/' || u.id = a.object_uri)`);
    const byId = new Map(stored.map(({ id, digest }) => [id, digest]));
    const lost = journal.filter(({ id, digest }) => byId.get(id) !== digest).length;
    const partial = stored.filter(({ whole }) => whole !== true).length;
    return {
        lost,
        partial: partial + Number(orphans[0].count),
        unacknowledged: stored.length - journal.length,
    };
}
/** The value below which a share of the values lies. */
export function quantile(values, share) {
    const sorted = [...values].sort((one, other) => one - other);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
const NAMES = { 0: 'cut', [-1]: 'refused' };
/** How often each status came, e.g. `200×31 503×4`. */
export function tally(outcomes) {
    const counts = new Map();
    for (const { status } of outcomes)
        counts.set(status, (counts.get(status) ?? 0) + 1);
    return [...counts]
        .sort(([one], [other]) => one - other)
        .map(([status, count]) => `${NAMES[status] ?? status}×${count}`)
        .join(' ');
}
//# sourceMappingURL=traffic.js.map