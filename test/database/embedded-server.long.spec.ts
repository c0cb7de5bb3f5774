import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { processesIn } from '../../src/database/embedded/processes.js';
import {
  type EmbeddedServer,
  startEmbeddedServer,
} from '../../src/database/embedded/embedded-server.js';
import { eventually } from '../support/eventually.js';

let base: string;
let folder: string;
const servers: EmbeddedServer[] = [];

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'process-platform-embedded-')));
  chmodSync(base, 0o700);
  folder = join(base, '.data');
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  rmSync(base, { recursive: true, force: true });
});

async function start(where = folder): Promise<EmbeddedServer> {
  const server = await startEmbeddedServer({ folder: where, settings: { fsync: 'off' } });
  servers.push(server);
  return server;
}

async function ask(connection: pg.ClientConfig, text: string): Promise<unknown[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const working = () => processesIn(join(folder, 'postgres'));

describe('startEmbeddedServer', () => {
  it('connects as a role without privileges, only on a socket', async () => {
    const { connection } = await start();
    expect(
      await ask(
        connection,
        `SELECT rolname, rolsuper, rolcreaterole, rolcreatedb, current_setting('listen_addresses') AS listens,
          current_setting('server_encoding') AS encoding FROM pg_roles WHERE rolname = current_user`,
      ),
    ).toEqual([
      {
        rolname: 'platform',
        rolsuper: false,
        rolcreaterole: false,
        rolcreatedb: false,
        listens: '',
        encoding: 'UTF8',
      },
    ]);
  });

  it('keeps other users from its socket and files, even if the folder was open before', async () => {
    mkdirSync(folder, { mode: 0o755 });
    const { connection } = await start();
    for (const path of [folder, connection.host]) {
      const { mode, uid } = statSync(path);
      expect([path, mode & 0o077, uid]).toEqual([path, 0, process.getuid?.()]);
    }
  });

  it('keeps its data over a stop, after which no process is left', async () => {
    const first = await start();
    await ask(first.connection, 'CREATE TABLE kept AS SELECT 1 AS n');
    await Promise.all([first.stop(), first.stop()]);
    expect(working()).toEqual([]);
    expect(existsSync(join(folder, 'server.pid'))).toBe(false);
    const second = await start();
    expect(await ask(second.connection, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);
  });

  it('starts after kill -9 of PostgreSQL', async () => {
    const first = await start();
    await ask(first.connection, 'CREATE TABLE kept AS SELECT 1 AS n');
    process.kill(first.pid, 'SIGKILL');
    await first.stop();
    const second = await start();
    expect(await ask(second.connection, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);
  });

  it('ends a database that still lives behind a symbolic link', async () => {
    const real = join(base, 'real');
    mkdirSync(real);
    symlinkSync(real, folder);
    const first = await start();
    const second = await start();
    expect(second.pid).not.toBe(first.pid);
    expect(processesIn(join(real, 'postgres'))).not.toContain(first.pid);
  });

  it('makes a whole installation of one that was interrupted', async () => {
    mkdirSync(join(folder, 'postgres.new.1', 'base'), { recursive: true });
    const { connection } = await start();
    expect(await ask(connection, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
    expect(readdirSync(folder).sort()).toEqual([
      'postgres',
      'postgres.log',
      'server.pid',
      'socket',
    ]);
  });

  it.each(['with space', 'a,b', `"quoted"`, 'x'.repeat(120)])(
    'starts PostgreSQL in %s',
    async (name) => {
      const server = await start(join(base, name));
      expect(await ask(server.connection, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
      await server.stop();
      if (!server.connection.host.startsWith(base))
        expect(existsSync(server.connection.host)).toBe(false);
    },
  );

  it("does not heed the variables of PostgreSQL's own clients", async () => {
    const before = { ...process.env };
    Object.assign(process.env, { PGPORT: '6000', PGSSLMODE: 'require', PGOPTIONS: '-c x=y' });
    try {
      const { connection } = await start();
      const options = '-c timezone=UTC';
      expect(await ask({ ...connection, options }, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
    } finally {
      for (const name of ['PGPORT', 'PGSSLMODE', 'PGOPTIONS']) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
  });

  it("throws PostgreSQL's last words, and leaves nothing running", async () => {
    await expect(
      startEmbeddedServer({ folder, settings: { shared_buffers: 'nonsense' } }),
    ).rejects.toThrow('invalid value for parameter "shared_buffers": "nonsense"');
    await eventually(() => expect(working()).toEqual([]));
    expect(existsSync(join(folder, 'server.pid'))).toBe(false);
  });
});
