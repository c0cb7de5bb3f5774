import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fieldNames } from '../support/call.js';
import { idOf, uriOf } from '../support/id-of.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/**
 * RFC 6902 and RFC 6901 over HTTP. The document is a view: `columns` is an array of texts,
 * `application` an object, `label` a text, `sorter` null, `creationDate` is read-only.
 */

const COLUMNS = ['title', 'priority', 'dueDate'];
type Operation = Record<string, unknown>;

let server: TestServer;
let token: string;
/** The id of the application of the view. */
let leave: string;
let path: string;
let view: Record<string, unknown>;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.signIn('alice.martin');
  leave = await idOf(server, 'applications', 'LEAVE');
});
afterAll(() => server.close());
beforeEach(async () => {
  const body = {
    label: 'Patch',
    application: leave,
    columns: COLUMNS,
    filters: ['status:eq:open'],
  };
  const made = await server.call('/api/v2/process/views', { method: 'POST', token, body });
  view = made.body;
  path = `/api/v2${view.uri as string}`;
});

const patch = (operations: unknown) =>
  server.call(path, { method: 'PATCH', token, body: operations });
const rowState = async () =>
  (await server.database.query('SELECT xmin::text, * FROM views WHERE id = $1', [view.id]))[0];

/** Asserts that the patch succeeds and leaves these columns. */
async function leaves(operations: Operation[], columns: string[]): Promise<void> {
  const answer = await patch(operations);
  expect([answer.status, answer.body.columns]).toEqual([200, columns]);
}

/** Asserts a 400 that names the operation and leaves the row unchanged. */
async function refused(operations: unknown, status: number, name?: string): Promise<void> {
  const before = await rowState();
  const answer = await patch(operations);
  expect(answer.status).toBe(status);
  if (name !== undefined) expect(new Set(fieldNames(answer))).toEqual(new Set([name]));
  expect(answer.text).not.toContain('tree');
  expect(await rowState()).toEqual(before);
}

const [A, B, C] = COLUMNS as [string, string, string];
/** Array indexes (RFC 6901 section 4): digits without leading zeros, or `-`. */
const INDEXES = [
  '0',
  '1',
  '2',
  '3',
  '4',
  '-',
  '00',
  '01',
  '-1',
  '+1',
  '1e0',
  '1.0',
  ' 1',
  '1 ',
  '%31',
  '１',
  'a',
  'length',
  '4294967296',
  '99999999999',
  '',
];

describe('add (RFC 6902 section 4.1)', () => {
  const ADDED: Record<string, string[]> = {
    0: ['link', A, B, C],
    1: [A, 'link', B, C],
    2: [A, B, 'link', C],
    3: [A, B, C, 'link'],
    '-': [A, B, C, 'link'],
  };
  it.each(INDEXES)('inserts at array index %j or refuses', async (index) => {
    const operations = [{ op: 'add', path: `/columns/${index}`, value: 'link' }];
    if (ADDED[index]) await leaves(operations, ADDED[index]);
    else await refused(operations, 400, `/columns/${index}`);
  });

  it('replaces an existing member of an object', async () => {
    const answer = await patch([{ op: 'add', path: '/label', value: 'Other' }]);
    expect([answer.status, answer.body.label]).toEqual([200, 'Other']);
  });

  it('replaces an array as a whole', () =>
    leaves([{ op: 'add', path: '/columns', value: ['link'] }], ['link']));
  it('takes the whole document', async () => {
    const answer = await patch([{ op: 'add', path: '', value: { ...view, label: 'Whole' } }]);
    expect([answer.status, answer.body.label]).toEqual([200, 'Whole']);
  });
  it('ignores members that it does not define', () =>
    leaves(
      [{ op: 'add', path: '/columns/-', value: 'link', from: '/nowhere', xyz: 1 }],
      [...COLUMNS, 'link'],
    ));
  it.each([['/nothing/a'], ['/columns/0/a'], ['/label/a'], ['/sorter/a'], ['/columns/9/a']])(
    'refuses a parent that is neither an object nor an array: %s',
    (at) => refused([{ op: 'add', path: at, value: 'link' }], 400, at),
  );
});

describe('remove (4.2)', () => {
  const REMOVED: Record<string, string[]> = { 0: [B, C], 1: [A, C], 2: [A, B] };
  it.each(INDEXES)('removes array index %j or refuses', async (index) => {
    const operations = [{ op: 'remove', path: `/columns/${index}` }];
    if (REMOVED[index]) await leaves(operations, REMOVED[index]);
    else await refused(operations, 400, `/columns/${index}`);
  });
  it('blanks the attribute at the path', async () => {
    await patch([{ op: 'replace', path: '/sorter', value: 'dueDate' }]);
    const answer = await patch([{ op: 'remove', path: '/sorter' }]);
    expect([answer.status, answer.body.sorter]).toEqual([200, null]);
  });
  it('needs no value and ignores one', () =>
    leaves([{ op: 'remove', path: '/columns/0', value: 'x' }], [B, C]));
});

describe('replace (4.3)', () => {
  const REPLACED: Record<string, string[]> = {
    0: ['link', B, C],
    1: [A, 'link', C],
    2: [A, B, 'link'],
  };
  it.each(INDEXES)('replaces array index %j or refuses', async (index) => {
    const operations = [{ op: 'replace', path: `/columns/${index}`, value: 'link' }];
    if (REPLACED[index]) await leaves(operations, REPLACED[index]);
    else await refused(operations, 400, `/columns/${index}`);
  });
  it.each(['/columns', '/filters', '/sorter', '/filterMode'])(
    'blanks %s if the value is null',
    async (at) => {
      expect((await patch([{ op: 'replace', path: at, value: null }])).status).toBe(200);
    },
  );
  it('changes a link by its URI, by its id, or by an object', async () => {
    const canteen = await idOf(server, 'applications', 'CANTEEN');
    for (const value of [
      await uriOf(server, 'applications', 'TRAVEL'),
      await idOf(server, 'applications', 'EXPENSES'),
      { uri: await uriOf(server, 'applications', 'DIRECTORY') },
      { id: canteen, label: 'x' },
    ]) {
      const answer = await patch([{ op: 'replace', path: '/application', value }]);
      expect(answer.status).toBe(200);
    }
    expect((await patch([])).body.application.id).toBe(canteen);
  });
});

describe('move (4.4)', () => {
  it.each([
    ['/columns/0', '/columns/0', [A, B, C]],
    ['/columns/0', '/columns/1', [B, A, C]],
    ['/columns/0', '/columns/2', [B, C, A]],
    ['/columns/0', '/columns/-', [B, C, A]],
    ['/columns/2', '/columns/0', [C, A, B]],
    ['/columns/1', '/columns/1', [A, B, C]],
    ['/columns/2', '/columns/2', [A, B, C]],
  ])('%s to %s', (from, at, columns) => leaves([{ op: 'move', from, path: at }], columns));
  it.each([
    ['/columns/0', '/columns/3'],
    ['/columns/3', '/columns/0'],
    ['/columns/-', '/columns/0'],
    ['/columns/00', '/columns/0'],
    ['/nothing', '/label'],
    ['/columns', '/columns/0'],
    ['/application', '/application/x'],
    ['/columns/0', '/creationDate'],
    ['/creationDate', '/label'],
    ['', '/label'],
    ['/label/length', '/sorter'],
    ['/columns/length', '/sorter'],
  ])('refuses %s to %s', async (from, at) => {
    const before = await rowState();
    expect((await patch([{ op: 'move', from, path: at }])).status).toBe(400);
    expect(await rowState()).toEqual(before);
  });
  it('blanks the attribute that it moves from', async () => {
    await patch([{ op: 'replace', path: '/sorter', value: 'title' }]);
    const answer = await patch([{ op: 'move', from: '/sorter', path: '/label' }]);
    expect([answer.status, answer.body.label, answer.body.sorter]).toEqual([200, 'title', null]);
  });
});

describe('copy (4.5)', () => {
  it.each([
    ['/columns/0', '/columns/0', [A, A, B, C]],
    ['/columns/0', '/columns/3', [A, B, C, A]],
    ['/columns/2', '/columns/1', [A, C, B, C]],
    ['/columns/1', '/columns/-', [A, B, C, B]],
  ])('%s to %s', (from, at, columns) => leaves([{ op: 'copy', from, path: at }], columns));
  it.each(INDEXES.filter((index) => !['0', '1', '2'].includes(index)))(
    'refuses to copy from array index %j',
    (index) =>
      refused([{ op: 'copy', from: `/columns/${index}`, path: '/columns/0' }], 400, '/columns/0'),
  );
  it('checks a read-only value like any other in a writable attribute', async () => {
    const answer = await patch([{ op: 'copy', from: '/uri', path: '/label' }]);
    expect([answer.status, answer.body.label]).toEqual([200, view.uri]);
  });
  it('cannot multiply the size of the document', async () => {
    const long = 'x'.repeat(400);
    const bomb = [
      { op: 'add', path: '/columns', value: [long] },
      ...Array<Operation>(40).fill({ op: 'copy', from: '/columns', path: '/columns/-' }),
    ];
    await refused(bomb, 413);
  });
});

describe('what a patch may cost', () => {
  const items = (count: number): unknown[] => Array.from({ length: count }, () => []);
  /** Asserts the exact error and an unchanged row. */
  async function refusedWith(operations: Operation[], fault: { name: string; message: string }) {
    const before = await rowState();
    const { status, body } = await patch(operations);
    expect({ status, body }).toEqual({
      status: 400,
      body: { code: 400, message: `Invalid: ${fault.name}`, fields: [fault] },
    });
    expect(await rowState()).toEqual(before);
  }

  it('refuses copies and moves below a text before it applies anything', async () => {
    const operations: Operation[] = [
      { op: 'add', path: '/label', value: { x: items(990), b: {} } },
    ];
    for (let i = 0; i < 5; i++)
      operations.push({ op: 'copy', from: '/label/x', path: `/label/x/${i}` });
    operations.push({ op: 'copy', from: '/label/x', path: '/label/b/z' });
    while (operations.length < 100)
      operations.push(
        operations.length % 2
          ? { op: 'move', from: '/label/b/z', path: '/label/b/y' }
          : { op: 'move', from: '/label/b/y', path: '/label/b/z' },
      );
    const before = await rowState();
    const { status, body } = await patch(operations);
    expect([status, body.fields]).toEqual([
      400,
      operations.slice(1).map(({ op, path }, index) => ({
        name: path,
        message: `operation ${index + 1} (${String(op)}): 'label' has no values at that depth`,
      })),
    ]);
    expect(await rowState()).toEqual(before);
  });

  it('visits at most 50,000 values', () => {
    const copies = Array<Operation>(50).fill({
      op: 'copy',
      from: '/columns/0',
      path: '/columns/-',
    });
    return refusedWith([{ op: 'add', path: '/columns', value: [items(999)] }, ...copies], {
      name: '/columns/-',
      message:
        'operation 49 (copy): the patch is too much work: its operations may visit at most 50000 values',
    });
  });

  it('copies at most 256 KiB, even if it removes the copies', async () => {
    const copyAndRemove = [
      { op: 'copy', from: '/columns/0', path: '/columns/-' },
      { op: 'remove', path: '/columns/1' },
    ];
    const operations = [
      { op: 'add', path: '/columns', value: ['x'.repeat(30_000)] },
      ...Array<Operation[]>(9).fill(copyAndRemove).flat(),
    ];
    const before = await rowState();
    const { status, body } = await patch(operations);
    expect({ status, body }).toEqual({
      status: 413,
      body: {
        code: 413,
        message: 'The body is too large; at most 256 KiB of copies in a patch',
      },
    });
    expect(await rowState()).toEqual(before);
  });

  it('accepts any patch of 64 KiB without copy operations', async () => {
    const wide = Array.from({ length: 31 }, () => Array<number>(1000).fill(0));
    await refused([{ op: 'add', path: '/columns', value: wide }], 400, 'columns');
  });

  it.each([
    ['remove', '/label/x', '/label/x', "'label' has no values at that depth"],
    ['test', '/creationDate/x', '/creationDate/x', "'creationDate' has no values at that depth"],
    ['add', '/columns/0/0/x', '/columns/0/0/x', "'columns' has no values at that depth"],
    ['add', '/application/id/x', '/application/id/x', "'application' has no values at that depth"],
    ['test', '/nothing/x', '/nothing/x', "'nothing' has no values at that depth"],
  ])('refuses to %s %s, which no view has', (op, at, name, message) =>
    refusedWith([{ op, path: at, value: 'x' }], {
      name,
      message: `operation 0 (${op}): ${message}`,
    }),
  );
  it('refuses a source that no view has', () =>
    refusedWith([{ op: 'copy', from: '/sorter/x', path: '/label' }], {
      name: '/label',
      message: "operation 0 (copy): 'sorter' has no values at that depth",
    }));
  it.each([
    ['replace', '/application/id'],
    ['replace', '/application/label'],
    ['add', '/application/foo'],
    ['remove', '/application/uri'],
    ['copy', '/application/label'],
  ])('refuses to %s %s, because a link is written as a whole', (op, at) =>
    refusedWith([{ op, path: at, from: '/label', value: 'x' }], {
      name: at,
      message: `operation 0 (${op}): a link in '${at.split('/')[1]}' is replaced as a whole`,
    }),
  );
  it('refuses to move a part of a link away', () =>
    refusedWith([{ op: 'move', from: '/application/label', path: '/label' }], {
      name: '/label',
      message: "operation 0 (move): a link in 'application' is replaced as a whole",
    }));
  it('copies a part of a link, and replaces a link', async () => {
    const travel = await idOf(server, 'applications', 'TRAVEL');
    const answer = await patch([
      { op: 'copy', from: '/application/label', path: '/label' },
      { op: 'replace', path: '/application', value: travel },
    ]);
    expect([answer.status, answer.body.label, answer.body.application.id]).toEqual([
      200,
      (view.application as { label: string }).label,
      travel,
    ]);
  });
  it('says that a patch changes nothing', async () => {
    const same = await patch([{ op: 'replace', path: '/label', value: view.label }]);
    const { 'x-warning': warning, etag } = same.headers;
    expect([same.status, warning, etag]).toEqual([200, 'the patch changes nothing', '"1"']);
    const other = await patch([{ op: 'replace', path: '/label', value: 'Other' }]);
    expect([other.status, other.headers['x-warning']]).toEqual([200, undefined]);
  });
});

describe('test (4.6)', () => {
  it.each<[string, () => unknown]>([
    ['/label', () => 'Patch'],
    ['/columns', () => COLUMNS],
    ['/columns/1', () => B],
    ['/sorter', () => null],
    ['/application/id', () => leave],
    ['', () => view],
    ['/creationDate', () => view.creationDate],
    [
      '/application',
      () => Object.fromEntries(Object.entries(view.application as object).reverse()),
    ],
  ])('holds at %j', async (at, value) => {
    expect((await patch([{ op: 'test', path: at, value: value() }])).status).toBe(200);
  });
  it.each<[string, unknown]>([
    ['/label', 'patch'],
    ['/label', null],
    ['/label', ['Patch']],
    ['/columns', [C, B, A]],
    ['/columns', [A, B]],
    ['/columns', { 0: A, 1: B, 2: C }],
    ['/columns/0', 0],
    ['/sorter', ''],
    ['/sorter', false],
    ['/sorter', 0],
    ['/sorter', {}],
    ['', {}],
    ['/label', 'Patch '],
    ['/label', 'Ｐatch'],
  ])('fails at %j for %j with 409', (at, value) => refused([{ op: 'test', path: at, value }], 409));
  it.each<[string, string, () => unknown]>([
    ['/application/id', 'the id as a number', () => Number(leave)],
    ['/application', 'a link with its id alone', () => ({ id: leave })],
  ])('fails at %j for %s with 409', (at, _, value) =>
    refused([{ op: 'test', path: at, value: value() }], 409),
  );
  it.each(INDEXES.filter((index) => !['0', '1', '2'].includes(index)))(
    'refuses array index %j',
    (index) =>
      refused([{ op: 'test', path: `/columns/${index}`, value: A }], 400, `/columns/${index}`),
  );
  it('answers 400 to a member named like a method of every object', () => {
    const value = { id: '1', uri: '', label: '', hasOwnProperty: true };
    return refused([{ op: 'test', path: '/application', value }], 400, '/application');
  });
  it('discards earlier operations when it fails', () =>
    refused(
      [
        { op: 'remove', path: '/columns/0' },
        { op: 'replace', path: '/label', value: 'X' },
        { op: 'test', path: '/label', value: 'Y' },
      ],
      409,
    ));
  it('tests the result of earlier operations', () =>
    leaves(
      [
        { op: 'remove', path: '/columns/0' },
        { op: 'test', path: '/columns/0', value: B },
      ],
      [B, C],
    ));
});

describe('pointers (RFC 6901)', () => {
  it.each([
    'label',
    '#/label',
    '/~',
    '/label~',
    '/~2',
    '/la~bel',
    '//label',
    '/label/',
    '/',
    '/Label',
    '/%6Cabel',
    '/ label',
    '/label ',
    '/~0label',
    '/~1label',
    '/columns~10',
    '/constructor',
    '/__proto__',
    '/toString',
    '/hasOwnProperty',
    '/prototype/x',
    '/columns/__proto__',
    '/columns/constructor/prototype',
    '/application/__proto__/x',
    '/revision',
    '/unknown',
    '/label/0',
    '/label/length',
  ])('refuses the path %j', async (at) => {
    const before = await rowState();
    expect((await patch([{ op: 'replace', path: at, value: 'x' }])).status).toBe(400);
    expect(await rowState()).toEqual(before);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
  it.each([null, 1, true, {}, [], ['label'], undefined])(
    'refuses the path %j, which is not a string',
    (at) => refused([{ op: 'replace', path: at, value: 'x' }], 400, '/0'),
  );
});

describe('the patch document (RFC 6902 section 3)', () => {
  it.each<[unknown]>([
    [{}],
    [{ op: 'add', path: '/label', value: 'x' }],
    ['[]'],
    [null],
    [1],
    [true],
    [[1]],
    [[null]],
    [[[]]],
    [[{}]],
    [[{ op: 'replace' }]],
    [[{ path: '/label', value: 'x' }]],
    [[{ op: null, path: '/label', value: 'x' }]],
    [[{ op: 'Replace', path: '/label', value: 'x' }]],
    [[{ op: 'merge', path: '/label', value: 'x' }]],
    [[{ op: 'constructor', path: '/label', value: 'x' }]],
    [[{ op: '__proto__', path: '/label', value: 'x' }]],
    [[{ op: ['replace'], path: '/label', value: 'x' }]],
    [[{ op: 'replace', path: '/label' }]],
    [[{ op: 'test', path: '/label' }]],
    [[{ op: 'add', path: '/label' }]],
    [[{ op: 'move', path: '/label' }]],
    [[{ op: 'copy', path: '/label', from: null }]],
    [[{ op: 'copy', path: '/label', from: 'label' }]],
  ])('refuses %j', async (document) => {
    const before = await rowState();
    const answer = await patch(document === '[]' ? '"[]"' : document);
    expect(answer.status).toBe(400);
    expect(await rowState()).toEqual(before);
  });
  it('may be empty: nothing changes', async () => {
    const before = await rowState();
    const answer = await patch([]);
    expect([answer.status, answer.body, answer.headers.etag]).toEqual([200, view, '"1"']);
    expect(await rowState()).toEqual(before);
  });
  it('has at most 100 operations', async () => {
    const holds = { op: 'test', path: '/label', value: 'Patch' };
    expect((await patch(Array(100).fill(holds))).status).toBe(200);
    await refused(Array(101).fill(holds), 400, 'body');
  });
  it('gives a result that is validated like PUT', async () => {
    await refused([{ op: 'replace', path: '/filterMode', value: 'xor' }], 400, 'filterMode');
    await refused([{ op: 'add', path: '/columns/-', value: 7 }], 400, 'columns');
    await refused([{ op: 'replace', path: '/filters/0', value: 'nothing:eq:x' }], 400, 'filters');
    await refused([{ op: 'remove', path: '/label' }], 400, 'label');
    await refused(
      [{ op: 'replace', path: '', value: { label: 'x', application: leave, extra: 1 } }],
      400,
      'extra',
    );
  });
});

describe('a task, whose variables and outcomes nest values', () => {
  let task: string;
  beforeAll(async () => {
    const body = {
      title: 'Order 4711',
      application: leave,
      variables: [{ name: 'order', label: 'Order', value: { total: 12, lines: [{ item: 'A4' }] } }],
      outcomes: [{ name: 'yes', translations: { fr: { label: 'Oui' } } }],
    };
    const made = await server.call('/api/v2/process/tasks', { method: 'POST', token, body });
    expect(made.status).toBe(201);
    task = `/api/v2${made.body.uri as string}`;
  });
  const patchTask = (body: Operation[]) => server.call(task, { method: 'PATCH', token, body });
  const variables = async () => (await server.call(task, { token })).body.variables as unknown;

  it('is changed and tested at every value', async () => {
    const answer = await patchTask([
      { op: 'test', path: '/variables/0/value/total', value: 12 },
      { op: 'replace', path: '/variables/0/value/total', value: 13 },
      { op: 'add', path: '/variables/0/value/lines/0/count', value: 2 },
      { op: 'test', path: '/outcomes/0/translations/fr/label', value: 'Oui' },
      { op: 'replace', path: '/outcomes/0/translations/fr/label', value: 'Accepter' },
    ]);
    expect(answer.status).toBe(200);
    expect(answer.body.variables).toEqual([
      {
        name: 'order',
        label: 'Order',
        value: { total: 13, lines: [{ item: 'A4', count: 2 }] },
      },
    ]);
    expect(answer.body.outcomes).toMatchObject([{ translations: { fr: { label: 'Accepter' } } }]);
  });

  it('is not nested more than 30 levels deep', async () => {
    const before = await variables();
    const steps = 27;
    const deep = JSON.parse(`${'{"a":'.repeat(steps)}{}${'}'.repeat(steps)}`) as unknown;
    const inside = `/variables/0/value${'/a'.repeat(steps)}`;
    const answer = await patchTask([
      { op: 'replace', path: '/variables/0/value', value: deep },
      ...Array.from({ length: 20 }, () => ({
        op: 'copy',
        from: '/variables/0/value',
        path: `${inside}/a`,
      })),
    ]);
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        code: 400,
        message: 'Invalid: variables',
        fields: [{ name: 'variables', message: 'must be nested at most 30 levels deep' }],
      },
    ]);
    const below = await patchTask([{ op: 'test', path: `${inside}/a/a/a/a`, value: 1 }]);
    expect(below.body.fields).toEqual([
      {
        name: `${inside}/a/a/a/a`,
        message: "operation 0 (test): 'variables' has no values at that depth",
      },
    ]);
    expect(await variables()).toEqual(before);
  });
});
