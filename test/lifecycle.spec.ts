import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { processesIn } from '../src/database/embedded/processes.js';
import { eventually } from './support/eventually.js';
import { type LaunchedServer, launchServer } from './support/server-process.js';

/** Runs the built server in a separate process, in a folder that only its owner may enter. */

let folder: string;
const servers: LaunchedServer[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'process-platform-life-'));
  chmodSync(folder, 0o700);
});
afterEach(async () => {
  for (const { child } of servers.splice(0)) child.kill('SIGKILL');
  await gone(folder);
  rmSync(folder, { recursive: true, force: true });
});

function start(env: Record<string, string> = {}, cwd = folder): LaunchedServer {
  const server = launchServer({ LOG_LEVEL: 'silent', ...env }, { cwd });
  servers.push(server);
  return server;
}

/** The URL that a server prints once it is ready. */
async function ready(server: LaunchedServer): Promise<string> {
  await server.listening;
  return /listens on (\S+)/.exec(server.messages())![1]!;
}

/** Waits until no process works in the embedded database of a folder. */
const gone = (of: string): Promise<void> =>
  eventually(() => expect(processesIn(join(of, '.data', 'postgres'))).toEqual([]));

const postmaster = () =>
  Number(readFileSync(join(folder, '.data/postgres/postmaster.pid'), 'utf8').split('\n')[0]);
/** A busy server may call itself not ready for a moment. */
const expectUp = (url: string): Promise<void> =>
  eventually(async () => expect((await fetch(`${url}/health/ready`)).status).toBe(200));

describe('npm start without a database', () => {
  it('prints address, demonstration logins, the password of sysadmin once, and a call that works', async () => {
    const first = start();
    const url = await ready(first);
    expect(first.messages()).toContain('alice.martin (administrator)');
    const password = /sysadmin, password (\S+)/.exec(first.messages())![1]!;
    const command = /(curl -s .*)$/m.exec(first.messages())![1]!;
    const body = /-d '([^']*)'/.exec(command)![1]!;
    const address = /curl -s (\S+)/.exec(command)![1]!;
    const headers = { 'Content-Type': 'application/json' };
    expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(200);
    const sysadmin = JSON.stringify({ login: 'sysadmin', password });
    expect(
      (await fetch(`${url}/api/v2/authentication`, { method: 'POST', headers, body: sysadmin }))
        .status,
    ).toBe(200);
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    expect(processesIn(join(folder, '.data/postgres'))).toEqual([]);
    const second = start();
    await ready(second);
    expect(second.messages()).not.toContain('sysadmin, password');
    second.child.kill('SIGINT');
    expect(await second.ended).toBe(0);
    expect(processesIn(join(folder, '.data/postgres'))).toEqual([]);
  });

  it('starts again after kill -9 of itself, of PostgreSQL, and of both', async () => {
    for (const victims of ['server', 'database', 'both']) {
      const run = start();
      const url = await ready(run);
      await expectUp(url);
      const database = postmaster();
      if (victims !== 'server') process.kill(database, 'SIGKILL');
      if (victims !== 'database') run.child.kill('SIGKILL');
      else run.child.kill('SIGINT');
      await run.ended;
      const next = start();
      await expectUp(await ready(next));
      next.child.kill('SIGINT');
      expect([victims, await next.ended]).toEqual([victims, 0]);
      expect(processesIn(join(folder, '.data/postgres'))).toEqual([]);
    }
  }, 120_000);

  it('leaves no database behind when it alone is killed', async () => {
    const run = start();
    await ready(run);
    run.child.kill('SIGKILL');
    await run.ended;
    await gone(folder);
  });

  it('completes an installation that was interrupted', async () => {
    mkdirSync(join(folder, '.data/postgres.new/base'), { recursive: true });
    const run = start();
    await expectUp(await ready(run));
    expect(existsSync(join(folder, '.data/postgres.new'))).toBe(false);
    run.child.kill('SIGINT');
    await run.ended;
  });

  it('runs in two folders at once, but not twice in one', async () => {
    const other = join(folder, 'other');
    mkdirSync(other);
    const [one, two] = [start(), start({}, other)];
    await Promise.all([ready(one), ready(two)]);
    const again = start();
    expect(await again.ended).toBe(1);
    expect(again.messages()).toMatch(/already in use by process \d+/);
    for (const run of [one, two]) run.child.kill('SIGINT');
    expect(await Promise.all([one.ended, two.ended])).toEqual([0, 0]);
    await gone(other);
  });

  it('runs in a folder whose path is too long for a socket', async () => {
    const deep = join(folder, 'x'.repeat(60), 'y'.repeat(60));
    mkdirSync(deep, { recursive: true });
    const run = start({}, deep);
    await expectUp(await ready(run));
    run.child.kill('SIGINT');
    expect(await run.ended).toBe(0);
    await gone(deep);
  });
});

describe('npm start that cannot work', () => {
  const refused = async (env: Record<string, string>): Promise<string> => {
    const run = start(env);
    expect(await run.ended).toBe(1);
    expect(run.messages()).not.toMatch(/^\s+at .+:\d+/m);
    return run.messages();
  };

  it('names every mistake of the environment at once', async () => {
    const message = await refused({
      PORT: '99999',
      BASE_PATH: 'x/',
      LOG_LEVEL: 'loud',
      DEMO_DATA: 'yes',
      DATABASE_URL: 'mysql://x',
      ALLOWED_ADDRESSES: '10.0.0.1/8 127.1',
      TRUSTED_PROXIES: '0.0.0.0/0',
      SYSADMIN_PASSWORD_FILE: '/nowhere',
      TLS_CERT_FILE: 'x',
      WEB_CONCURRENCY: '0',
      CORS_ORIGINS: '*',
      VENDOR: 'a.b',
      PUBLIC_URL: 'ftp://x',
      OIDC_ISSUER: 'x',
    });
    for (const name of [
      'PORT',
      'BASE_PATH',
      'LOG_LEVEL',
      'DEMO_DATA',
      'DATABASE_URL',
      'ALLOWED_ADDRESSES',
      'TRUSTED_PROXIES',
      'SYSADMIN_PASSWORD_FILE',
      'WEB_CONCURRENCY',
      'CORS_ORIGINS',
      'VENDOR',
      'PUBLIC_URL',
      'OIDC_ISSUER',
    ])
      expect(message).toMatch(new RegExp(`^${name}: `, 'm'));
    expect(message).toContain('10.0.0.1/8, 127.1');
  });

  it('says that the port is taken', async () => {
    const run = start();
    const url = await ready(run);
    const taken = new URL(url).port;
    const other = join(folder, 'other');
    mkdirSync(other);
    const second = start({ PORT: taken }, other);
    expect(await second.ended).toBe(1);
    expect(second.messages()).toContain(`The port ${taken} on 127.0.0.1 is taken`);
    // The password is stored by then, so a later start could not print it.
    expect(second.messages()).toMatch(/sysadmin, password \S+ \(shown only now\)/);
    await gone(other);
    run.child.kill('SIGINT');
    await run.ended;
  });

  it('says that the database cannot be reached', async () => {
    expect(await refused({ DATABASE_URL: 'postgresql://u:secret-word@127.0.0.1:1/x' })).toMatch(
      /^The database cannot be reached: .*Check DATABASE_URL/,
    );
    expect(
      await refused({ DATABASE_URL: 'postgresql://u:secret-word@127.0.0.1:1/x' }),
    ).not.toContain('secret-word');
  });
});

describe('with DATABASE_URL', () => {
  it('uses that PostgreSQL and starts none', async () => {
    const { superuser } = JSON.parse(process.env.TEST_DATABASE!) as { superuser: pg.ClientConfig };
    const admin = new pg.Client(superuser);
    await admin.connect();
    const database = `url_${process.pid}`;
    await admin.query(`CREATE DATABASE ${database}`);
    const url = `postgresql://postgres@/${database}?host=${encodeURIComponent(String(superuser.host))}`;
    const run = start({
      DATABASE_URL: url.replace('@/', '@localhost/'),
      HOST: '127.0.0.1',
      SYSADMIN_PASSWORD: 'Given-Password-1',
    });
    await expectUp(await ready(run));
    expect(run.messages()).not.toContain('Demonstration');
    expect(run.messages()).not.toContain('Given-Password-1');
    expect(existsSync(join(folder, '.data'))).toBe(false);
    run.child.kill('SIGINT');
    expect(await run.ended).toBe(0);
    await admin.query(`DROP DATABASE ${database} WITH (FORCE)`);
    await admin.end();
  });
});
