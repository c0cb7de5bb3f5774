import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { LoadShedder } from '../../src/http/load-shedding.js';
import { eventually } from '../support/eventually.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    BASE_PATH: '/platform',
    PUBLIC_URL: 'https://portal.example.com',
  });
});
afterAll(() => server.close());

/** The exit code of the program that supervisors run. */
const check = (env: Record<string, string>): Promise<number | null> =>
  new Promise((done) => {
    const program = resolve('dist/src/health-check.js');
    const child = spawn(process.execPath, [program], { env: { BASE_PATH: '/platform', ...env } });
    child.once('exit', done);
  });

describe('the health check of the image', () => {
  it('succeeds while the server is ready, for every base path and public address', async () => {
    expect(await check({ PORT: String(server.port) })).toBe(0);
    expect(await check({ PORT: String(server.port), HOST: '0.0.0.0' })).toBe(0);
  });

  it('asks the database at most twice a second, however many calls there are, and says at once that the server stops', async () => {
    const database = server.app.get(Database);
    const rows = database.rows.bind(database);
    let asked = 0;
    database.rows = (statement) => {
      if (statement.text === 'SELECT 1') asked++;
      return rows(statement);
    };
    const ready = async () => (await server.call('/platform/health/ready')).status;
    try {
      const begun = performance.now();
      for (let round = 0; round < 10; round++)
        expect(await Promise.all(Array.from({ length: 10 }, ready))).toEqual(Array(10).fill(200));
      // The first answers may be those of the half second before.
      await eventually(async () => {
        expect(await ready()).toBe(200);
        expect(asked).toBeGreaterThan(0);
      });
      const halves = (performance.now() - begun) / 500;
      expect(asked).toBeLessThanOrEqual(Math.floor(halves) + 1);
      const shedder = server.app.get(LoadShedder);
      const stopping = jest.spyOn(shedder, 'isStopping', 'get').mockReturnValue(true);
      expect(await ready()).toBe(503);
      stopping.mockRestore();
      expect(await ready()).toBe(200);
    } finally {
      database.rows = rows;
    }
  });

  it('fails when no address is admitted, nothing listens, or another service answers', async () => {
    expect(await check({ PORT: String(server.port), BASE_PATH: '' })).toBe(1);
    expect(await check({ PORT: '1' })).toBe(1);
    await server.database.query(
      `UPDATE parameters SET value = '' WHERE key LIKE '%ExternalAuthenticationAction%'`,
    );
    await eventually(async () => {
      expect((await server.call('/platform/health/ready')).status).toBe(503);
    });
    expect(await check({ PORT: String(server.port) })).toBe(1);
  });
});
