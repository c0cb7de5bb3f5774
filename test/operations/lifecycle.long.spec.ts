import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { eventually } from '../support/eventually.js';
import { databaseIn, expectUp, noDatabaseIn, ready, useOwnFolder } from '../support/own-folder.js';

/** Starts and ends of the built server in a process of its own. */

const folder = useOwnFolder();

const postmaster = () =>
  Number(readFileSync(join(folder.path(), '.data/postgres/postmaster.pid'), 'utf8').split('\n')[0]);

describe('npm start without a database', () => {
  it('prints address, demonstration logins, the password of sysadmin once, and a call that works', async () => {
    const first = folder.start();
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
    expect(databaseIn(folder.path())).toEqual([]);
    const second = folder.start();
    await ready(second);
    expect(second.messages()).not.toContain('sysadmin, password');
    second.child.kill('SIGINT');
    expect(await second.ended).toBe(0);
    expect(databaseIn(folder.path())).toEqual([]);
  });

  it('starts again after kill -9 of itself, of PostgreSQL, and of both', async () => {
    for (const victims of ['server', 'database', 'both']) {
      const run = folder.start();
      const url = await ready(run);
      await expectUp(url);
      const database = postmaster();
      if (victims !== 'server') process.kill(database, 'SIGKILL');
      if (victims !== 'database') run.child.kill('SIGKILL');
      else run.child.kill('SIGINT');
      await run.ended;
      const next = folder.start();
      await expectUp(await ready(next));
      next.child.kill('SIGINT');
      expect([victims, await next.ended]).toEqual([victims, 0]);
      expect(databaseIn(folder.path())).toEqual([]);
    }
  }, 120_000);

  it('leaves no database behind when it alone is killed', async () => {
    const run = folder.start();
    await ready(run);
    run.child.kill('SIGKILL');
    await run.ended;
    await noDatabaseIn(folder.path());
  });

  it('completes an installation that was interrupted', async () => {
    mkdirSync(join(folder.path(), '.data/postgres.new/base'), { recursive: true });
    const run = folder.start();
    await expectUp(await ready(run));
    expect(existsSync(join(folder.path(), '.data/postgres.new'))).toBe(false);
    run.child.kill('SIGINT');
    await run.ended;
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
    const run = folder.start({
      DATABASE_URL: url.replace('@/', '@localhost/'),
      HOST: '127.0.0.1',
      SYSADMIN_PASSWORD: 'Given-Password-1',
    });
    await expectUp(await ready(run));
    expect(run.messages()).not.toContain('Demonstration');
    expect(run.messages()).not.toContain('Given-Password-1');
    expect(existsSync(join(folder.path(), '.data'))).toBe(false);
    run.child.kill('SIGINT');
    expect(await run.ended).toBe(0);
    await admin.query(`DROP DATABASE ${database} WITH (FORCE)`);
    await admin.end();
  });
});

describe('a signal to a server', () => {
  /** The status of an answer on a connection of its own; 0 without one. */
  const statusAt = (url: string, path: string): Promise<number> =>
    fetch(url + path, { headers: { Connection: 'close' } }).then(
      ({ status }) => status,
      () => 0,
    );

  it('SIGTERM: it goes on accepting and answering for DRAIN_SECONDS while nothing is connected, and a second one changes nothing', async () => {
    const run = folder.start({ DRAIN_SECONDS: '4' });
    const url = await ready(run);
    const killed = performance.now();
    run.child.kill('SIGTERM');
    await eventually(async () => expect(await statusAt(url, '/health/ready')).toBe(503));
    run.child.kill('SIGTERM');
    const statuses: number[] = [];
    // Between two calls nothing is connected.
    while (performance.now() - killed < 2_000) {
      statuses.push(await statusAt(url, '/health/live'));
      await delay(60);
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await run.ended).toBe(0);
    expect(performance.now() - killed).toBeGreaterThan(4_000);
  });

  it('SIGINT: it accepts nothing any more, ends a drain, and waits for no silent connection', async () => {
    for (const before of ['', 'SIGTERM'] as const) {
      const run = folder.start({ DRAIN_SECONDS: '600' });
      const url = await ready(run);
      // Browsers open connections that they may need later.
      const silent = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
      await once(silent, 'connect');
      if (before) {
        run.child.kill(before);
        await eventually(async () => expect(await statusAt(url, '/health/ready')).toBe(503));
      }
      const closed = once(silent.resume(), 'close');
      const interrupted = performance.now();
      run.child.kill('SIGINT');
      await closed;
      // Seven seconds were given to it, as if it had sent a request.
      expect(performance.now() - interrupted).toBeLessThan(7_000);
      expect(await statusAt(url, '/health/live')).toBe(0);
      expect(await run.ended).toBe(0);
    }
  });
});
