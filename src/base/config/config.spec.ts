import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig } from './config.js';

const URL_WITHOUT = 'postgresql://platform@database/platform';
const connectionOf = (env: Record<string, string>) => loadConfig(env).database;

const SMTP = 'smtp://mail.example.com:587';

describe('DATABASE_PASSWORD', () => {
  it.each([
    ['plain', 'postgresql://platform:plain@database/platform'],
    ['a/b+c=@:%41 é', 'postgresql://platform:a%2Fb%2Bc%3D%40%3A%2541%20%C3%A9@database/platform'],
  ])('%j goes into the address', (DATABASE_PASSWORD, url) => {
    expect(connectionOf({ DATABASE_URL: URL_WITHOUT, DATABASE_PASSWORD })).toEqual({ url });
  });

  it('is read from a file, without the end of its line', () => {
    const folder = mkdtempSync(join(tmpdir(), 'process-platform-config-'));
    const file = join(folder, 'password');
    writeFileSync(file, 'from-file\n');
    const env = { DATABASE_URL: URL_WITHOUT, DATABASE_PASSWORD_FILE: file };
    expect(connectionOf(env)).toEqual({
      url: 'postgresql://platform:from-file@database/platform',
    });
    rmSync(folder, { recursive: true });
  });

  it.each([{}, { DATABASE_URL: 'postgresql://platform:other@database/platform' }])(
    'is a mistake with %j',
    (env) => {
      expect(() => loadConfig({ ...env, DATABASE_PASSWORD: 'x' })).toThrow(
        'DATABASE_PASSWORD: requires a DATABASE_URL without a password',
      );
    },
  );
});

describe('DATABASE_CA_FILE', () => {
  it.each([{}, { DATABASE_URL: `${URL_WITHOUT}?sslmode=require` }])(
    'is a mistake with %j',
    (env) => {
      expect(() => loadConfig({ ...env, DATABASE_CA_FILE: '/dev/null' })).toThrow(
        'DATABASE_CA_FILE: the file /dev/null holds no readable certificate in PEM format\nDATABASE_CA_FILE: requires a DATABASE_URL without sslmode and sslrootcert',
      );
    },
  );
});

describe('DATABASE_URL', () => {
  const hosts = 'postgresql://platform@one:5432,two,[::1]:5433/platform';

  it('may name several hosts of which the primary is wanted', () => {
    const url = `${hosts}?target_session_attrs=read-write`;
    expect(connectionOf({ DATABASE_URL: url })).toEqual({ url });
    expect(connectionOf({ DATABASE_URL: url, DATABASE_PASSWORD: 'a@b' })).toEqual({
      url: url.replace('platform@', 'platform:a%40b@'),
    });
  });

  it.each([
    hosts,
    `${hosts}?target_session_attrs=any`,
    hosts.replace('5432', 'x'),
    'mysql://one/x',
  ])('must not be %s', (DATABASE_URL) => {
    expect(() => loadConfig({ DATABASE_URL })).toThrow(
      'with several hosts, as host:port,host:port, it must end with ?target_session_attrs=read-write',
    );
  });
});

describe('loadConfig', () => {
  it('takes an empty variable as unset', () => {
    const names = ['PORT', 'BASE_PATH', 'DATABASE_URL', 'LOG_LEVEL', 'TRUSTED_PROXIES'];
    const empty = Object.fromEntries(names.map((name) => [name, '']));
    expect(JSON.stringify(loadConfig(empty))).toBe(JSON.stringify(loadConfig({})));
  });

  it('takes an empty file of a secret as unset', () => {
    const env = { SECRETS_KEY_FILE: '/dev/null', SMTP_URL_FILE: '/dev/null', SMTP_URL: SMTP };
    const mail = { MAIL_FROM: 'a@example.com', PUBLIC_URL: 'https://example.com' };
    expect(loadConfig({ ...env, ...mail }).env).toMatchObject({ SECRETS_KEY: [], SMTP_URL: SMTP });
  });

  it('listens only on loopback without DATABASE_URL', () => {
    expect(loadConfig({}).env.HOST).toBe('127.0.0.1');
    expect(loadConfig({ DATABASE_URL: URL_WITHOUT }).env.HOST).toBe('0.0.0.0');
  });

  it('reports mistakes of single variables and between variables together', () => {
    const env = {
      PORT: 'x',
      HTTP_PORT: '8080',
      METRICS_PORT: 'y',
      OIDC_ISSUER: 'provider',
      OIDC_NAME: 'n'.repeat(61),
      DATABASE_PASSWORD: 'z',
      DATABASE_PASSWORD_FILE: '/nowhere',
      TLS_KEY_FILE: 'key.pem',
    };
    const message = [
      'DATABASE_PASSWORD: is given twice, also as DATABASE_PASSWORD_FILE',
      'DATABASE_PASSWORD_FILE: cannot read the file /nowhere',
      'PORT: must be a whole number from 0 to 65535',
      'OIDC_ISSUER: must be an http or https address',
      'OIDC_NAME: must have at most 60 characters',
      'METRICS_PORT: must be a whole number from 1 to 65535',
      'TLS_CERT_FILE: TLS_CERT_FILE and TLS_KEY_FILE must be set together',
      'HTTP_PORT: requires TLS_CERT_FILE: without it PORT itself serves plain HTTP',
      'OIDC_AUDIENCE: is required with OIDC_ISSUER',
      'DATABASE_PASSWORD: requires a DATABASE_URL without a password',
    ].join('\n');
    expect(() => loadConfig(env)).toThrow(new ConfigError(message));
  });

  it.each(['a,', ',', 'a,,b', 'a, b, a'])('refuses the list of client ids %j', (list) => {
    const env = { OIDC_ISSUER: 'https://login.example', OIDC_AUDIENCE: list };
    const message = 'OIDC_AUDIENCE: must be client ids separated by commas, each once';
    expect(() => loadConfig(env)).toThrow(new ConfigError(message));
  });

  it.each([
    ['https://portal.example', '', 'https://portal.example'],
    ['https://portal.example/', '', 'https://portal.example'],
    ['https://Portal.example:443/platform', '/platform', 'https://portal.example'],
    ['http://portal.example:8080/platform/', '/platform', 'http://portal.example:8080'],
  ])('knows the origin of %s with the base path %j', (PUBLIC_URL, BASE_PATH, origin) => {
    expect(loadConfig({ PUBLIC_URL, BASE_PATH }).env.PUBLIC_URL).toBe(origin);
  });

  it.each([
    ['https://portal.example/platform', ''],
    ['https://portal.example/other', '/platform'],
    ['https://portal.example/?a=b', ''],
  ])('refuses %s with the base path %j', (PUBLIC_URL, BASE_PATH) => {
    expect(() => loadConfig({ PUBLIC_URL, BASE_PATH })).toThrow(
      new ConfigError('PUBLIC_URL: must have no path but that of BASE_PATH'),
    );
  });

  it('reads client ids, which may contain blanks', () => {
    const env = { OIDC_ISSUER: 'https://login.example', OIDC_AUDIENCE: 'the page , portal' };
    expect(loadConfig(env).env.OIDC_AUDIENCE).toEqual(['the page', 'portal']);
  });

  it('compares ports by their numbers, also with a mistake elsewhere', () => {
    const env = { HTTP_PORT: '03000', TLS_CERT_FILE: 'a', TLS_KEY_FILE: 'b', LOG_LEVEL: 'loud' };
    expect(() => loadConfig(env)).toThrow('HTTP_PORT: must not be PORT');
  });
});
