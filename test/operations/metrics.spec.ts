import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { VERSION } from '../../src/base/config/version.js';
import { makeCertificate } from '../support/certificate.js';
import { runCommand } from '../support/command-line.js';
import { startDatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { startServerProcess, urlOf } from '../support/server-process.js';
import { send, startTestServer, type TestServer } from '../support/test-server.js';

const MONITORING = 'docs/monitoring';

let server: TestServer;
let port: number;
let token: string;
let audited: number;
beforeAll(async () => {
  port = await freePort();
  server = await startTestServer({ HOST: '0.0.0.0', METRICS_PORT: String(port) });
  token = await server.signIn('alice.martin');
  await server.database.query(
    `INSERT INTO audit (action) SELECT 'seed' FROM generate_series(1, 500)`,
  );
  await server.database.query(
    `INSERT INTO audit (id, date, action) VALUES (9000000000000000000, now() - interval '1 hour', 'seed');
     INSERT INTO audit_streams (receiver, position) VALUES ('tcp://behind:601', 8000000000000000000), ('-', 9000000000000000000)`,
  );
  await server.database.query('ANALYZE audit');
  [{ audited } = { audited: 0 }] = await server.database.query<{ audited: number }>(
    'SELECT count(*)::int AS audited FROM audit',
  );
  await server.database.query(
    `INSERT INTO endpoints (label, mode, status) VALUES ('Busy', 'pull', 'active'), ('Idle', 'pull', 'paused')`,
  );
  await server.database.query(
    `INSERT INTO deliveries (endpoint_id, kind, data, status, creation_date)
      SELECT id, 'endpoint.test', '{}', s, now() - make_interval(mins => CASE WHEN status = 'active' THEN 2 ELSE 60 END)
      FROM endpoints, unnest('{waiting,leased,failed,delivered}'::text[]) AS s`,
  );
  await server.database.query(
    // So long an interval that the server does not begin a run of its own.
    `INSERT INTO providers (reference, label, kind, ldap) VALUES ('GOOD', 'Good', 'ldap', '{"intervalMinutes": 10080}'),
       ('BRAKED', 'Braked', 'ldap', '{"intervalMinutes": 10080}'), ('BY-HAND', 'By hand', 'ldap', '{}');
     INSERT INTO provider_runs (provider_id, state, start_date, brake, dry_run)
       SELECT p.id, r.state, now() - r.age, r.brake, r.dry FROM providers p, (VALUES
         ('GOOD', 'failed', interval '3 hours', false, false), ('GOOD', 'done', interval '1 hour', false, false),
         ('GOOD', 'failed', interval '1 minute', true, true),
         ('BRAKED', 'done', interval '2 days', false, false), ('BRAKED', 'failed', interval '1 hour', true, false))
         AS r (reference, state, age, brake, dry) WHERE p.reference = r.reference ORDER BY r.age DESC`,
  );
  // The first reading is cached.
  await read();
});
afterAll(() => server.close());

const read = async (): Promise<string> => (await send(port, '/metrics')).text;

/** The value of a metric with its labels as they are written. */
async function valueOf(metric: string): Promise<number> {
  const line = (await read()).split('\n').find((one) => one.startsWith(`${metric} `));
  return line === undefined ? 0 : Number(line.slice(metric.length + 1));
}

/** How much a metric grows by a call. */
async function growth(metric: string, call: () => Promise<unknown>): Promise<number> {
  const before = await valueOf(metric);
  await call();
  return (await valueOf(metric)) - before;
}

const requests = (method: string, route: string, status: number) =>
  `platform_requests_total{method="${method}",route="${route}",status="${status}"}`;
const refusals = (status: number, reason: string) =>
  `platform_refusals_total{status="${status}",reason="${reason}"}`;

describe('GET /metrics', () => {
  it('needs no token on its own port, which serves only metrics', async () => {
    const answer = await send(port, '/metrics');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect((await send(port, '/')).status).toBe(404);
    expect((await send(port, '/metrics', { method: 'POST' })).status).toBe(404);
    expect((await server.call('/metrics')).status).toBe(404);
  });

  it('answers the calls of one connection one after another, and others between them', async () => {
    let text = '';
    const call = 'GET /metrics HTTP/1.1\r\n\r\n';
    const socket = connect(port, '127.0.0.1', () => socket.write(call.repeat(1_000)));
    socket.on('data', (data) => (text += data.toString('latin1')));
    const answered = (): number => text.split('HTTP/1.1 200').length - 1;
    await eventually(() => expect(answered()).toBeGreaterThan(0));
    await read();
    expect(answered()).toBeLessThan(500);
    socket.destroy();
  });

  it('listens only on 127.0.0.1 unless METRICS_HOST names an address', async () => {
    await expect(fetch(`http://127.0.0.2:${port}/metrics`)).rejects.toThrow('fetch failed');
    const open = await freePort();
    const env = { METRICS_HOST: '0.0.0.0', METRICS_PORT: String(open) };
    const other = await startTestServer(env);
    expect((await fetch(`http://127.0.0.2:${open}/metrics`)).status).toBe(200);
    await other.close();
  });

  it('counts requests by route pattern and status, and how long they took', async () => {
    const list = () => server.call('/api/v2/directory/users?range=0-1', { token });
    expect(await growth(requests('GET', '/api/v2/directory/users', 200), list)).toBe(1);
    const one = () => server.call('/api/v2/directory/users/999999', { token });
    expect(await growth(requests('GET', '/api/v2/directory/users/:id', 404), one)).toBe(1);
    const duration = `platform_request_duration_seconds_count{method="GET",route="/api/v2/directory/users"}`;
    expect(await growth(duration, list)).toBe(1);
    const nowhere = () => server.call('/nowhere/42', { token });
    expect(await growth(requests('GET', 'unknown', 404), nowhere)).toBe(1);
  });

  it('counts denied requests by reason', async () => {
    const guest = () => server.call('/api/v2/directory/users');
    expect(await growth(refusals(401, 'not-signed-in'), guest)).toBe(1);
    const wrong = () => server.signIn('bruno.keller', 'wrong').catch(() => undefined);
    expect(await growth(refusals(401, 'bad-credentials'), wrong)).toBe(1);
    const bad = () => server.call('/api/v2/directory/users?range=x', { token });
    expect(await growth(refusals(400, 'invalid'), bad)).toBe(1);
    const outside = () => server.call('/api/v2', { from: '127.0.0.9' });
    expect(await growth(refusals(403, 'address'), outside)).toBe(1);
    const search = () => server.call('/navigation/search/workplace?query=x');
    expect(await growth('platform_search_errors_total', search)).toBe(1);
  });

  it('reports the pool, the token cache, argon2 and the event loop', async () => {
    const session = () => server.call('/api/v2/authentication', { token });
    await session();
    expect(await growth('platform_token_lookups_total{result="hit"}', session)).toBe(1);
    const signIn = () => server.signIn('bruno.keller');
    expect(await growth('platform_argon2_evaluations_total', signIn)).toBe(1);
    expect(await valueOf('platform_argon2_waiting')).toBe(0);
    expect(await valueOf('platform_pool_waiting')).toBe(0);
    expect(await valueOf('platform_pool_connections{state="idle"}')).toBeGreaterThan(0);
    expect(await read()).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
  });

  it('reports answers from memory, and the reads of the journal in front of them', async () => {
    const look = () => server.call('/navigation/workplace/categories', { token });
    const hits = 'platform_navigation_lookups_total{result="hit"}';
    await look();
    await eventually(async () => expect(await growth(hits, look)).toBe(1));
    // A busy server may read the journal once more for the token.
    const reads = 'platform_journal_reads_total{result="done"}';
    await eventually(async () => expect(await growth(reads, look)).toBe(1));
    expect(await valueOf('platform_journal_reads_total{result="failed"}')).toBe(0);
    const change = () => server.database.query('UPDATE categories SET position = position');
    const changeAndLook = () => change().then(look);
    expect(await growth('platform_journal_changes_total', changeAndLook)).toBe(5);
    expect(await growth('platform_navigation_lookups_total{result="miss"}', changeAndLook)).toBe(1);
    expect(await valueOf('platform_navigation_memory_bytes')).toBeGreaterThan(0);
  });

  it('reports deliveries: those that wait, those that were given up, and the attempts', async () => {
    // A reading counts for ten seconds.
    await eventually(async () => expect(await valueOf('platform_deliveries_waiting')).toBe(4));
    expect(await valueOf('platform_deliveries_failed')).toBe(2);
    const oldest = await valueOf('platform_deliveries_oldest_seconds');
    expect([oldest >= 120, oldest < 600]).toEqual([true, true]);
    for (const result of ['delivered', 'refused', 'unreachable', 'forbidden'])
      expect(await valueOf(`platform_delivery_attempts_total{result="${result}"}`)).toBe(0);
  });

  it('reports the backlog of each endpoint, and the changes not yet turned into deliveries', async () => {
    await server.database.query(
      `UPDATE deliveries SET retries = 3, creation_date = now() - interval '1 day' WHERE status = 'leased'`,
    );
    await server.database.query(`UPDATE endpoints SET reference = upper(label)`);
    const of = (name: string, endpoint: string) =>
      valueOf(`platform_endpoint_${name}{endpoint="${endpoint}"}`);
    // A reading counts for ten seconds.
    await eventually(async () => expect(await of('attempts_used_ratio', 'BUSY')).toBe(0.7));
    expect(await of('oldest_seconds', 'BUSY')).toBeGreaterThan(86_399);
    expect([await of('failed', 'BUSY'), await of('failed', 'IDLE')]).toEqual([1, 1]);
    expect([await of('oldest_seconds', 'IDLE'), await of('attempts_used_ratio', 'IDLE')]).toEqual([
      0, 0,
    ]);
    expect(await valueOf('platform_journal_rows_behind')).toBe(0);
    const leadElsewhere = (until: string) =>
      server.database.query(
        `UPDATE dispatching SET leader = gen_random_uuid(), leader_until = now() + interval '${until}'`,
      );
    await leadElsewhere('1 hour');
    await server.database.query(
      `INSERT INTO tasks (title, application_id) SELECT 'Behind', min(id) FROM applications, generate_series(1, 3) AS n GROUP BY n`,
    );
    await eventually(async () => expect(await valueOf('platform_journal_rows_behind')).toBe(3));
    await leadElsewhere('0 seconds');
    await eventually(async () => expect(await valueOf('platform_journal_rows_behind')).toBe(0));
  });

  it('reports at most a hundred endpoints, those that have waited for longest', async () => {
    await server.database.query(
      `INSERT INTO endpoints (label, mode) SELECT 'Many', 'pull' FROM generate_series(1, 120)`,
    );
    const ofEndpoints = async () =>
      [...(await read()).matchAll(/^platform_endpoint_oldest_seconds\{endpoint="(.*)"\}/gm)].map(
        ([, reference]) => reference,
      );
    await eventually(async () => expect(await ofEndpoints()).toHaveLength(100));
    expect((await ofEndpoints())[0]).toBe('BUSY');
    await server.database.query(`DELETE FROM endpoints WHERE label = 'Many'`);
  });

  it('counts probes apart from the requests of people', async () => {
    const probe = () => server.call('/health/ready');
    const probes = (status: number) =>
      `platform_probes_total{route="/health/ready",status="${status}"}`;
    expect(await growth(probes(200), probe)).toBe(1);
    expect(await growth(requests('GET', '/health/ready', 200), probe)).toBe(0);
    expect(await read()).not.toMatch(/^platform_(requests|request_duration|refusals).*health/m);
  });

  it('reports the versions, and whether the server is ready', async () => {
    expect(await valueOf('platform_ready')).toBe(1);
    expect(
      await valueOf(`platform_build_info{version="${VERSION}",node="${process.versions.node}"}`),
    ).toBe(1);
  });

  it('reports that the server is not ready while its database is away', async () => {
    const proxy = await startDatabaseProxy(server.database.connection.host);
    const away = await freePort();
    const database = { ...server.database.connection, host: proxy.host };
    const env = { METRICS_PORT: String(away), DATABASE_URL: urlOf(database), DEMO_DATA: 'false' };
    const other = await startServerProcess(env);
    const isReady = async () =>
      /^platform_ready (\d)$/m.exec((await send(away, '/metrics')).text)?.[1];
    const unavailableRequests = async () =>
      /^platform_requests_total.*status="5/m.test((await send(away, '/metrics')).text);
    expect(await isReady()).toBe('1');
    await proxy.refuse(1);
    await eventually(async () => expect(await isReady()).toBe('0'));
    expect((await send(other.port, '/health/ready')).status).toBe(503);
    expect(await unavailableRequests()).toBe(false);
    proxy.release();
    await eventually(async () => expect(await isReady()).toBe('1'));
    await other.stop();
    await proxy.close();
  });

  it('leaves one line in the log about caches while the database is away', async () => {
    const proxy = await startDatabaseProxy(server.database.connection.host);
    const database = { ...server.database.connection, host: proxy.host };
    const env = { DATABASE_URL: urlOf(database), DEMO_DATA: 'false', LOG_LEVEL: 'warn' };
    const other = await startServerProcess(env);
    const lines = () => other.log().match(/LISTEN connection is down: caches/g)?.length;
    // Without a request only the listening connection is opened again.
    await proxy.refuse(5);
    expect(lines()).toBe(1);
    proxy.release();
    await other.stop();
    await proxy.close();
  });

  it('reports the end of the certificate, and the last backup', async () => {
    expect(await read()).not.toMatch(/^platform_(certificate_end|backup)\w+ \d/m);
    const folder = mkdtempSync(join(tmpdir(), 'process-platform-metrics-'));
    const { cert, key } = makeCertificate();
    const TLS_CERT_FILE = join(folder, 'cert.pem');
    const TLS_KEY_FILE = join(folder, 'key.pem');
    writeFileSync(TLS_CERT_FILE, cert);
    writeFileSync(TLS_KEY_FILE, key);
    const env = { DATABASE_URL: urlOf(server.database.connection), DEMO_DATA: 'false' };
    expect(await runCommand(['backup', join(folder, 'a.backup')], { env })).toMatchObject({
      code: 0,
    });
    const own = await freePort();
    // A reading counts for a minute: another server has none yet.
    const METRICS_PORT = String(own);
    const other = await startServerProcess({ ...env, METRICS_PORT, TLS_CERT_FILE, TLS_KEY_FILE });
    const { text } = await send(own, '/metrics');
    await other.stop();
    rmSync(folder, { recursive: true });
    const end = Date.parse(new X509Certificate(cert).validTo) / 1000;
    expect(text).toContain(`\nplatform_certificate_end_timestamp_seconds ${end}\n`);
    const [line] = await server.database.query<{ seconds: number; actor: string }>(
      `SELECT extract(epoch FROM date)::float8 AS seconds, actor_login AS actor FROM audit WHERE action = 'backup'`,
    );
    expect(line!.actor).toMatch(/^command line/);
    expect(text).toContain(`\nplatform_backup_timestamp_seconds ${line!.seconds}\n`);
  });

  it('reports the size of the audit trail, from the catalogue', async () => {
    expect(await read()).toMatch(/^platform_audit_bytes [1-9]\d+$/m);
    const rows = await valueOf('platform_audit_rows');
    expect(rows).toBeGreaterThanOrEqual(audited);
    // PostgreSQL analyses the table again when a minute has passed, with the lines of the other tests.
    expect(rows).toBeLessThan(audited + 100);
  });

  it('reports how far each receiver of the audit trail is behind', async () => {
    expect(await valueOf('platform_audit_stream_lag_seconds{receiver="-"}')).toBe(0);
    const behind = await valueOf('platform_audit_stream_lag_seconds{receiver="tcp://behind:601"}');
    expect(Math.round(behind / 3600)).toBe(1);
  });

  it('reports how the runs of each directory go that the server reads itself', async () => {
    const figures = async (provider: string) => [
      await valueOf(`platform_directory_run_failed{provider="${provider}"}`),
      await valueOf(`platform_directory_run_braked{provider="${provider}"}`),
      Math.round((await valueOf(`platform_directory_age_seconds{provider="${provider}"}`)) / 3600),
    ];
    expect(await figures('GOOD')).toEqual([0, 0, 1]);
    expect(await figures('BRAKED')).toEqual([1, 1, 48]);
    expect(await read()).not.toContain('BY-HAND');
  });

  it('reports the size of the files of all tasks, and its limit', async () => {
    const stored = await server.database.query<{ size: string }>(
      'SELECT coalesce(sum(size), 0)::text AS size FROM task_files WHERE stored',
    );
    const text = await read();
    expect(text).toContain(`platform_task_file_bytes ${stored[0]!.size}\n`);
    expect(text).toContain('platform_task_file_limit_bytes 107374182400\n');
  });

  it('holds no token, login, id or search text', async () => {
    await server.call(`/navigation/workplace/categories?_AuthenticationKey=${token}`);
    await server.call('/api/v2/directory/users/424242/tokens/313131', { token });
    await server.call('/api/v2/directory/users?filters=login:eq:chloe.lefevre', { token });
    await server.call(`/%3Cscript%3E/${token}`);
    await send(server.port, '/api/v2', { method: 'BREW' }).catch(() => undefined);
    const text = await read();
    for (const secret of [
      token,
      '424242',
      '313131',
      'alice',
      'chloe',
      'bruno',
      '<script',
      '_Auth',
      'BREW',
    ])
      expect(text).not.toContain(secret);
  });
});

describe(MONITORING, () => {
  it.each(readdirSync(MONITORING).filter((name) => /\.(json|yml)$/.test(name)))(
    '%s names metrics that exist',
    async (name) => {
      const known = new Set(
        [...(await read()).matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, metric, type]) =>
          type === 'histogram'
            ? [`${metric}_bucket`, `${metric}_sum`, `${metric}_count`]
            : [metric],
        ),
      );
      const text = readFileSync(`${MONITORING}/${name}`, 'utf8');
      if (name.endsWith('.json')) expect(() => JSON.parse(text) as unknown).not.toThrow();
      const named = text.match(/\b(platform|nodejs|process)_\w+/g) ?? [];
      expect(named.length).toBeGreaterThan(5);
      expect(named.filter((metric) => !known.has(metric))).toEqual([]);
    },
  );

  const rules = (
    parse(readFileSync(`${MONITORING}/alerts.yml`, 'utf8')) as { groups: { rules: Rule[] }[] }
  ).groups.flatMap((group) => group.rules);
  const guide = readFileSync(`${MONITORING}/README.md`, 'utf8');

  it.each(rules.map((rule) => [rule.alert, rule] as const))(
    'has a severity and a line of the runbook for %s',
    (alert, { labels, annotations }) => {
      expect(labels.severity).toMatch(/^(page|ticket)$/);
      expect(annotations.runbook).toBe('docs/monitoring/README.md#what-to-do');
      expect(guide).toMatch(new RegExp(`^\\| \`${alert}\` `, 'm'));
    },
  );

  const promtool = hasPromtool();
  if (!promtool) console.warn('no promtool: the syntax of the alert rules is not tested');
  (promtool ? it : it.skip)('has rules that promtool accepts', () => {
    expect(
      execFileSync('promtool', ['check', 'rules', `${MONITORING}/alerts.yml`], {
        encoding: 'utf8',
      }),
    ).toContain(`SUCCESS: ${rules.length} rules found`);
  });
});

interface Rule {
  alert: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

function hasPromtool(): boolean {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
