import { makeSecret } from '../../../src/auth/credentials/secret.js';
import { makeUser, openDoors, settle } from './prepare.js';
import { chiSquaredTail } from './statistics.js';
import { AUTHENTICATION, call, type Harness, signIn, startHarness, tokenOf } from '../harness.js';
import type { Section } from '../report-row.js';
import { SYSADMIN_PASSWORD } from '../../support/prepare-database.js';
import { type Answer, DEMO_PASSWORD } from '../../support/send.js';

/** B7 and B8: no issued secret appears in the database or in a log. */
export const secrets: Section = async ({ scale }, report) => {
  const harness = await startHarness({
    settings: { log_statement: 'all', log_min_duration_statement: '0' },
  });
  const server = await harness.serve({ LOG_LEVEL: 'trace', SYSADMIN_PASSWORD });
  await openDoors(harness);
  await settle();
  const canaries = await issue(harness, server.port, Math.ceil(1_000 * scale));
  const dump = await dumpOf(harness);
  const inDump = canaries.filter((secret) => dump.includes(secret)).length;
  const samples = Math.ceil(100_000 * scale);
  const made = Array.from({ length: samples }, () => makeSecret());
  const p = evenness(made);
  const duplicates = samples - new Set(made).size;
  report({
    id: 'B7',
    goal: 'a dump holds none of the issued secrets; tokens of 256 random bits, no duplicate, evenly spread',
    figure: `${canaries.length} secrets in ${dump.length} characters: ${inDump} hits; ${samples} tokens of ${made[0]!.length} characters, ${duplicates} duplicates, chi-squared p = ${p.toFixed(3)}`,
    met: inDump === 0 && duplicates === 0 && p > 0.001 && made[0]!.length === 43,
  });
  const logs = server.printed() + harness.databaseLog();
  const inLogs = canaries.filter((secret) => logs.includes(secret)).length;
  report({
    id: 'B8',
    goal: 'the same secrets in the log of the server (trace) and of PostgreSQL (all statements): none',
    figure: `${logs.length} characters of logs, ${inLogs} hits`,
    met: inLogs === 0 && logs.length > 100_000,
  });
  await harness.stop();
};

/** Issues tokens, keys and passwords, uses them everywhere that accepts them, and returns them. */
async function issue(harness: Harness, port: number, count: number): Promise<string[]> {
  const admin = await tokenOf(port, 'alice.martin');
  const issued: string[] = [SYSADMIN_PASSWORD, admin];
  const id = await makeUser(port, admin, 'canary');
  for (let at = 0; at < count; at++) {
    const token = await tokenOf(port, at % 2 ? 'canary' : 'bruno.keller');
    issued.push(token);
    await call(port, `/navigation/workplace/categories?_AuthenticationKey=${token}`);
    await call(port, `/navigation/search/workplace?_AuthenticationKey=${token}&query=x`);
    await call(port, `/api/v2/directory/users?_AuthenticationKey=${token}`, { token });
  }
  issued.push(...(await issueCookies(port, Math.ceil(count / 10))));
  for (let at = 0; at < count / 50; at++) {
    const path = `/api/v2/directory/users/${id}/api-keys`;
    const made = await call(port, path, { method: 'POST', token: admin, body: { name: `k${at}` } });
    if (made.status !== 201) break;
    const { key } = JSON.parse(made.text) as { key: string };
    issued.push(key);
    await signIn(port, 'canary', key);
    const password = `Canary-${makeSecret().slice(0, 20)}-1a`;
    issued.push(password);
    const to = `/api/v2/directory/users/${id}/password`;
    await call(port, to, { method: 'PUT', token: admin, body: { password } });
    await signIn(port, 'canary', password);
    await signIn(port, password, 'typed into the wrong field');
    await call(port, '/api/v2/directory/users', {
      method: 'POST',
      token: admin,
      body: { login: 'canary', lastName: 'Taken', password },
    });
    await harness.query(
      `UPDATE passwords SET hash = (SELECT hash FROM passwords p JOIN users u ON u.id = p.user_id WHERE login = 'bruno.keller') WHERE user_id = $1`,
      [id],
    );
  }
  // A user may type the password as the login by mistake; that must not appear in a log either.
  return issued;
}

/** Signs a browser in, renews its session, and returns the secrets of every cookie and token. */
async function issueCookies(port: number, count: number): Promise<string[]> {
  const issued: string[] = [];
  const page = { Origin: 'http://page.test', Host: 'page.test' };
  const keep = ({ headers, text }: Answer): string => {
    const [cookie = ''] = headers['set-cookie']?.[0]?.split(';', 1) ?? [];
    issued.push(...cookie.replace('session=', '').split('.'));
    issued.push((JSON.parse(text) as { token: string }).token);
    return cookie;
  };
  const headers = { ...page, Prefer: 'renewal' };
  let cookie = keep(await signIn(port, 'bruno.keller', DEMO_PASSWORD, { headers }));
  for (let at = 0; at < count; at++) {
    const renewal = { method: 'POST', headers: { ...page, Cookie: cookie } };
    cookie = keep(await call(port, `${AUTHENTICATION}/renewal`, renewal));
  }
  return [...new Set(issued)];
}

async function dumpOf(harness: Harness): Promise<string> {
  const tables = await harness.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const texts = await tables.reduce<Promise<string[]>>(async (before, { name }) => {
    const all = await before;
    const rows = await harness.query<{ line: string }>(`SELECT t::text AS line FROM "${name}" t`);
    return [...all, ...rows.map(({ line }) => line)];
  }, Promise.resolve([]));
  return texts.join('\n');
}

/** The p-value of a chi-squared test of the first 8 bits. */
function evenness(secrets: string[]): number {
  const counts = Array<number>(256).fill(0);
  for (const secret of secrets) counts[Buffer.from(secret, 'base64url')[0]!]!++;
  const expected = secrets.length / counts.length;
  const statistic = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  return chiSquaredTail(statistic, counts.length - 1);
}
