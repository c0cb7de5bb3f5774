import { appendFileSync, chmodSync, chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeAuthority, makeSigned, type SelfSigned } from '../support/certificate.js';
import { runCommand } from '../support/command-line.js';
import { Cluster, type Node, postgresBin } from '../support/debian-postgres.js';
import { eventually } from '../support/eventually.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';

const bin = postgresBin();
if (bin === undefined) console.warn('no PostgreSQL: TLS to the database is not tested');
const describeWithPostgres = bin === undefined ? describe.skip : describe;

describeWithPostgres('DATABASE_CA_FILE', () => {
  const authority = makeAuthority('CA of the database');
  let cluster: Cluster;
  let node: Node;
  let files: Record<'authority' | 'other', string>;
  beforeAll(async () => {
    cluster = new Cluster(bin!);
    const data = cluster.initialize('data');
    files = { authority: cluster.path('ca.pem'), other: cluster.path('other.pem') };
    writeFileSync(files.authority, authority.cert);
    writeFileSync(files.other, makeAuthority('Another CA').cert);
    install(data, makeSigned(authority, 'localhost'));
    appendFileSync(join(data, 'postgresql.conf'), '\nssl = on\n');
    writeFileSync(
      join(data, 'pg_hba.conf'),
      'host all postgres 127.0.0.1/32 trust\nhostssl all platform 127.0.0.1/32 scram-sha-256\n',
    );
    node = await cluster.start(data);
    await node.query(`CREATE ROLE platform LOGIN PASSWORD 'right-word'`);
    await node.query('CREATE DATABASE platform OWNER platform');
  });
  afterAll(() => cluster.stop());

  function install(data: string, { cert, key }: SelfSigned): void {
    for (const [name, content] of [
      ['server.crt', cert],
      ['server.key', key],
    ] as const) {
      const file = join(data, name);
      writeFileSync(file, content);
      chmodSync(file, 0o600);
      chownSync(file, statSync(data).uid, statSync(data).gid);
    }
  }

  const urlOf = (host: string, password = 'right-word'): string =>
    `postgresql://platform:${password}@${host}:${node.port}/platform`;

  const failure = async (env: Record<string, string>): Promise<string> => {
    const { code, error } = await runCommand(['parameters', 'list'], { env });
    expect(code).toBe(1);
    return error;
  };

  describe('of the CA', () => {
    let server: ServerProcess;
    beforeAll(async () => {
      const env = { DATABASE_URL: urlOf('localhost'), DATABASE_CA_FILE: files.authority };
      server = await startServerProcess({ ...env, WEB_CONCURRENCY: '2' });
    });
    afterAll(() => server.stop());

    it('encrypts every connection of every process', async () => {
      await eventually(async () => {
        const connections = await node.query<{ name: string; ssl: boolean }>(
          `SELECT application_name AS name, ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
            WHERE usename = 'platform'`,
        );
        const names = connections.map(({ name }) => name);
        expect(names.filter((name) => name.endsWith('listener'))).toHaveLength(2);
        expect(new Set(names).size).toBe(2);
        expect(connections.every(({ ssl }) => ssl)).toBe(true);
      });
    });

    it('admits the address of the certificate as well as its name', async () => {
      const env = { DATABASE_URL: urlOf('127.0.0.1'), DATABASE_CA_FILE: files.authority };
      expect(await runCommand(['parameters', 'list'], { env })).toMatchObject({ code: 0 });
    });
  });

  it('refuses a certificate of another CA', async () => {
    const env = { DATABASE_URL: urlOf('localhost'), DATABASE_CA_FILE: files.other };
    expect(await failure(env)).toMatch(
      /^The database cannot be reached: .*certificate.*\. Set DATABASE_CA_FILE to a PEM file of the CA that signed the certificate of the database\.\n$/,
    );
    expect(await failure({ DATABASE_URL: `${urlOf('localhost')}?sslmode=verify-full` })).toMatch(
      /Set DATABASE_CA_FILE/,
    );
  });

  it('names itself when the database accepts only connections with TLS', async () => {
    expect(await failure({ DATABASE_URL: urlOf('localhost') })).toMatch(
      /no encryption.* set DATABASE_CA_FILE\.\n$/,
    );
  });

  it('leads to the password when that is wrong or missing', async () => {
    const env = { DATABASE_CA_FILE: files.authority };
    const wrong = await failure({ ...env, DATABASE_URL: urlOf('localhost', 'wrong-word') });
    expect(wrong).toBe(
      'The database cannot be reached: password authentication failed for user "platform". Check the user and the password: DATABASE_URL and DATABASE_PASSWORD.\n',
    );
    const missing = await failure({ ...env, DATABASE_URL: urlOf('localhost', '') });
    expect(missing).toMatch(/Check the user and the password: DATABASE_URL and DATABASE_PASSWORD/);
  });

  it('refuses a certificate for another host, and a database without TLS', async () => {
    const env = { DATABASE_URL: urlOf('localhost'), DATABASE_CA_FILE: files.authority };
    install(node.data, makeSigned(authority, 'database.test'));
    await node.query('SELECT pg_reload_conf()');
    await eventually(async () =>
      expect(await failure(env)).toMatch(
        /altnames.*database\.test.*The host in DATABASE_URL must be one of the certificate\.\n$/s,
      ),
    );
    appendFileSync(join(node.data, 'postgresql.conf'), 'ssl = off\n');
    await node.query('SELECT pg_reload_conf()');
    await eventually(async () =>
      expect(await failure(env)).toMatch(
        /The server does not support SSL connections\. Set ssl = on in PostgreSQL, or remove DATABASE_CA_FILE/,
      ),
    );
  });
});
