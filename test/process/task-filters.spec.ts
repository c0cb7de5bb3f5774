import { beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { idOf } from '../support/id-of.js';
import { query } from '../support/call.js';
import { timeOver, useSavedFilters, whileSlow } from '../support/saved-filters.js';
import type { WritingServer } from '../support/writing-server.js';

const TOO_SLOW = {
  message: 'takes too long to count',
  code: 'too-slow-to-count',
  parameters: {},
};

/** Filters of the inbox that people save and share (docs/api-contract.md#saved-filters). */

const FILTERS = '/api/v2/process/task-filters';
const INBOX = '/api/v2/process/tasks/waiting/filters';
const TASKS = '/api/v2/process/tasks';

const world = useSavedFilters();
const { save, saved, change, wait } = world;
let writing: WritingServer;
let call: WritingServer['call'];
let chloe: string;
let brunoId: string, chloeId: string;
/** A group of Bruno's and Chloe's, and one of neither. */
let team: string, others: string;
beforeAll(async () => {
  ({ writing, chloe, brunoId, chloeId, team } = world);
  ({ call } = writing);
  others = (await writing.create('/api/v2/directory/groups', { label: 'Others' })).id;
});

type Body = Record<string, unknown>;
const offered = async (token: string): Promise<Body[]> =>
  (await call('GET', INBOX, undefined, { token })).body as Body[];
const idOfUri = (uri: unknown): string => String(uri).split('/').at(-1)!;
const labels = async (token: string): Promise<unknown[]> =>
  (await offered(token)).map(({ label }) => label);

describe('a saved filter', () => {
  it('is stored with its owner, counted in the inbox of the owner and hidden from other users', async () => {
    await wait('Urgent', { priority: 97 });
    const { status, body } = await save({
      label: 'Urgent',
      filters: ['priority:eq:97'],
      sorter: '-creationDate',
    });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        uri: `/process/task-filters/${body.id as string}`,
        reference: `FILTER-${body.id as string}`,
        label: 'Urgent',
        owner: expect.objectContaining({ id: brunoId }),
        filters: ['priority:eq:97'],
        filterMode: 'and',
        sorter: '-creationDate',
        position: 0,
        sharedWithEveryone: false,
        sharedWith: [],
        creationDate: expect.any(String),
        modificationDate: expect.any(String),
      },
    ]);
    expect(await offered(writing.bruno)).toEqual([
      {
        uri: body.uri as string,
        label: 'Urgent',
        owner: body.owner as object,
        isOwn: true,
        isShared: false,
        position: 0,
        filters: ['priority:eq:97'],
        filterMode: 'and',
        sorter: '-creationDate',
        count: 1,
        problem: null,
      },
    ]);
    const one = `${FILTERS}/${body.id as string}`;
    for (const token of [chloe, writing.admin]) {
      expect((await call('GET', one, undefined, { token })).status).toBe(404);
      expect((await call('GET', FILTERS, undefined, { token })).body).toEqual([]);
      expect(await offered(token)).toEqual([]);
      expect((await call('DELETE', one, undefined, { token })).status).toBe(404);
    }
  });

  it('is refused at saving with the messages of a list', async () => {
    const filters = [
      'due:lt:@now',
      'priority:contains:7',
      'dueDate:lt:@soon',
      'dueDate:lt:@nowish',
    ];
    const listed = await call('GET', TASKS + query({ filters, sorter: 'colour' }), undefined, {
      token: writing.bruno,
    });
    const refused = await save({ label: 'Bad', filters, sorter: 'colour' });
    const faults = (fields: { name: string; message: string }[]) =>
      fields.map(({ name, message }) => `${name} ${message}`).sort();
    expect(listed.status).toBe(400);
    expect(refused.status).toBe(400);
    expect(faults(refused.body.fields)).toEqual(faults(listed.body.fields));
    expect(faults(refused.body.fields)).toHaveLength(5);
  });

  it('compares dates with the moment at which it is executed', async () => {
    const hour = 3_600_000;
    const at = (offset: number) => new Date(Date.now() + offset).toISOString();
    await wait('Late', { priority: 96, dueDate: at(-hour) });
    await wait('Soon', { priority: 96, dueDate: at(20 * hour) });
    await wait('Later', { priority: 96, dueDate: at(50 * hour) });
    for (const [moment, titles] of [
      ['@now', ['Late']],
      ['@now+1d', ['Late', 'Soon']],
      ['@now 21h', ['Late', 'Soon']],
      ['@now+3d', ['Late', 'Soon', 'Later']],
      ['@now-2h', []],
    ] as const) {
      const filters = ['priority:eq:96', `dueDate:lt:${moment}`];
      const id = await saved({ filters });
      const asked = { token: writing.bruno };
      const records = await call('GET', `${FILTERS}/${id}/records`, undefined, asked);
      expect(records.body.map(({ title }: Body) => title)).toEqual(titles);
      const list = await call(
        'GET',
        `${TASKS}${query({ filters, sorter: 'dueDate' })}`,
        undefined,
        asked,
      );
      expect(list.body.map(({ title }: Body) => title)).toEqual(titles);
      const mine = (await offered(writing.bruno)).find(
        ({ uri }) => uri === `/process/task-filters/${id}`,
      );
      expect(mine?.count).toBe(titles.length);
    }
  });

  it('cannot name the present in a view, whose count is remembered', async () => {
    const view = { label: 'Late', application: 'EXPENSES', filters: ['dueDate:lt:@now'] };
    const { status, body } = await call('POST', '/api/v2/process/views', {
      ...view,
      application: await idOf(writing.server, 'applications', 'EXPENSES'),
    });
    expect([status, body.fields]).toEqual([
      400,
      [{ name: 'filters', message: 'dueDate:lt:@now: views cannot compare with @now' }],
    ]);
  });

  it.each(['title:contains::@nowhere', 'title:contains:@now'])(
    'is not taken from a text that looks like the present, in views too: %s',
    async (text) => {
      const view = { label: 'Nowhere', application: 'EXPENSES', filters: [text] };
      const { status, body } = await call('POST', '/api/v2/process/views', {
        ...view,
        application: await idOf(writing.server, 'applications', 'EXPENSES'),
      });
      expect([status, body.filters]).toEqual([201, [text]]);
      await call('DELETE', `/api/v2/process/views/${body.id as string}`);
    },
  );

  it('has a place among the filters of its owner, who renames and moves it', async () => {
    const [a, b, c] = [
      await saved({ label: 'A' }),
      await saved({ label: 'B' }),
      await saved({ label: 'C' }),
    ];
    expect(await labels(writing.bruno)).toEqual(['A', 'B', 'C']);
    expect((await change(a, '/position', 7)).status).toBe(200);
    expect((await change(b, '/label', 'Before')).status).toBe(200);
    expect(await labels(writing.bruno)).toEqual(['Before', 'C', 'A']);
    expect(
      (await call('DELETE', `${FILTERS}/${c}`, undefined, { token: writing.bruno })).status,
    ).toBe(204);
    expect(await labels(writing.bruno)).toEqual(['Before', 'A']);
  });

  it('takes no reference that the server gives to a later one, and no place that it could not keep', async () => {
    const taken = await save({ label: 'A', reference: 'filter-987654' });
    expect([taken.status, taken.body.fields]).toEqual([
      400,
      [
        {
          name: 'reference',
          message: 'FILTER- and a number is a reference that the server gives',
        },
      ],
    ]);
    await saved({ label: 'A', position: 1_000_000 });
    const last = await saved({ label: 'B' });
    const { body } = await call('GET', `${FILTERS}/${last}`, undefined, { token: writing.bruno });
    expect(body.position).toBe(1_000_000);
    const again = await call('PUT', `${FILTERS}/${last}`, body, { token: writing.bruno });
    expect([again.status, again.body.label]).toEqual([200, 'B']);
    const unnamed = { ...(body as Body), reference: undefined, label: 'C' };
    const kept = await call('PUT', `${FILTERS}/${last}`, unnamed, { token: writing.bruno });
    expect([kept.status, kept.body.label, kept.body.reference]).toEqual([
      200,
      'C',
      (body as Body).reference,
    ]);
  });

  it('is the last of fifty, also where several are saved at once', async () => {
    await writing.server.database.query(
      `INSERT INTO task_filters (label, owner_id) SELECT 'F' || n, $1::bigint FROM generate_series(1, 48) n`,
      [brunoId],
    );
    const answers = await Promise.all(['X', 'Y', 'Z', 'W'].map((label) => save({ label })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    const { body } = await save({ label: 'More' });
    expect(body.message).toBe('There can be at most 50 filters; delete one first');
    expect((await save({ label: 'Mine' }, chloe)).status).toBe(201);
  });

  it('reports why it cannot be counted, while the others are counted', async () => {
    await saved({ label: 'Good', filters: ['priority:eq:-97'] });
    const broken = await saved({ label: 'Broken' });
    const { server } = writing;
    await server.database.query(
      `UPDATE task_filters SET filters = '{colour:eq:red}' WHERE id = $1`,
      [broken],
    );
    const gone = await writing.create('/api/v2/navigation/applications', {
      title: 'Gone',
      type: 'PROCESS',
    });
    await saved({ label: 'Gone', filters: [`application:eq:${gone.uri}`] });
    await saved({
      label: 'Or',
      filters: [`application:eq:${gone.uri}`, 'priority:eq:-97'],
      filterMode: 'or',
    });
    const numbers = async () =>
      (await offered(writing.bruno)).map(({ label, count, problem }) => [
        label,
        count,
        (problem as { message: string } | null)?.message ?? null,
      ]);
    const unknown = [
      'Broken',
      null,
      expect.stringMatching(/^unknown attribute 'colour'; filterable: /),
    ];
    const either = ['Or', 0, null];
    expect(await numbers()).toEqual([['Good', 0, null], unknown, ['Gone', 0, null], either]);
    expect((await call('DELETE', `/api/v2${gone.uri}`)).status).toBe(204);
    expect(await numbers()).toEqual([
      ['Good', 0, null],
      unknown,
      ['Gone', null, `there is no ${gone.uri}`],
      either,
    ]);
    const records = await call('GET', `${FILTERS}/${broken}/records`, undefined, {
      token: writing.bruno,
    });
    expect([records.status, records.body.message]).toEqual([
      409,
      expect.stringMatching(/^The filter cannot be executed: unknown attribute 'colour'/),
    ]);
  });
});

describe('counting the filters of one person', () => {
  it('takes two connections at most, and answers 429 when more calls of the person wait', async () => {
    const { database } = writing.server;
    await saved({ filters: ['priority:eq:1'] });
    await database.query('BEGIN');
    await database.query('LOCK TABLE tasks');
    const statuses: number[] = [];
    const calls = Array.from({ length: 30 }, async () => {
      const { status } = await call('GET', INBOX, undefined, { token: writing.bruno });
      statuses.push(status);
    });
    try {
      await eventually(() => expect(statuses).toContain(429));
      const others = await call('GET', '/api/v2/navigation/categories', undefined, {
        token: chloe,
      });
      expect(others.status).toBe(200);
    } finally {
      await database.query('ROLLBACK');
    }
    await Promise.all(calls);
  });
});

describe('filters inside texts that are too slow', () => {
  it('cost no other filter its count', async () => {
    await wait('Quick', { priority: 93 });
    await writing.server.database.query(
      `INSERT INTO task_filters (label, owner_id, filters) SELECT 'F' || 100 + n, $1::bigint,
        ARRAY[CASE WHEN n % 2 = 0 THEN 'title:contains:slow' ELSE 'priority:eq:93' END] FROM generate_series(0, 23) n`,
      [brunoId],
    );
    let counts: Body[] = [];
    const untilOver = async (limit: number) => {
      await delay(limit);
      throw timeOver();
    };
    await whileSlow(
      writing.server,
      untilOver,
      async () => void (counts = await offered(writing.bruno)),
    );
    expect(counts.map(({ count, problem }) => [count, problem])).toEqual(
      counts.map((_, at) => (at % 2 === 0 ? [null, TOO_SLOW] : [1, null])),
    );
  });
});

describe('what one person shares', () => {
  const demanding = (count: number) =>
    Array.from({ length: count }, (_, n) =>
      n % 2 === 0 ? `assignee.title:eq:x${n}` : `title:contains:x${n}`,
    );
  const tooDemanding = {
    code: 400,
    message: 'Invalid: filters',
    fields: [
      {
        name: 'filters',
        message: 'a shared filter can have at most 5 conditions on linked objects or inside texts',
      },
    ],
  };

  it('may have only few conditions on linked objects or inside texts, for administrators too', async () => {
    const body = { label: 'Demanding', filters: demanding(6), sharedWith: [team] };
    for (const token of [writing.bruno, writing.admin]) {
      const refused = await save(body, token);
      expect([refused.status, refused.body]).toEqual([400, tooDemanding]);
    }
    const own = await saved({ filters: demanding(6) });
    const refused = await change(own, '/sharedWith', [team]);
    expect([refused.status, refused.body]).toEqual([400, tooDemanding]);
    const plain = Array.from({ length: 15 }, (_, n) => `priority:neq:${n}`);
    const shared = await saved({ filters: [...demanding(5), ...plain], sharedWith: [team] });
    const grown = await change(shared, '/filters', demanding(6));
    expect([grown.status, grown.body]).toEqual([400, tooDemanding]);
  });

  it('may stay as demanding as it was, but is counted only for its owner', async () => {
    const id = await saved({ label: 'Old', sharedWith: [team] });
    await writing.server.database.query(`UPDATE task_filters SET filters = $1 WHERE id = $2`, [
      Array.from({ length: 7 }, (_, n) => `assignee.title:notcontains:x${n}`),
      id,
    ]);
    await saved({ label: 'Mine', filters: ['priority:eq:-1'] }, chloe);
    await saved({ label: 'Simple', filters: ['priority:eq:-1'], sharedWith: [team] });
    expect((await change(id, '/label', 'Older')).status).toBe(200);
    const numbers = async (token: string) =>
      (await offered(token)).map(({ label, count, problem }) => [label, count, problem]);
    expect(await numbers(writing.bruno)).toEqual([
      ['Older', expect.any(Number), null],
      ['Simple', 0, null],
    ]);
    expect(await numbers(chloe)).toEqual([
      ['Mine', 0, null],
      ['Older', null, TOO_SLOW],
      ['Simple', 0, null],
    ]);
    const records = await call('GET', `${FILTERS}/${id}/records`, undefined, { token: chloe });
    expect(records.status).toBe(200);
  });

  it('is twenty filters at most, also where several are shared at once', async () => {
    await writing.server.database.query(
      `WITH f AS (INSERT INTO task_filters (label, owner_id) SELECT 'F' || n, $1::bigint FROM generate_series(1, 18) n RETURNING id)
        INSERT INTO task_filter_groups (filter_id, group_id) SELECT id, $2::bigint FROM f`,
      [brunoId, team],
    );
    const shared = { label: 'Shared', sharedWith: [team] };
    const own = await saved({ label: 'Own' });
    const answers = await Promise.all([
      ...Array.from({ length: 3 }, () => save(shared)),
      change(own, '/sharedWith', [team]),
    ]);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(2);
    const refused = await save(shared);
    expect([refused.status, refused.body]).toEqual([
      409,
      { code: 409, message: 'A person can share at most 20 filters; stop sharing one first' },
    ]);
    const [first] = await offered(writing.bruno);
    const renamed = await change(idOfUri(first!.uri), '/label', 'Renamed');
    expect(renamed.status).toBe(200);
    expect((await save(shared, writing.admin)).status).toBe(201);
  });

  it('takes little time from its readers, and cannot take the count of a cheaper one', async () => {
    await saved({ label: 'Mine', filters: ['title:contains:slow'] }, chloe);
    await saved({ label: 'Cheap', filters: ['priority:eq:-1'], sharedWith: [team] });
    for (let n = 0; n < 3; n++)
      await saved({ label: `Slow ${n}`, filters: ['title:contains:slow'], sharedWith: [team] });
    const limits: number[] = [];
    const note = async (limit: number) => {
      limits.push(limit);
      await delay(limit);
      throw timeOver();
    };
    await whileSlow(writing.server, note, async () => {
      expect((await offered(chloe)).map(({ label, count }) => [label, count])).toEqual([
        ['Mine', null],
        ['Cheap', 0],
        ['Slow 0', null],
        ['Slow 1', null],
        ['Slow 2', null],
      ]);
    });
    const [own, ...shared] = limits;
    expect(own).toBe(1_000);
    expect(shared.length).toBeGreaterThan(0);
    expect(shared.reduce((sum, limit) => sum + limit, 0)).toBeLessThanOrEqual(250);
  });
});

describe('a shared filter', () => {
  it('is executed with the rights of each reader, who may copy but not change it', async () => {
    await wait('Mine', { priority: 95 });
    await wait('Mine too', { priority: 95 });
    await wait('Yours', { priority: 95, assignee: 'chloe.lefevre' });
    const id = await saved({ label: 'Team', filters: ['priority:eq:95'], sharedWith: [team] });
    const [mine] = await offered(writing.bruno);
    expect(mine).toMatchObject({ isOwn: true, isShared: true, count: 2 });
    const [theirs] = await offered(chloe);
    expect(theirs).toMatchObject({
      isOwn: false,
      isShared: true,
      count: 1,
      owner: expect.objectContaining({ id: brunoId }),
    });
    const one = await call('GET', `${FILTERS}/${id}`, undefined, { token: chloe });
    expect(one.status).toBe(200);
    for (const [action, answer] of [
      ['change', await change(id, '/label', 'Ours', chloe)],
      ['change', await call('PUT', `${FILTERS}/${id}`, { label: 'Ours' }, { token: chloe })],
      ['delete', await call('DELETE', `${FILTERS}/${id}`, undefined, { token: chloe })],
    ] as const)
      expect([answer.status, answer.body.message]).toEqual([
        403,
        `You have no access to this endpoint or resource: it needs task-filters:${action}`,
      ]);
    const copy = await save({ ...(one.body as Body), reference: null }, chloe);
    expect([copy.status, copy.body]).toMatchObject([
      201,
      { label: 'Team', owner: { id: chloeId }, sharedWith: [], sharedWithEveryone: false },
    ]);
    expect(await labels(chloe)).toEqual(['Team', 'Team']);
  });

  it('is shared by people with their own groups, and by administrators with everybody', async () => {
    const id = await saved({ label: 'Shared' });
    const foreign = await change(id, '/sharedWith', [team, others]);
    expect([foreign.status, foreign.body.fields]).toEqual([
      400,
      [
        {
          name: 'sharedWith',
          message: `must be groups of yours; you are no member of /directory/groups/${others}`,
        },
      ],
    ]);
    const all = await change(id, '/sharedWithEveryone', true);
    expect([all.status, all.body.fields]).toEqual([
      400,
      [{ name: 'sharedWithEveryone', message: 'only administrators share with everyone' }],
    ]);
    const public_ = await saved({ label: 'All', sharedWithEveryone: true }, writing.admin);
    expect(await labels(chloe)).toEqual(['All']);
    // Administrators unshare another person's filter.
    expect((await change(id, '/sharedWith', [team])).status).toBe(200);
    expect(await labels(chloe)).toEqual(['All', 'Shared']);
    expect((await call('DELETE', `${FILTERS}/${id}`)).status).toBe(204);
    expect((await call('DELETE', `${FILTERS}/${public_}`)).status).toBe(204);
    expect(await labels(chloe)).toEqual([]);
  });

  it('names its groups by reference, also in a patch, and is named by its own', async () => {
    const { body } = await call('GET', `/api/v2/directory/groups/${team}`);
    const reference = String(body.reference);
    const id = await saved({ label: 'By name', sharedWith: [reference] });
    const named = `${FILTERS}/FILTER-${id}`;
    const read = await call('GET', named, undefined, { token: chloe });
    expect(read.body).toMatchObject({ id, sharedWith: [{ id: team }] });
    const add = [{ op: 'add', path: '/sharedWith/-', value: 'NO-GROUP' }];
    const refused = await call('PATCH', named, add, { token: writing.bruno });
    expect([refused.status, refused.body.fields]).toEqual([
      400,
      [{ name: 'sharedWith', message: "there is no group 'NO-GROUP'" }],
    ]);
    const hidden = await saved({ label: 'Mine alone' }, chloe);
    for (const path of [`${FILTERS}/FILTER-${hidden}`, `${FILTERS}/NOTHING/records`])
      expect((await call('GET', path, undefined, { token: writing.bruno })).status).toBe(404);
  });

  it('is hidden from administrators once they have unshared it', async () => {
    const id = await saved({ label: 'Ours', sharedWith: [team] });
    const { status, body } = await change(id, '/sharedWith', [], writing.admin);
    expect([status, body]).toMatchObject([200, { label: 'Ours', sharedWith: [] }]);
    const one = `${FILTERS}/${id}`;
    expect((await call('GET', one)).status).toBe(404);
    expect((await change(id, '/label', 'Mine', writing.admin)).status).toBe(404);
    expect((await call('GET', one, undefined, { token: writing.bruno })).body.sharedWith).toEqual(
      [],
    );
  });

  it('is in the audit trail with its address, and with its content only while it is shared', async () => {
    const id = await saved({ label: 'Secret one' });
    await change(id, '/label', 'Secret two');
    await change(id, '/sharedWith', [team]);
    await change(id, '/label', 'Ours');
    await change(id, '/sharedWith', []);
    await change(id, '/label', 'Secret three');
    await call('DELETE', `${FILTERS}/${id}`, undefined, { token: writing.bruno });
    const trail = `/api/v2/administration/audit${query({ filters: `object:eq:/process/task-filters/${id}`, sorter: 'id' })}`;
    const { body, text } = await call('GET', trail);
    const ofTeam = [expect.objectContaining({ id: team })];
    const states = body.map(({ action, before, after }: Body) => [action, before, after]);
    expect(states).toEqual([
      ['create', null, null],
      ['update', null, null],
      ['update', null, expect.objectContaining({ sharedWith: ofTeam })],
      [
        'update',
        expect.objectContaining({ label: 'Secret two' }),
        expect.objectContaining({ label: 'Ours' }),
      ],
      ['update', expect.objectContaining({ sharedWith: ofTeam }), null],
      ['update', null, null],
      ['delete', null, null],
    ]);
    expect(text).not.toMatch(/Secret (one|three)/);
  });

  it('disappears at once for a person who leaves the group', async () => {
    await saved({ label: 'Team', sharedWith: [team] });
    expect(await labels(chloe)).toEqual(['Team']);
    const member = `/api/v2/directory/groups/${team}/members/${chloeId}`;
    await call('DELETE', member);
    expect(await labels(chloe)).toEqual([]);
    await call('PUT', member);
    expect(await labels(chloe)).toEqual(['Team']);
  });

  it('goes with its owner and loses a deleted group', async () => {
    const group = await writing.create('/api/v2/directory/groups', { label: 'Short-lived' });
    const id = await saved({ label: 'Shared', sharedWith: [group.id, team] }, writing.admin);
    expect((await call('DELETE', `/api/v2${group.uri}`)).status).toBe(204);
    const { body } = await call('GET', `${FILTERS}/${id}`);
    expect(body.sharedWith).toEqual([expect.objectContaining({ id: team })]);
    const user = { login: 'short.lived', lastName: 'Short' };
    const { id: owner, uri } = await writing.create('/api/v2/directory/users', user);
    await writing.server.database.query(
      `INSERT INTO task_filters (label, owner_id) VALUES ('Short', $1)`,
      [owner],
    );
    expect((await call('DELETE', `/api/v2${uri}`)).status).toBe(204);
    expect(
      await writing.server.database.query(`SELECT label FROM task_filters WHERE label = 'Short'`),
    ).toEqual([]);
  });
});
