import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { databaseLimit, type Note, transactionsARequest } from './performance/database.js';
import { mainReads, navigationReads, searchReads } from './performance/reads.js';
import {
  atMost,
  type Growth,
  printResult,
  type Result,
  writePicture,
} from './performance/result.js';
import { combinations, counts, deepPages, growth, memory } from './performance/scale.js';
import { type Site, startServer, startSite } from './performance/site.js';
import { workers } from './performance/workers.js';
import { signIns, userWrites } from './performance/writes.js';
import {
  createBenchFolder,
  removeBenchFolder,
  SYSADMIN_PASSWORD,
} from './support/bench-database.js';

/**
 * How quick the server is, beside hand-written ones and beside itself: `npm run bench`. It makes
 * databases of its own, with few users and with many, starts the server as it is shipped and the
 * others on them, and measures them by turns. `-- --users 100000 --seconds 1 --requests 50000` is
 * quicker; `--keep` leaves the large database, `--folder` uses it again; `--only writes,reads`.
 */
const { values: options } = parseArgs({
  options: {
    users: { type: 'string', default: '1000000' },
    few: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '3' },
    pairs: { type: 'string', default: '5' },
    requests: { type: 'string', default: '500000' },
    folder: { type: 'string' },
    keep: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const users = Number(options.users);
const few = Number(options.few);
const turns = { seconds: Number(options.seconds), pairs: Number(options.pairs) };
const only = options.only?.split(',');

const FILE = 'bench-report.json';
const PICTURE = 'bench-report.svg';
const DEMO_PASSWORD = 'Portal-Demo-2026';
/** Content beside the users: enough for the lists that are part of the mix. */
const DOCUMENTS = 10_000;

const results: Result[] = [];
const drawn: Growth[] = [];
const notes: Note[] = [];

function report(...made: Result[]): void {
  for (const result of made) printResult(result);
  results.push(...made);
}

function note(...made: Note[]): void {
  for (const { work, figure } of made) process.stdout.write(`       ${work}\n         ${figure}\n`);
  notes.push(...made);
}

/** Runs a part of the report unless others were asked for. */
async function part(name: string, work: () => Promise<void>): Promise<void> {
  if (only && !only.includes(name)) return;
  process.stdout.write(`\n${name}\n`);
  await work();
}

const sysadmin = { login: 'sysadmin', password: SYSADMIN_PASSWORD };
const folders: string[] = [];
const sites: Site[] = [];

async function siteWith(count: number, existing?: string): Promise<Site> {
  const folder = existing ?? (await createBenchFolder({ users: count, documents: DOCUMENTS }));
  if (!existing) folders.push(folder);
  const site = await startSite(folder, sysadmin);
  sites.push(site);
  return site;
}

try {
  await part('portal', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'process-platform-bench-'));
    folders.push(folder);
    const env = { DEMO_DATA: 'true', SYSADMIN_PASSWORD };
    const first = await startServer(folder, env);
    report(atMost('first start with demonstration data', first.took / 1_000, 10, 's'));
    await first.stop();
    const portal = await startSite(folder, { login: 'alice.martin', password: DEMO_PASSWORD }, env);
    sites.push(portal);
    report(...(await navigationReads(portal, turns)));
    report(...(await signIns(portal, DEMO_PASSWORD, turns)));
    await portal.stop();
    sites.pop();
  });
  const large = await siteWith(users, options.folder);
  await part('start', () => {
    report(atMost(`start on ${users} users`, large.server.took / 1_000, 2, 's'));
    return Promise.resolve();
  });
  await part('reads', async () => {
    report(...(await mainReads(large, turns)));
    report(await searchReads(large, turns));
    note(await databaseLimit(large, turns));
  });
  await part('statements', async () =>
    note(
      ...(await transactionsARequest(large, {
        'page of users': '/api/v2/directory/users',
        'one user': '/api/v2/directory/users/me',
        search:
          '/navigation/search/workplace?searchName=workplace_searchUsers&searchField=quickSearch&query=an',
        'whole workplace': '/navigation/workplace',
        'a constant': '/api/v2',
      })),
    ),
  );
  await part('filters', async () => report(...(await combinations(large, turns))));
  await part('counts', async () => report(...(await counts(large))));
  await part('growth', async () => {
    const small = await siteWith(few);
    const grown = await growth([small, large], [few, users], turns);
    report(...grown.results);
    drawn.push(...grown.growth);
  });
  await part('writes', async () => report(...(await userWrites(large, turns))));
  await part('workers', async () => report(await workers(large, sysadmin, turns)));
  await part('deep', async () => report(...(await deepPages(large, users))));
  await part('memory', async () => report(...(await memory(large, Number(options.requests)))));
} finally {
  for (const site of sites) await site.stop();
  if (options.keep) process.stdout.write(`kept: ${folders.join(', ')}\n`);
  else for (const folder of folders) removeBenchFolder(folder);
}
writeFileSync(
  FILE,
  `${JSON.stringify({ date: new Date(), users, few, turns, results, notes, growth: drawn }, null, 2)}\n`,
);
writePicture(PICTURE, results, drawn);
const met = results.filter((result) => result.met).length;
process.stdout.write(`\n${met} of ${results.length} goals met; ${FILE}, ${PICTURE}\n`);
