import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { loadConfig } from '../../src/base/config/config.js';
import { createApp } from '../../src/create-app.js';
import { POOL_SIZE } from '../../src/database/connection-options.js';
import { Database } from '../../src/database/database.js';
import { WorkplaceOverviewService } from '../../src/navigation/workplace-overview.service.js';
import { send, startTestServer, type TestServer } from '../support/test-server.js';

const WORKPLACE = '/navigation/workplace';

/** The application of the tasks, which bruno sees. */
const TILE = 1;

let server: TestServer;
let without: NestExpressApplication;
let bruno: string;
let brunoId: string;

const sql = (text: string) => server.database.query<{ id: string }>(text);
const insertTask = () =>
  sql(
    `INSERT INTO tasks (title, application_id, assignee_id) VALUES ('Task', ${TILE}, ${brunoId})`,
  );
const workplace = async (port = server.port) => send(port, WORKPLACE, { token: bruno });

beforeAll(async () => {
  server = await startTestServer();
  without = await createApp(
    loadConfig({ LOG_LEVEL: 'silent', NAVIGATION_MEMORY: '0' }).withDatabase(
      server.database.connection,
    ),
  );
  await without.listen(0, '127.0.0.1');
  bruno = await server.signIn('bruno.keller');
  [{ id: brunoId }] = (await sql(`SELECT id FROM users WHERE login = 'bruno.keller'`)) as [
    { id: string },
  ];
  await sql(`UPDATE views SET filters = '{status:eq:open}' WHERE application_id = ${TILE}`);
});
afterAll(async () => {
  await without.close();
  await server.close();
});

describe('a workplace in memory whose tasks have changed', () => {
  it('shows changed counters without reading the tiles again', async () => {
    await workplace();
    const load = jest.spyOn(server.app.get(WorkplaceOverviewService), 'load');
    const before = (await workplace()).text;
    await insertTask();
    const after = await workplace();
    expect(after.text).not.toBe(before);
    expect(load).not.toHaveBeenCalled();
    load.mockRestore();
  });

  it('is counted where sessions forgot the plan', async () => {
    const everySession = <T>(work: () => Promise<T>): Promise<T[]> =>
      Promise.all(Array.from({ length: POOL_SIZE }, work));
    await insertTask();
    const before = await everySession(() => workplace());
    const forget = { text: 'DEALLOCATE ALL', values: [], prepared: false };
    await everySession(() => server.app.get(Database).execute(forget));
    await insertTask();
    const after = await everySession(() => workplace());
    expect(after.map(({ status }) => status)).toEqual(before.map(() => 200));
    const { port } = without.getHttpServer().address() as AddressInfo;
    const { text } = await workplace(port);
    expect(new Set(after.map((answer) => answer.text))).toEqual(new Set([text]));
    expect(text).not.toBe(before[0]!.text);
  });

  it.each<[string, string]>([
    ['nothing else', `SELECT 1`],
    ['the title of a category', `UPDATE categories SET title = title || '!'`],
    ['the title of an application', `UPDATE applications SET title = title || '!'`],
    ['the filters of a view', `UPDATE views SET filters = '{status:eq:closed}'`],
    ['the filters again', `UPDATE views SET filters = '{priority:gt:0}'`],
    ['the view of an application', `UPDATE applications SET view_id = NULL WHERE id = ${TILE}`],
    ['favourites', `INSERT INTO favourites SELECT id, ${TILE}, 9 FROM users`],
    ['the language of people', `UPDATE users SET locale = 'fr'`],
    ['the groups of people', `DELETE FROM group_members`],
    ['the application itself', `UPDATE applications SET active = false WHERE id = ${TILE}`],
  ])('is that of a server without memory after a change of %s', async (_, change) => {
    const { port } = without.getHttpServer().address() as AddressInfo;
    await workplace();
    await insertTask();
    await sql(change);
    // Once after the change, then with tiles in memory again.
    for (let turn = 1; turn <= 2; turn++) {
      const [ours, read] = [await workplace(), await workplace(port)];
      expect([ours.status, ours.text]).toEqual([200, read.text]);
      expect(ours.headers.etag).toBe(read.headers.etag);
      await insertTask();
    }
  });
});
