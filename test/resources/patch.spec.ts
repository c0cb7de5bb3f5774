import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fieldNames } from '../support/call.js';
import type { Call } from '../support/test-server.js';
import { idOf, uriOf } from '../support/id-of.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** Changing objects by JSON Patch, and the conditions of If-Match. */

const USERS = '/api/v2/directory/users';

let writing: WritingServer;
let server: WritingServer['server'];
let call: WritingServer['call'];
let create: WritingServer['create'];
let state: WritingServer['state'];
beforeAll(async () => {
  writing = await startWritingServer();
  ({ server, call, create, state } = writing);
});
afterAll(() => writing.close());

describe('PATCH', () => {
  const patch = (id: string, operations: unknown, more: Call = {}) =>
    call('PATCH', `${USERS}/${id}`, operations, more);
  let user: { id: string; uri: string };
  beforeAll(async () => {
    user = await create(USERS, {
      login: 'patch.me',
      lastName: 'Me',
      nickName: 'N',
      description: 'D',
    });
  });

  it('applies all six operations of RFC 6902', async () => {
    const answer = await patch(
      user.id,
      [
        { op: 'test', path: '/nickName', value: 'N' },
        { op: 'add', path: '/firstName', value: 'F' },
        { op: 'replace', path: '/lastName', value: 'L' },
        { op: 'copy', from: '/firstName', path: '/userFunction' },
        { op: 'move', from: '/description', path: '/nickName' },
        { op: 'remove', path: '/userFunction' },
      ],
      {
        headers: {
          'Content-Type': 'application/json-patch+json',
          Accept: 'application/json-patch+json',
        },
      },
    );
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({
        firstName: 'F',
        lastName: 'L',
        nickName: 'D',
        description: null,
        userFunction: null,
      }),
    ]);
  });

  it('answers 409 when a test operation fails, and applies no operation', async () => {
    const before = await state('users');
    const answer = await patch(user.id, [
      { op: 'replace', path: '/nickName', value: 'X' },
      { op: 'test', path: '/lastName', value: 'Other' },
    ]);
    expect([answer.status, answer.body]).toEqual([
      409,
      {
        code: 409,
        message: "operation 1 (test): the value at '/lastName' differs from the operation's value",
      },
    ]);
    expect(await state('users')).toEqual(before);
  });

  it.each([
    [[{ op: 'replace', path: '/unknown', value: 1 }], '/unknown'],
    [[{ op: 'add', path: '/sysadmin', value: true }], '/sysadmin'],
    [[{ op: 'replace', path: '/id', value: '1' }], '/id'],
    [[{ op: 'remove', path: '/creationDate' }], '/creationDate'],
    [[{ op: 'move', from: '/label', path: '/nickName' }], '/nickName'],
    [[{ op: 'replace', path: '/organization/label/x', value: 1 }], '/organization/label/x'],
    [[{ op: 'test', path: '/passwordHash', value: '$argon2' }], '/passwordHash'],
    [[{ op: 'test', path: '/password', value: null }], '/password'],
    [[{ op: 'copy', from: '/password', path: '/description' }], '/description'],
    [[{ op: 'move', from: '/nickName', path: '/password' }], '/password'],
    [[{ op: 'remove', path: '' }], '/0'],
    [[{ op: 'toString', path: '/nickName' }], '/nickName'],
    [[{ op: '_get', path: '/nickName' }], '/nickName'],
    [[{ op: 'ADD', path: '/nickName', value: 'x' }], '/nickName'],
    [[{ op: 'add', path: 'nickName', value: 'x' }], 'nickName'],
    [[{ op: 'add', path: '/nick~2', value: 'x' }], '/nick~2'],
    [[{ op: 'add', path: '/__proto__/x', value: 'x' }], '/__proto__/x'],
    [[{ op: 'add', path: '/constructor/prototype/x', value: 'x' }], '/constructor/prototype/x'],
    [[{ op: 'replace', path: '/nickName' }], '/nickName'],
    [[{ op: 'copy', path: '/nickName' }], '/nickName'],
    [[{ path: '/nickName', value: 'x' }], '/nickName'],
    [[{ op: 'add', value: 'x' }], '/0'],
    [['add'], '/0'],
    [[null], '/0'],
    [{ op: 'add', path: '/nickName', value: 'x' }, 'body'],
    [Array(101).fill({ op: 'test', path: '/lastName', value: 'L' }), 'body'],
    [[{ op: 'replace', path: '/lastName', value: null }], 'lastName'],
    [[{ op: 'replace', path: '', value: {} }], 'login'],
  ])('refuses %j naming %j', async (operations, name) => {
    const before = await state('users');
    const answer = await patch(user.id, operations);
    expect([answer.status, fieldNames(answer)[0]]).toEqual([400, name]);
    expect(await state('users')).toEqual(before);
  });

  it.each([
    [
      [
        { op: 'add', path: 'nickName', value: 'x' },
        { op: 'jump', path: '/title' },
        { op: 'test', path: '/title', value: null },
      ],
      [
        'operation 0 (add): path must be a JSON Pointer (RFC 6901)',
        'operation 1: op must be one of add, remove, replace, move, copy, test',
      ],
    ],
    [
      [
        { op: 'replace', path: '/unknown', value: 1 },
        { op: 'copy', from: '/password', path: '/description' },
        { op: 'move', from: '/nickName', path: '/password' },
      ],
      [
        "operation 0 (replace): unknown attribute 'unknown'",
        "operation 1 (copy): 'password' can only be added or replaced",
        "operation 2 (move): 'password' can only be added or replaced",
      ],
    ],
    [
      [
        { op: 'replace', path: '', value: 'x' },
        { op: 'test', path: '', value: 'x' },
      ],
      ['operation 0 (replace): the document must be a JSON object'],
    ],
    [
      [{ op: 'move', from: '/nickName', path: '' }],
      ['operation 0 (move): the document must be a JSON object'],
    ],
  ])('names the fault of each operation of %j', async (operations, messages) => {
    const { body } = await patch(user.id, operations);
    const fields = body.fields as { message: string }[];
    expect(fields.map(({ message }) => message)).toEqual(messages);
  });

  it('takes a GET answer as the value of a test on the whole document', async () => {
    const { body } = await call('GET', `${USERS}/${user.id}`);
    const answer = await patch(user.id, [
      { op: 'test', path: '', value: body },
      { op: 'replace', path: '/nickName', value: 'Tested' },
    ]);
    expect([answer.status, answer.body.nickName]).toEqual([200, 'Tested']);
  });

  it('sets the password that its last operations leave, and no password that a later one discards', async () => {
    const { id } = await create(USERS, { login: 'patch.password', lastName: 'P' });
    const { body } = await call('GET', `${USERS}/${id}`);
    const signsIn = async (password: string) => {
      const credentials = { login: 'patch.password', password };
      const answer = await call('POST', '/api/v2/authentication', credentials, {
        token: undefined,
      });
      return answer.status === 200;
    };
    const add = (op: string, value: string) => ({ op, path: '/password', value });
    const whole = { op: 'replace', path: '', value: { ...body, status: 1 } };
    const lost = [add('add', 'Discarded-7-words'), whole];
    expect((await patch(id, lost)).status).toBe(200);
    expect(await signsIn('Discarded-7-words')).toBe(false);
    const tested = { op: 'test', path: '', value: { password: 'Discarded-7-words' } };
    expect((await patch(id, [tested])).status).toBe(409);
    expect((await patch(id, [whole, add('replace', 'Kept-in-7-words')])).status).toBe(200);
    expect(await signsIn('Kept-in-7-words')).toBe(true);
  });

  it('keeps arrays of links as sets, and shows them by label', async () => {
    const given = ['chloe.lefevre', 'bruno.keller', 'chloe.lefevre'];
    const body = { title: 'Set', type: 'LINK', audience: given };
    const made = await create('/api/v2/navigation/applications', body);
    const shown = (audience: { reference: string }[]) => audience.map(({ reference }) => reference);
    expect(shown(made.audience as { reference: string }[])).toEqual([
      'bruno.keller',
      'chloe.lefevre',
    ]);
    const value = ['chloe.lefevre', 'bruno.keller'];
    const operations = [{ op: 'replace', path: '/audience', value }];
    const patched = await call('PATCH', `/api/v2${made.uri}`, operations);
    expect(patched.body).toEqual(made);
    expect(patched.headers['x-warning']).toBe('the patch changes nothing');
  });

  it('changes the links of an application', async () => {
    const application = await create('/api/v2/navigation/applications', {
      title: 'Links',
      type: 'LINK',
      categories: [await idOf(server, 'categories', 'EVERYDAY')],
    });
    const headquarters = await uriOf(server, 'organizations', 'HQ');
    const answer = await call('PATCH', `/api/v2${application.uri}`, [
      { op: 'add', path: '/audience/-', value: user.uri },
      {
        op: 'add',
        path: '/audience/0',
        value: { uri: headquarters, label: 'ignored' },
      },
      { op: 'replace', path: '/categories/0', value: await uriOf(server, 'categories', 'PEOPLE') },
    ]);
    expect(answer.body.audience.map(({ uri }: { uri: string }) => uri).sort()).toEqual(
      [headquarters, user.uri].sort(),
    );
    expect(answer.body.categories.map(({ label }: { label: string }) => label)).toEqual([
      'People and careers',
    ]);
  });

  it('loses no update of 40 parallel patches, half of them with If-Match and retries', async () => {
    const application = await create('/api/v2/navigation/applications', {
      title: 'Race',
      type: 'LINK',
    });
    const users = await server.database.query<{ id: string }>(
      'SELECT id::text FROM users ORDER BY id LIMIT 40',
    );
    const path = `/api/v2${application.uri}`;
    const add = async ({ id }: { id: string }, careful: boolean): Promise<void> => {
      for (;;) {
        const etag = careful ? String((await call('GET', path)).headers.etag) : undefined;
        const headers: Record<string, string> = etag === undefined ? {} : { 'If-Match': etag };
        const answer = await call(
          'PATCH',
          path,
          [{ op: 'add', path: '/audience/-', value: `/directory/users/${id}` }],
          { headers },
        );
        if (answer.status === 200) return;
        expect([412, 503]).toContain(answer.status);
        // The patches wait at most two seconds for a connection and for the lock of the row: a busy host may need more.
        if (answer.status === 503) await delay(Number(answer.headers['retry-after']) * 1000);
      }
    };
    await Promise.all(users.map((one, n) => add(one, n % 2 === 0)));
    const { body, headers } = await call('GET', path);
    expect(body.audience).toHaveLength(40);
    // Each patch was applied once: no 412 and no 503 changed anything.
    expect(headers.etag).toBe('"41"');
  });
});

describe('If-Match', () => {
  it('answers 412 on PUT, PATCH and DELETE when it is stale, and changes nothing', async () => {
    const group = await create('/api/v2/directory/groups', { label: 'Conditional' });
    const path = `/api/v2${group.uri}`;
    const body = { ...group, label: 'Other' };
    const operations = [{ op: 'replace', path: '/label', value: 'Other' }];
    const before = await state('groups');
    for (const tag of ['"0"', '"2"', 'W/"1"', '1', '', '"1', '"x", "y"'])
      for (const [method, sent] of [
        ['PUT', body],
        ['PATCH', operations],
        ['DELETE', undefined],
      ] as const) {
        const answer = await call(method, path, sent, { headers: { 'If-Match': tag } });
        const message = ['1', '', '"1'].includes(tag)
          ? 'If-Match must hold * or ETags in quotation marks, such as "7"'
          : 'The resource has changed since you read it: If-Match does not name its current ETag';
        expect([tag, method, answer.body]).toEqual([tag, method, { code: 412, message }]);
      }
    expect(await state('groups')).toEqual(before);
    const one = await call('PUT', path, body, { headers: { 'If-Match': '"7", "1"' } });
    expect([one.status, one.headers.etag]).toEqual([200, '"2"']);
    const any = await call('DELETE', path, undefined, { headers: { 'If-Match': '*' } });
    expect(any.status).toBe(204);
  });
});

describe('the ETag of a user', () => {
  it('stays when the user signs in', async () => {
    const path = '/api/v2/directory/users/me';
    const token = await server.signIn('chloe.lefevre');
    const before = await call('GET', path, undefined, { token });
    await server.signIn('chloe.lefevre');
    const after = await call('GET', path, undefined, { token });
    expect([after.headers.etag, after.body.modificationDate]).toEqual([
      before.headers.etag,
      before.body.modificationDate,
    ]);
    expect(after.body.lastLoginDate > before.body.lastLoginDate).toBe(true);
  });
});

describe('If-None-Match', () => {
  const NONE = {
    code: 412,
    message:
      'The resource exists in a state that If-None-Match excludes: it is * or names the current ETag',
  };
  const MALFORMED = {
    code: 412,
    message: 'If-None-Match must hold * or ETags in quotation marks, such as "7"',
  };

  it('answers 412 on PUT, PATCH and DELETE when it is * or names the current ETag, and changes nothing', async () => {
    const group = await create('/api/v2/directory/groups', { label: 'Existing' });
    const path = `/api/v2${group.uri}`;
    const body = { ...group, label: 'Other' };
    const operations = [{ op: 'replace', path: '/label', value: 'Other' }];
    const before = await state('groups');
    for (const tag of ['*', '"1"', 'W/"1"', '"7", "1"', '1', ''])
      for (const [method, sent] of [
        ['PUT', body],
        ['PATCH', operations],
        ['DELETE', undefined],
      ] as const) {
        const answer = await call(method, path, sent, { headers: { 'If-None-Match': tag } });
        const expected = ['1', ''].includes(tag) ? MALFORMED : NONE;
        expect([tag, method, answer.body]).toEqual([tag, method, expected]);
      }
    // A stale If-Match comes first.
    const both = { 'If-Match': '"7"', 'If-None-Match': '*' };
    expect((await call('PUT', path, body, { headers: both })).body).toEqual({
      code: 412,
      message:
        'The resource has changed since you read it: If-Match does not name its current ETag',
    });
    expect(await state('groups')).toEqual(before);
    const headers = { 'If-None-Match': '"2", W/"3"' };
    const put = await call('PUT', path, body, { headers });
    expect([put.status, put.headers.etag]).toEqual([200, '"2"']);
    const other = { headers: { 'If-None-Match': '"1"' } };
    expect((await call('DELETE', path, undefined, other)).status).toBe(204);
  });

  it('is a 400 in a POST, as If-Match is, which creates nothing', async () => {
    const before = await state('groups');
    const field = (name: string) => ({ name, message: 'does not apply to POST: leave it out' });
    for (const names of [['If-Match'], ['If-None-Match'], ['If-Match', 'If-None-Match']]) {
      const headers = Object.fromEntries(names.map((name) => [name, '*']));
      for (const path of ['/api/v2/directory/groups', '/api/v2/process/tasks/1/claim']) {
        const { body } = await call('POST', path, { label: 'Conditional' }, { headers });
        expect(body).toEqual({
          code: 400,
          message: `Invalid: ${names.join(', ')}`,
          fields: names.map(field),
        });
      }
    }
    expect(await state('groups')).toEqual(before);
  });

  it('is no 304 for an object, whose ETag does not cover the counts and links that the body shows', async () => {
    const { uri } = await create('/api/v2/directory/groups', { label: 'Counted' });
    const path = `/api/v2${uri}`;
    const member = `${path}/members/${await idOf(server, 'users', 'bruno.keller')}`;
    const headers = { 'If-None-Match': '"1"' };
    for (const count of [0, 1]) {
      if (count > 0) expect((await call('PUT', member)).status).toBe(204);
      const read = await call('GET', path, undefined, { headers });
      expect([read.status, read.headers.etag, read.body.memberCount]).toEqual([200, '"1"', count]);
      const head = await call('HEAD', path, undefined, { headers });
      expect([head.status, head.headers.etag, head.text]).toEqual([200, '"1"', '']);
    }
    const me = await call('GET', '/api/v2/directory/users/me');
    const again = { headers: { 'If-None-Match': me.headers.etag as string } };
    const known = await call('GET', '/api/v2/directory/users/me', undefined, again);
    expect([known.status, known.headers.etag]).toEqual([200, me.headers.etag]);
  });

  it('answers 304 to GET and HEAD where the ETag is that of the body, also with CORS', async () => {
    const path = '/navigation/workplace/categories';
    const { etag } = (await call('GET', path)).headers;
    // The header that a browser adds to an If-None-Match set by a script (Fetch Standard).
    const headers = { 'If-None-Match': `"7", W/${String(etag)}`, 'Cache-Control': 'no-cache' };
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await call(method, path, undefined, { headers });
      expect([
        answer.status,
        answer.headers.etag,
        answer.headers['content-type'],
        answer.text,
      ]).toEqual([304, etag, undefined, '']);
    }
  });
});
