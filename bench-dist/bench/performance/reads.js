import { compareByTurns, load } from './load.js';
import { ratioResult } from './result.js';
import { checkSame, start } from './site.js';
/** Compares what the server answers with another that answers the same bytes. */
async function against(work, goal, [site, other, name], paths, { seconds, pairs }) {
    for (const path of paths.slice(0, 3))
        await checkSame(site, other, path);
    const comparison = await compareByTurns({
        ours: () => load(site.server.port, requests(paths, site.token), { seconds }),
        other: () => load(other.port, requests(paths, site.token), { seconds }),
    }, pairs);
    return ratioResult(work, name, goal, comparison);
}
export const requests = (paths, token) => paths.map((path) => ({ method: 'GET', path, headers: { 'X-AUTHENTICATION-KEY': token } }));
export const PAGE = '/api/v2/directory/users?range=0-50';
/** The same page for whoever asks by name: the hand-written server answers just this one. */
const PLAIN = 'hand-written, pg as it comes';
const BEST = 'the best hand-written';
/** Pages of users, one user, a constant: the main API against hand-written servers. */
export async function mainReads(site, turns) {
    const pages = Array.from({ length: 8 }, (_, page) => `/api/v2/directory/users?range=${page * 50}-50`);
    const { rows } = await site.client.query('SELECT id FROM users WHERE NOT sysadmin ORDER BY hashint8(id) LIMIT 500');
    const ones = rows.map(({ id }) => `/api/v2/directory/users/${id}`);
    const nest = await start('bench/performance/nest-server.js');
    try {
        return [
            await against('page of 50 users', 1, [site, site.plain, PLAIN], pages, turns),
            await against('page of 50 users', 0.85, [site, site.best, BEST], pages, turns),
            await against('a constant', 0.75, [site, nest, "NestJS's own"], ['/api/v2'], turns),
            await against('one user, detailed', 0.45, [site, site.best, BEST], ones, turns),
        ];
    }
    finally {
        await nest.stop();
    }
}
/** What a portal asks for to show its people their tiles. */
export async function navigationReads(site, turns) {
    const workplace = '/navigation/workplace';
    const { rows } = await site.client.query(`SELECT ac.category_id AS category, a.id AS application FROM applications a
       JOIN application_categories ac ON ac.application_id = a.id
     WHERE a.type = 'PROCESS' AND a.view_id IS NOT NULL AND a.audience @> '{0}' ORDER BY a.id LIMIT 1`);
    const { category, application } = rows[0];
    const calls = {
        categories: `${workplace}/categories`,
        'apps of a category': `${workplace}/apps?category=/navigation/categories/${category}`,
        indicator: `${workplace}/apps/indicator?applicationUri=/navigation/applications/${application}`,
        'whole workplace': workplace,
    };
    const results = [];
    for (const [work, path] of Object.entries(calls))
        results.push(await against(work, 0.5, [site, site.best, BEST], [path], turns));
    return results;
}
/** Pages of the search for people, by words that are common. */
export function searchReads(site, turns) {
    const paths = ['a', 'an', 'mar', 'er', 'manager'].map((query) => `/navigation/search/workplace?searchName=workplace_searchUsers&searchField=quickSearch&query=${query}`);
    return against('search, page of 20', 0.8, [site, site.best, BEST], paths, turns);
}
//# sourceMappingURL=reads.js.map