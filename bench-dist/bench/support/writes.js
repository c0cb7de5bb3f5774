import { printTable } from './table.js';
import { LAST_NAMES } from './words.js';
/** What search alone needs of the table of users. */
const SEARCH_INDEXES = ['users_walk_idx', 'users_long_walk_idx', 'users_quick_search_idx'];
const WRITES = 2_000;
const ROUNDS = 5;
/**
 * Prints the size of the indexes of search, and what creating users costs with them and without:
 * rounds of both by turns, each user its own statement, everything rolled back at the end.
 */
export async function measureWrites(client) {
    const { rows } = await client.query(`SELECT relname AS name, pg_size_pretty(pg_relation_size(oid)) AS size FROM pg_class
     WHERE relname ~ '^(users|documents)(_(long_)?walk_idx|_quick_search_idx)?$' ORDER BY relname`);
    printTable(['relation', 'size'], rows.map(({ name, size }) => [name, size]));
    const times = { with: [], without: [] };
    for (let round = 0; round < ROUNDS; round++)
        for (const kind of ['with', 'without']) {
            await client.query('BEGIN');
            if (kind === 'without')
                for (const index of SEARCH_INDEXES)
                    await client.query(`DROP INDEX ${index}`);
            const started = performance.now();
            for (let n = 0; n < WRITES; n++)
                await client.query(`INSERT INTO users (login, first_name, last_name, title, email, user_function, status)
           VALUES ($1, 'Brigitte', $2, 'Brigitte ' || $2, $1 || '@company.example', 'Project manager', 1)`, [`new.${round}.${n}`, LAST_NAMES[n % LAST_NAMES.length]]);
            times[kind].push(((performance.now() - started) * 1000) / WRITES);
            await client.query('ROLLBACK');
        }
    const median = (list) => [...list].sort((a, b) => a - b)[ROUNDS >> 1];
    const [costly, plain] = [median(times.with), median(times.without)];
    printTable(['creating a user', 'µs'], [
        ['with the search indexes', costly.toFixed(0)],
        ['without', plain.toFixed(0)],
        ['ratio', (costly / plain).toFixed(2)],
    ]);
}
//# sourceMappingURL=writes.js.map