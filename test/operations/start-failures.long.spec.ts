import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { noDatabaseIn, ready, useOwnFolder } from '../support/own-folder.js';

/** What `npm start` says when it cannot start. */

const folder = useOwnFolder();

describe('npm start that cannot work', () => {
  const refused = async (env: Record<string, string>): Promise<string> => {
    const run = folder.start(env);
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
    const run = folder.start();
    const url = await ready(run);
    const taken = new URL(url).port;
    const other = join(folder.path(), 'other');
    mkdirSync(other);
    const second = folder.start({ PORT: taken }, other);
    expect(await second.ended).toBe(1);
    expect(second.messages()).toContain(`The port ${taken} on 127.0.0.1 is taken`);
    // The password is stored by then, so a later start could not print it.
    expect(second.messages()).toMatch(/sysadmin, password \S+ \(shown only now\)/);
    await noDatabaseIn(other);
    run.child.kill('SIGINT');
    await run.ended;
  });

  it.each(['1', '2'])(
    'names METRICS_PORT and METRICS_HOST with WEB_CONCURRENCY=%s',
    async (WEB_CONCURRENCY) => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      const METRICS_PORT = String(port);
      expect(await refused({ METRICS_PORT, WEB_CONCURRENCY })).toContain(
        `The port ${port} on 127.0.0.1 is taken: stop what uses it, or set METRICS_PORT.`,
      );
      other.close();
      expect(await refused({ METRICS_PORT, METRICS_HOST: '192.0.2.1', WEB_CONCURRENCY })).toContain(
        'The address 192.0.2.1 is not an address of this host: check METRICS_HOST.',
      );
    },
  );

  it('says that the database cannot be reached', async () => {
    expect(await refused({ DATABASE_URL: 'postgresql://u:secret-word@127.0.0.1:1/x' })).toMatch(
      /^The database cannot be reached: .*Check DATABASE_URL/,
    );
    expect(
      await refused({ DATABASE_URL: 'postgresql://u:secret-word@127.0.0.1:1/x' }),
    ).not.toContain('secret-word');
  });
});
