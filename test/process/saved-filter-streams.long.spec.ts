import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { type BoundStatement, Database } from '../../src/database/database.js';
import { eventually } from '../support/eventually.js';
import { type EventStream, openEvents } from '../support/event-stream.js';
import { timeOver, useSavedFilters, whileSlow } from '../support/saved-filters.js';
import type { WritingServer } from '../support/writing-server.js';

/** The counts of saved filters in the stream, which reads what people share every five seconds. */

const FILTERS = '/api/v2/process/task-filters';
const TASKS = '/api/v2/process/tasks';

const world = useSavedFilters();
const { saved, change, wait } = world;
let writing: WritingServer;
let call: WritingServer['call'];
let chloe: string;
let brunoId: string, chloeId: string;
let team: string;
const streams: EventStream[] = [];
beforeAll(() => {
  ({ writing, chloe, brunoId, chloeId, team } = world);
  ({ call } = writing);
});
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

describe('the stream of counters', () => {
  const open = async (token: string): Promise<EventStream> => {
    const stream = await openEvents(writing.server.port, { token });
    streams.push(stream);
    await eventually(() => expect(stream.dataOf('counters')).toHaveLength(1));
    return stream;
  };
  /** The numbers of the filters in all: the last full set with the changes behind it. */
  const numbers = (stream: EventStream): Record<string, number | null> =>
    stream.messages.reduce<Record<string, number | null>>((all, { event, data }) => {
      const { filters } = (data ?? {}) as { filters?: Record<string, number | null> };
      return event === 'counters' ? { ...filters } : { ...all, ...filters };
    }, {});
  const uri = (id: string) => `/process/task-filters/${id}`;

  it('has the numbers of the filters of each reader, and each change of them', async () => {
    const shared = await saved({ filters: ['priority:eq:94'], sharedWith: [team] });
    const [mine, theirs] = [await open(writing.bruno), await open(chloe)];
    await eventually(() => expect(numbers(mine)).toEqual({ [uri(shared)]: 0 }));
    await eventually(() => expect(numbers(theirs)).toEqual({ [uri(shared)]: 0 }));
    await wait('One', { priority: 94 });
    await eventually(() => expect(numbers(mine)).toEqual({ [uri(shared)]: 1 }));
    await wait('For both', { priority: 94, assignee: null, group: team });
    await eventually(() => expect(numbers(mine)).toEqual({ [uri(shared)]: 2 }));
    await eventually(() => expect(numbers(theirs)).toEqual({ [uri(shared)]: 1 }));
    const task = await wait('As a candidate', {
      priority: 94,
      assignee: null,
      candidates: [chloeId],
    });
    await eventually(() => expect(numbers(theirs)).toEqual({ [uri(shared)]: 2 }));
    expect((await call('DELETE', `${TASKS}/${task}`)).status).toBe(204);
    await eventually(() => expect(numbers(theirs)).toEqual({ [uri(shared)]: 1 }));
  });

  it.each(['own', 'shared'])(
    'has the numbers of a reader while those of slow %s filters are counted',
    async (kind) => {
      const slow = { filters: ['title:contains:slow'] };
      const fast = await saved({ filters: ['priority:eq:-1'] }, chloe);
      const id = await saved(kind === 'own' ? slow : { ...slow, sharedWith: [team] });
      let release = () => undefined as void;
      const released = new Promise<void>((resolve) => (release = resolve));
      let held = 0;
      const hold = async (limit: number) => {
        // PostgreSQL ends the first attempts in time.
        if (limit <= 100) throw timeOver();
        held++;
        await released;
      };
      await whileSlow(writing.server, hold, async () => {
        await open(writing.bruno);
        await eventually(() => expect(held).toBeGreaterThan(0));
        const theirs = await open(chloe);
        await eventually(() => expect(numbers(theirs)[uri(fast)]).toBe(0));
        await wait('One', { priority: -1, assignee: 'chloe.lefevre' });
        await eventually(() => expect(numbers(theirs)[uri(fast)]).toBe(1));
        expect(held).toBeGreaterThan(0);
        await writing.server.database.query('DELETE FROM tasks WHERE priority = -1');
        release();
      });
      await eventually(() => expect(numbers(streams[0]!)[uri(id)]).toBe(0));
    },
  );

  it('sends the full set again when a filter appears, changes or goes', async () => {
    const stream = await open(writing.bruno);
    const own = await saved({ filters: ['priority:eq:-1'] });
    await eventually(() => expect(numbers(stream)).toEqual({ [uri(own)]: 0 }));
    const sets = stream.dataOf('counters').length;
    await change(own, '/label', 'Renamed');
    await eventually(() => expect(stream.dataOf('counters').length).toBeGreaterThan(sets));
    const team_ = await saved({ filters: ['priority:eq:-1'], sharedWith: [team] }, chloe);
    await eventually(() => expect(numbers(stream)).toEqual({ [uri(own)]: 0, [uri(team_)]: 0 }));
    await call('DELETE', `/api/v2/directory/groups/${team}/members/${brunoId}`);
    await eventually(() => expect(numbers(stream)).toEqual({ [uri(own)]: 0 }));
    await call('PUT', `/api/v2/directory/groups/${team}/members/${brunoId}`);
    await eventually(() => expect(numbers(stream)).toEqual({ [uri(own)]: 0, [uri(team_)]: 0 }));
    await call('DELETE', `${FILTERS}/${team_}`, undefined, { token: chloe });
    await eventually(() => expect(numbers(stream)).toEqual({ [uri(own)]: 0 }));
    const all = await saved(
      { filters: ['colour'].slice(1), sharedWithEveryone: true },
      writing.admin,
    );
    await eventually(() => expect(numbers(stream)).toHaveProperty([uri(all)]));
    expect((await change(own, '/filters', ['status:eq:open'])).status).toBe(200);
    await eventually(() => expect(numbers(stream)[uri(own)]).toBeGreaterThan(0));
  });

  it('reads shared filters at most every five seconds, however often they change', async () => {
    const id = await saved({ sharedWith: [team] });
    const stream = await open(chloe);
    await eventually(() => expect(numbers(stream)).toHaveProperty([uri(id)]));
    const database = writing.server.app.get(Database);
    const read = database.query.bind(database);
    const times: number[] = [];
    database.query = async <T>(statement: BoundStatement) => {
      if (statement.text.includes('FROM task_filters f JOIN users')) times.push(performance.now());
      return read<T>(statement);
    };
    try {
      for (let change_ = 0; times.length < 3; change_++) {
        expect((await change(id, '/label', `Renamed ${change_}`)).status).toBe(200);
        await delay(900);
      }
      const pauses = times.slice(1).map((time, at) => time - times[at]!);
      expect(Math.min(...pauses)).toBeGreaterThan(4_900);
    } finally {
      database.query = read;
    }
    // A change of one's own is there at once.
    await saved({}, chloe);
    await eventually(() => expect(Object.keys(numbers(stream))).toHaveLength(2));
  });

  it('has a change that takes longer to read than a round waits', async () => {
    const own = await saved({ filters: ['priority:eq:-1'] });
    const stream = await open(writing.bruno);
    await eventually(() => expect(numbers(stream)).toEqual({ [uri(own)]: 0 }));
    const database = writing.server.app.get(Database);
    const read = database.query.bind(database);
    let reads = 0;
    database.query = async <T>(statement: BoundStatement) => {
      if (statement.text.includes('FROM task_filters f JOIN users')) {
        reads++;
        await delay(500);
      }
      return read<T>(statement);
    };
    try {
      expect((await change(own, '/filters', ['status:eq:open'])).status).toBe(200);
      await eventually(() => expect(numbers(stream)[uri(own)]).toBeGreaterThan(0));
      expect(reads).toBeGreaterThan(0);
    } finally {
      database.query = read;
    }
  });

  it('shows no number for a filter that cannot be counted', async () => {
    const { database } = writing.server;
    const id = await saved({ filters: [] });
    const gone = await writing.create('/api/v2/navigation/applications', {
      title: 'Gone',
      type: 'PROCESS',
    });
    await change(id, '/filters', [`application:eq:${gone.id}`]);
    const stream = await open(writing.bruno);
    await eventually(() => expect(numbers(stream)).toEqual({ [uri(id)]: 0 }));
    await call('DELETE', `/api/v2${gone.uri}`);
    await eventually(() => expect(numbers(stream)).toEqual({ [uri(id)]: null }));
    await database.query(
      `UPDATE task_filters SET filters = '{}', revision = revision + 1 WHERE id = $1`,
      [id],
    );
    await eventually(() => expect(numbers(stream)[uri(id)]).toBeGreaterThan(0));
  });
});
