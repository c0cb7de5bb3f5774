import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { idOf } from './id-of.js';
import type { TestServer } from './test-server.js';
import { startWritingServer, type WritingServer } from './writing-server.js';

const FILTERS = '/api/v2/process/task-filters';
const TASKS = '/api/v2/process/tasks';

type Body = Record<string, unknown>;

/** Saved filters of Bruno, Chloe and an administrator, and a group of the two people. */
export interface SavedFilters {
  writing: WritingServer;
  /** Chloe's token. */
  chloe: string;
  brunoId: string;
  chloeId: string;
  /** A group of Bruno's and Chloe's. */
  team: string;
  save: (body: Body, token?: string) => ReturnType<WritingServer['call']>;
  /** Saves a filter, and returns its id. */
  saved: (body: Body, token?: string) => Promise<string>;
  change: (
    id: string,
    path: string,
    value: unknown,
    token?: string,
  ) => ReturnType<WritingServer['call']>;
  /** Creates a task that waits for Bruno, and returns its id. */
  wait: (title: string, more?: Body) => Promise<string>;
}

/** Starts a server before the tests of a file; each test begins without saved filters. */
export function useSavedFilters(): SavedFilters {
  const world = {
    save: (body, token = world.writing.bruno) =>
      world.writing.call('POST', FILTERS, body, { token }),
    saved: async (body, token) => {
      const { status, body: made, text } = await world.save({ label: 'Saved', ...body }, token);
      expect([status, text]).toEqual([201, expect.anything()]);
      return made.id as string;
    },
    change: (id, path, value, token = world.writing.bruno) =>
      world.writing.call('PATCH', `${FILTERS}/${id}`, [{ op: 'replace', path, value }], { token }),
    wait: async (title, more = {}) =>
      (
        await world.writing.create(TASKS, {
          title,
          application: 'EXPENSES',
          assignee: 'bruno.keller',
          ...more,
        })
      ).id,
  } as SavedFilters;
  beforeAll(async () => {
    world.writing = await startWritingServer();
    const { server, call, create } = world.writing;
    world.chloe = await server.signIn('chloe.lefevre');
    world.brunoId = await idOf(server, 'users', 'bruno.keller');
    world.chloeId = await idOf(server, 'users', 'chloe.lefevre');
    world.team = (await create('/api/v2/directory/groups', { label: 'Team' })).id;
    for (const id of [world.brunoId, world.chloeId])
      await call('PUT', `/api/v2/directory/groups/${world.team}/members/${id}`);
  });
  beforeEach(() => world.writing.server.database.query('DELETE FROM task_filters'));
  afterAll(() => world.writing.close());
  return world;
}

/** Statements with the text `slow` do what `instead` does. */
export async function whileSlow(
  server: TestServer,
  instead: (limit: number) => Promise<unknown>,
  work: () => Promise<void>,
): Promise<void> {
  const database = server.app.get(Database);
  const rowsWithin = database.rowsWithin.bind(database);
  database.rowsWithin = async (limit, statement) => {
    if (JSON.stringify(statement.values).includes('slow')) await instead(limit);
    return rowsWithin(limit, statement);
  };
  try {
    await work();
  } finally {
    database.rowsWithin = rowsWithin;
  }
}
/** What a statement throws whose time is over. */
export const timeOver = () => Object.assign(new Error('canceling statement'), { code: '57014' });
