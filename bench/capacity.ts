import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { addUsers } from './security/load/many-users.js';
import { type Instance, type Rig, signIn, startRig, tokenOf } from './security/rig.js';
import { attempt, keepAlive, keepCalling, type Outcome } from './security/traffic.js';

/**
 * What a call costs in processor time, of the server and of PostgreSQL: `npm run bench:capacity`
 * (`-- --users 1000 --seconds 2` is quicker). Unlike calls a second, this hardly depends on what else
 * the machine does; docs/sizing.md counts with it.
 */
const { values: options } = parseArgs({
  options: {
    users: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '6' },
  },
});

/** Clock ticks a second of /proc, which Linux fixes. */
const TICKS = 100;
const CALLERS = 16;

/** Processor time that a process has used, in seconds. */
function timeOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return 0;
  }
}

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => {
      try {
        const stat = readFileSync(`/proc/${other}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid;
      } catch {
        return false;
      }
    });

const timeOfDatabase = ({ postgres }: Rig): number =>
  [postgres.pid, ...childrenOf(postgres.pid)].reduce((total, pid) => total + timeOf(pid), 0);

async function measure(
  rig: Rig,
  server: Instance,
  name: string,
  one: () => Promise<Outcome>,
): Promise<void> {
  const warm = keepCalling(CALLERS, one);
  await new Promise((done) => setTimeout(done, 1_000));
  await warm.stop();
  const before = { server: timeOf(server.child.pid!), database: timeOfDatabase(rig) };
  const calls = keepCalling(CALLERS, one);
  await new Promise((done) => setTimeout(done, Number(options.seconds) * 1_000));
  await calls.stop();
  const count = calls.outcomes.length;
  const failed = calls.outcomes.filter(({ status }) => status >= 400 || status <= 0).length;
  const [ofServer, ofDatabase] = [
    timeOf(server.child.pid!) - before.server,
    timeOfDatabase(rig) - before.database,
  ].map((seconds) => ((seconds / count) * 1_000).toFixed(2));
  process.stdout.write(
    `| ${name} | ${ofServer} | ${ofDatabase} | ${count}${failed > 0 ? ` (${failed} failed)` : ''} |\n`,
  );
}

const rig = await startRig();
try {
  await addUsers((text) => rig.client.query(text), Number(options.users));
  await rig.client.query('VACUUM ANALYZE');
  const server = await rig.serve({ LOG_LEVEL: 'info' });
  const token = await tokenOf(server.port, 'alice.martin');
  const agent = keepAlive(CALLERS);
  const get = (path: string) => () => attempt(server.port, path, { token, agent });
  let created = 0;
  const create = () =>
    attempt(server.port, '/api/v2/content/documents', {
      method: 'POST',
      token,
      agent,
      body: { title: `Capacity ${created++}`, reference: `CAPACITY-${created}` },
    });
  const search = (query: string) =>
    get(
      `/navigation/search/workplace?searchName=workplace_searchUsers&searchField=quickSearch&query=${query}`,
    );
  process.stdout.write(
    '| call | ms of the server | ms of PostgreSQL | calls |\n| --- | --- | --- | --- |\n',
  );
  const calls: [string, () => Promise<Outcome>][] = [
    ['the session behind a token', get('/api/v2/authentication')],
    ['oneself', get('/api/v2/directory/users/me')],
    ['a page of 50 users by name', get('/api/v2/directory/users?range=0-50&sorter=lastName')],
    ['categories', get('/navigation/workplace/categories')],
    [
      'an indicator',
      get('/navigation/workplace/apps/indicator?applicationUri=/navigation/applications/3'),
    ],
    ['the whole workplace', get('/navigation/workplace')],
    ['a search for a common word', search('ma')],
    ['a search for a rare word', search('lefevre%20chloe')],
    ['creating a document', create],
    [
      'signing in with a password',
      () =>
        signIn(server.port, 'bruno.keller').then(({ status, duration }) => ({
          status,
          duration,
          at: 0,
        })),
    ],
  ];
  for (const [name, one] of calls) await measure(rig, server, name, one);
  agent.destroy();
} finally {
  await rig.stop();
}
