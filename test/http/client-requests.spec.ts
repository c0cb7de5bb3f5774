import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { askRaw } from '../support/raw.js';
import { idOf } from '../support/id-of.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** Requests exactly as real clients send them, byte for byte. */

let server: TestServer;
let token: string;
let admin: string;
/** The id of an application. */
let leave: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.signIn('bruno.keller');
  admin = await server.signIn('alice.martin');
  leave = await idOf(server, 'applications', 'LEAVE');
});
afterAll(() => server.close());

const get = (path: string, ...headers: string[]) =>
  askRaw(server.port, [`GET ${path} HTTP/1.1`, ...headers]);
const USERS = '/api/v2/directory/users';
const key = (value: string) => `X-AUTHENTICATION-KEY: ${value}`;

describe('Accept', () => {
  const NOT_ACCEPTABLE = {
    code: 406,
    message: 'Not acceptable: the Accept header excludes application/json',
  };

  it.each([
    ['HttpURLConnection of Java 8', 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2'],
    ['a weight without its zero', 'application/json;q=.9'],
    ['a weight of four digits', 'application/json;q=0.9000'],
    ['a weight above one', 'application/json;q=1.5'],
    ['an empty weight', 'application/json;q='],
    ['a star', '*'],
    ['a parameter of the type', 'application/json;charset=utf-8;odata=verbose'],
    ['a type that is not JSON', 'text/html'],
    ['a vendor type', 'application/vnd.api+json'],
    ['JSON beside an exclusion of everything else', 'application/json, */*;q=0'],
    ['nothing', ''],
  ])('gets an answer: %s', async (_, accept) => {
    const answer = await get(`${USERS}?range=0-1`, key(token), `Accept: ${accept}`);
    expect([answer.status, answer.headers['content-type']]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
  });

  it('may be the default header of Java 8 on all three interfaces and the sign-in', async () => {
    const accept = 'Accept: text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2';
    const categories = await get(
      `/navigation/workplace/categories?_AuthenticationKey=${token}`,
      accept,
    );
    const search = await get(
      `/navigation/search/workplace?searchName=workplace_searchUsers&searchField=quickSearch&query=e&_AuthenticationKey=${token}`,
      accept,
    );
    const body = '{"login":"bruno.keller","password":"Portal-Demo-2026"}';
    const signIn = await askRaw(
      server.port,
      [
        'POST /api/v2/authentication HTTP/1.1',
        accept,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      ],
      body,
    );
    expect([categories.status, search.status, signIn.status]).toEqual([200, 200, 200]);
    expect(search.body).toMatchObject({ type: 'success' });
  });

  it.each([
    'application/json;q=0',
    '*/*;q=0',
    '*;q=0.000',
    'application/json;q=0, */*',
    'text/html, application/*;q=.0',
  ])('gets 406 if it excludes JSON: %s', async (accept) => {
    const answer = await get(`${USERS}?range=0-1`, key(token), `Accept: ${accept}`);
    expect([answer.status, answer.body]).toEqual([406, NOT_ACCEPTABLE]);
  });

  it('may be application/json-patch+json for PATCH, and excludes only the named types', async () => {
    const patch = async (accept: string) => {
      const { id } = (await server.call(`${USERS}/me`, { token: admin })).body as { id: string };
      return askRaw(
        server.port,
        [
          `PATCH ${USERS}/${id} HTTP/1.1`,
          key(admin),
          'Content-Type: application/json-patch+json',
          `Accept: ${accept}`,
          'Content-Length: 2',
        ],
        '[]',
      );
    };
    expect((await patch('application/json-patch+json')).status).toBe(200);
    expect((await patch('application/json-patch+json, application/json;q=0')).status).toBe(200);
    const refused = await patch('application/json;q=0');
    expect([refused.status, refused.body]).toEqual([
      406,
      {
        code: 406,
        message:
          'Not acceptable: the Accept header accepts neither application/json-patch+json nor application/json',
      },
    ]);
  });

  it('is ignored for pictures', async () => {
    await server.database.query('DELETE FROM photos');
    const { id } = (await server.call(`${USERS}/me`, { token })).body as { id: string };
    for (const accept of ['application/json', 'image/gif, image/jpeg', '*/*;q=0']) {
      const picture = await get(
        `/navigation/directory/users/${id}/photo?_AuthenticationKey=${token}`,
        `Accept: ${accept}`,
      );
      expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/svg+xml']);
      const photo = await get(`${USERS}/${id}/photo`, key(token), `Accept: ${accept}`);
      expect(photo.status).toBe(404);
    }
  });
});

const SEARCH = '/navigation/search/workplace';
const NAMED = 'searchName=workplace_searchUsers&searchField=quickSearch';
const post = (path: string, headers: string[], body = '') =>
  askRaw(server.port, [`POST ${path} HTTP/1.1`, ...headers], body);

describe('unknown parameters', () => {
  it('are ignored by the main API if they are _, or _AuthenticationKey beside the header', async () => {
    const expected = (await get(`${USERS}?range=0-1`, key(token))).body;
    for (const more of ['_=1700000000000', '_=%E9&_=2', '_', `_AuthenticationKey=${token}`]) {
      const answer = await get(`${USERS}?range=0-1&${more}`, key(token));
      expect([more, answer.status, answer.body]).toEqual([more, 200, expected]);
    }
    const body = '{"login":"bruno.keller","password":"Portal-Demo-2026"}';
    const signIn = await post(
      '/api/v2/authentication?_=123',
      ['Content-Type: application/json', `Content-Length: ${body.length}`],
      body,
    );
    expect(signIn.status).toBe(200);
    const { id } = (await server.call(`${USERS}/me`, { token })).body as { id: string };
    expect((await get(`${USERS}/${id}?_=1`, key(token))).status).toBe(200);
  });

  it('never bring a token of the query into a Link header of the main API', async () => {
    const { headers } = await server.call(`${USERS}?range=0-1&_AuthenticationKey=${token}`, {
      token,
    });
    expect(headers.link).toContain('rel="next"');
    expect(headers.link).not.toContain(token);
    expect(headers.link).not.toContain('_AuthenticationKey');
  });

  it('get 400 in the main API otherwise, where _AuthenticationKey is not a credential', async () => {
    for (const more of ['__=1', '_x=1', 'authenticationKey=1', 'filter=login:eq:x', '%5F%5F=1'])
      expect([more, (await get(`${USERS}?${more}`, key(token))).status]).toEqual([more, 400]);
    expect((await get(`${USERS}?_AuthenticationKey=${token}`)).status).toBe(401);
    expect((await get(`/api/v2?_AuthenticationKey=${token}`)).status).toBe(400);
    expect((await get('/api/v2?_=1')).status).toBe(200);
  });

  it.each([
    ['Latin-1', 'x=%E9'],
    ['a name in Latin-1', '%E9=x'],
    ['a broken escape', 'x=%zz'],
    ['NUL', 'x=%00'],
    ['a long value', `x=${'y'.repeat(3_000)}`],
    ['one twice', '_=1&_=2'],
    ['many', Array.from({ length: 100 }, (_, n) => `x${n}=1`).join('&')],
  ])('are ignored by navigation and search: %s', async (_, more) => {
    const auth = `_AuthenticationKey=${token}`;
    const categories = await get(`/navigation/workplace/categories?${auth}&${more}`);
    expect(categories.status).toBe(200);
    const apps = await get(
      `/navigation/workplace/apps?${more}&category=%2Fnavigation%2Fcategories%2F1&${auth}`,
    );
    expect(apps.status).toBe(200);
    const search = await get(`${SEARCH}?${more}&${NAMED}&query=e&${auth}`);
    expect(search.body).toMatchObject({ type: 'success' });
  });

  it('are ignored on navigation, while a bad value of a known one is named', async () => {
    const auth = `_AuthenticationKey=${token}`;
    const apps = await get(`/navigation/workplace/apps?category=%FF&${auth}`);
    expect(apps.body).toMatchObject({ code: 400, fields: [{ name: 'category' }] });
    const search = await get(`${SEARCH}?searchName=%FF&searchField=quickSearch&query=e&${auth}`);
    expect(search.body).toEqual({
      type: 'error',
      message: 'searchName: is not valid percent-encoded UTF-8',
    });
  });
});

describe('the text of a search in Latin-1', () => {
  it.each(['Lef%E8vre', 'lef%e8VRE', 'Lef%C3%A8vre', 'Lefevre'])('%s is read', async (text) => {
    const { body } = await get(`${SEARCH}?${NAMED}&query=${text}&_AuthenticationKey=${token}`);
    const { data } = body as { data: { lastName: string }[] };
    expect(data.map(({ lastName }) => lastName)).toContain('Lefèvre');
  });
});

describe('the token', () => {
  const CATEGORIES = '/navigation/workplace/categories';
  const statusOf = async (path: string, ...headers: string[]) =>
    (await get(path, ...headers)).status;

  it('counts as not given where its header or parameter is blank', async () => {
    expect(await statusOf(`${CATEGORIES}?_AuthenticationKey=${token}`, key(''))).toBe(200);
    expect(await statusOf(`${CATEGORIES}?_AuthenticationKey=${token}`, key('  '))).toBe(200);
    expect(await statusOf(`${CATEGORIES}?_AuthenticationKey=`, key(token))).toBe(200);
    expect(await statusOf(`${CATEGORIES}?_AuthenticationKey`, key(token))).toBe(200);
    expect(await statusOf(`${CATEGORIES}?_AuthenticationKey=%20`, key(token))).toBe(200);
    expect(await statusOf(`${CATEGORIES}?_AuthenticationKey=`, key(''))).toBe(401);
    expect(await statusOf(USERS, key(''), key(token))).toBe(200);
    expect(await statusOf(`${USERS}?_AuthenticationKey=${token}`, key(''))).toBe(401);
  });

  it('is ignored in a blank parameter on open routes of the main API', async () => {
    for (const blank of ['_AuthenticationKey', '_AuthenticationKey=', '_AuthenticationKey=+%20'])
      expect(await statusOf(`/api/v2?${blank}`)).toBe(200);
    expect(await statusOf('/api/v2?_AuthenticationKey=x')).toBe(400);
  });

  it.each(['%FF', '%zz', '%00', 'x'.repeat(3_000)])(
    'counts as missing if it is unreadable: _AuthenticationKey=%.20s',
    async (written) => {
      const path = `${CATEGORIES}?_AuthenticationKey=${written}`;
      expect(await statusOf(path)).toBe(401);
      expect(await statusOf(path, key(token))).toBe(401);
    },
  );

  it('is accepted when it is given twice, and refused when two differ', async () => {
    expect(await statusOf(USERS, key(token), key(token))).toBe(200);
    expect(await statusOf(`${CATEGORIES}?_AuthenticationKey=${token}`, key(token))).toBe(200);
    const twice = `${CATEGORIES}?_AuthenticationKey=${token}&_AuthenticationKey=${token}`;
    expect(await statusOf(twice, key(token), key(token))).toBe(200);
    expect(await statusOf(USERS, key(token), key(admin))).toBe(401);
    expect(await statusOf(`${CATEGORIES}?_AuthenticationKey=${token}`, key(admin))).toBe(401);
    expect(
      await statusOf(`${CATEGORIES}?_AuthenticationKey=${token}&_AuthenticationKey=${admin}`),
    ).toBe(401);
  });
});

describe('the token as Bearer', () => {
  const CATEGORIES = '/navigation/workplace/categories';
  const SEARCH =
    '/navigation/search/workplace?searchName=workplace_searchUsers&searchField=quickSearch&query=e';
  const NOT_LOGGED_IN = {
    code: 401,
    message: 'You are not logged in: the token is missing, invalid or expired',
    reason: 'not-logged-in',
    parameters: {},
  };
  const bearer = (value: string, scheme = 'Bearer') => `Authorization: ${scheme} ${value}`;

  it.each(['Bearer', 'bearer', 'BEARER', 'Bearer  '])(
    'is read by all three interfaces: %j',
    async (scheme) => {
      for (const path of [USERS, CATEGORIES, `${USERS}?_AuthenticationKey=${admin}`])
        expect((await get(path, bearer(token, scheme))).status).toBe(200);
      const search = await get(SEARCH, bearer(token, scheme));
      expect((search.body as { type: string }).type).toBe('success');
    },
  );

  it('belongs to its person', async () => {
    const { body } = await get(`${USERS}/me`, bearer(token));
    expect((body as { login: string }).login).toBe('bruno.keller');
  });

  it('is one with the same token elsewhere, and none beside another', async () => {
    const inQuery = `${CATEGORIES}?_AuthenticationKey=${token}`;
    for (const [path, ...headers] of [
      [USERS, bearer(token), bearer(token)],
      [USERS, bearer(token), key(token)],
      [inQuery, bearer(token), key(token)],
    ] as const)
      expect((await get(path, ...headers)).status).toBe(200);
    for (const [path, ...headers] of [
      [USERS, bearer(token), bearer(admin)],
      [USERS, bearer(token), key(admin)],
      [inQuery, bearer(admin)],
    ] as const) {
      const { status, body } = await get(path, ...headers);
      expect([status, body]).toEqual([401, NOT_LOGGED_IN]);
    }
  });

  it('is missing where it is blank or of another scheme, and wrong where it has more than one word', async () => {
    for (const other of ['Authorization: Bearer', 'Authorization:', bearer('eDp5', 'Basic')]) {
      expect((await get(USERS, other, key(token))).status).toBe(200);
      expect((await get(USERS, other)).status).toBe(401);
    }
    for (const wrong of [`${token} x`, `${token}, ${token}`, `x ${token}`])
      expect((await get(USERS, bearer(wrong))).body).toEqual(NOT_LOGGED_IN);
  });

  it('cannot sign its owner in if this server issued it', async () => {
    const answer = await post('/api/v2/authentication', [bearer(token)]);
    expect([answer.status, answer.body]).toEqual([
      401,
      {
        code: 401,
        message: 'Bad or invalid authentication',
        reason: 'bad-credentials',
        parameters: {},
      },
    ]);
  });

  it('writes and signs out', async () => {
    const own = await server.signIn('bruno.keller');
    const signOut = [`DELETE /api/v2/authentication HTTP/1.1`, bearer(own)];
    expect((await askRaw(server.port, signOut)).status).toBe(204);
    expect((await get(USERS, bearer(own))).status).toBe(401);
  });
});

describe('Authorization', () => {
  const AUTHENTICATION = '/api/v2/authentication';
  const body = '{"login":"bruno.keller","password":"Portal-Demo-2026"}';
  const json = (text: string) => [
    'Content-Type: application/json',
    `Content-Length: ${text.length}`,
  ];

  it.each(['Basic cG9ydGFsOnNlY3JldA==', '', 'Negotiate YII=', 'Digest username="x"', 'BearerX y'])(
    'is ignored beside login and password unless it is Bearer: %j',
    async (value) => {
      const answer = await post(AUTHENTICATION, [`Authorization: ${value}`, ...json(body)], body);
      expect([answer.status, Object.keys(answer.body as object)]).toEqual([
        200,
        ['token', 'expiration'],
      ]);
    },
  );

  it('Bearer beside login and password is a 400', async () => {
    const answer = await post(AUTHENTICATION, ['Authorization: Bearer x', ...json(body)], body);
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        code: 400,
        message: 'Invalid: Authorization',
        fields: [
          {
            name: 'Authorization',
            message: 'send either a body or an Authorization header, not both',
          },
        ],
      },
    ]);
  });

  it.each([
    ['nothing', [], ''],
    ['a length of 0', ['Content-Length: 0'], ''],
    ['an empty chunked body', ['Transfer-Encoding: chunked'], '0\r\n\r\n'],
    [
      'an empty chunked JSON body',
      ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
      '0\r\n\r\n',
    ],
    ['{}', json('{}'), '{}'],
    ['null', json('null'), 'null'],
  ])('Bearer with no body, sent as %s, is evaluated', async (_, headers, text) => {
    const answer = await post(AUTHENTICATION, ['Authorization: Bearer x', ...headers], text);
    expect([answer.status, answer.body]).toEqual([
      401,
      { code: 401, message: 'Bad or invalid authentication' },
    ]);
  });

  it('gets 401 without a body, unless it is blank', async () => {
    expect((await post(AUTHENTICATION, ['Authorization: Basic x'])).status).toBe(401);
    const blank = await post(AUTHENTICATION, ['Authorization:', 'Content-Length: 0']);
    expect(blank.body).toMatchObject({
      code: 400,
      fields: [{ name: 'login' }, { name: 'password' }],
    });
  });
});

describe('bodies', () => {
  it('are read with charset=utf8', async () => {
    const body = '{"login":"bruno.keller","password":"Portal-Demo-2026"}';
    for (const charset of ['utf8', 'UTF8', '"utf8"', 'utf-8']) {
      const answer = await post(
        '/api/v2/authentication',
        [`Content-Type: application/json; charset=${charset}`, `Content-Length: ${body.length}`],
        body,
      );
      expect([charset, answer.status]).toEqual([charset, 200]);
    }
    const latin = await post(
      '/api/v2/authentication',
      ['Content-Type: application/json; charset=iso-8859-1', `Content-Length: ${body.length}`],
      body,
    );
    expect(latin.status).toBe(415);
  });

  it('get 400 if they are empty in a PATCH', async () => {
    const id = await idOf(server, 'users', 'sysadmin');
    for (const type of [
      ['Content-Type: application/json-patch+json'],
      [],
      ['Content-Type: text/plain'],
    ])
      for (const [headers, body] of [
        [['Content-Length: 0'], ''],
        [['Transfer-Encoding: chunked'], '0\r\n\r\n'],
        [[], ''],
      ] as const) {
        const head = [`PATCH ${USERS}/${id} HTTP/1.1`, key(admin), ...type, ...headers];
        const answer = await askRaw(server.port, head, body);
        expect([answer.status, answer.body]).toEqual([
          400,
          {
            code: 400,
            message: 'Invalid: body',
            fields: [{ name: 'body', message: 'is missing; must be an array of operations' }],
          },
        ]);
      }
  });

  it('are ignored in a GET, whatever their type', async () => {
    for (const type of ['text/xml', 'application/x-www-form-urlencoded', 'application/json']) {
      const body = [`Content-Type: ${type}`, 'Content-Length: 6'];
      const list = await askRaw(
        server.port,
        [`GET ${USERS}?range=0-1 HTTP/1.1`, key(token), ...body],
        '<a></a',
      );
      const search = await askRaw(
        server.port,
        [`GET ${SEARCH}?${NAMED}&query=e&_AuthenticationKey=${token} HTTP/1.1`, ...body],
        '<a></a',
      );
      expect([list.status, search.body]).toMatchObject([200, { type: 'success' }]);
    }
  });
});

describe('a timestamp', () => {
  const dueDateOf = async (dueDate: string) => {
    const body = { title: 'Watch', application: leave, dueDate };
    const made = await server.call('/api/v2/process/tasks', { method: 'POST', token: admin, body });
    return [made.status, (made.body as { dueDate?: string }).dueDate];
  };

  it.each([
    ['2026-09-01T10:00:00Z', '2026-09-01T10:00:00.000Z'],
    ['2026-09-01T10:00:00.5Z', '2026-09-01T10:00:00.500Z'],
    ['2026-09-01T10:00:00.123999Z', '2026-09-01T10:00:00.123Z'],
    ['2026-09-01T10:00:00.999999999Z', '2026-09-01T10:00:00.999Z'],
    ['2026-09-01T12:00:00.0000000+02:00', '2026-09-01T10:00:00.000Z'],
    ['2026-09-01T12:00:00+0200', '2026-09-01T10:00:00.000Z'],
  ])('%s is kept as %s', async (given, kept) => {
    expect(await dueDateOf(given)).toEqual([201, kept]);
  });

  it.each(['2026-09-01T10:00:00.Z', '2026-09-01T10:00:00.0000000000Z', '2026-09-01T10:00:00'])(
    '%s is a 400',
    async (given) => {
      expect((await dueDateOf(given))[0]).toBe(400);
    },
  );

  it.each([
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['0001-01-01T14:00:00.000+14:00', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999-01:00', null],
    ['0001-01-01T00:00:00+14:00', null],
    ['0001-01-01T00:00:00+0001', null],
  ])('has a year from 0001 to 9999 in UTC: %s', async (given, kept) => {
    const body = { title: 'Watch', application: leave, dueDate: given };
    const made = await server.call('/api/v2/process/tasks', { method: 'POST', token: admin, body });
    const filter = encodeURIComponent(`dueDate:gt:${given}`);
    const list = await get(`/api/v2/process/tasks?filters=${filter}&range=0-1`, key(admin));
    if (kept !== null) {
      expect([made.status, made.body.dueDate, list.status]).toEqual([201, kept, 200]);
      return;
    }
    const rule = 'must lie in the years 0001 to 9999 (UTC)';
    expect([made.status, made.body.fields]).toEqual([400, [{ name: 'dueDate', message: rule }]]);
    expect([list.status, (list.body as { fields: unknown }).fields]).toEqual([
      400,
      [{ name: 'filters', message: `dueDate:gt:${given}: ${rule}` }],
    ]);
  });

  it('is shown in a list for people and in a search if it is stored beyond these years', async () => {
    const body = { title: 'Far away', application: leave };
    const task = await server.call('/api/v2/process/tasks', { method: 'POST', token: admin, body });
    const news = await server.call('/api/v2/content/news', {
      method: 'POST',
      token: admin,
      body: { title: 'Far away', status: 1, publicationDate: '2020-01-01T00:00:00.000Z' },
    });
    const year = '10000-01-01T00:59:59.999Z';
    await server.database.query(`UPDATE tasks SET due_date = '${year}' WHERE id = ${task.body.id}`);
    await server.database.query(`UPDATE news SET end_date = '${year}' WHERE id = ${news.body.id}`);
    const list = await get(
      `/api/v2/process/tasks?filters=id:eq:${task.body.id}&responseMode=user`,
      key(admin),
    );
    expect([list.status, list.body]).toMatchObject([200, [{ dueDate: year }]]);
    const found = await get(
      `${SEARCH}?searchName=workplace_news_search&searchField=TITLE&query=far+away&_AuthenticationKey=${token}`,
    );
    expect([found.status, found.body]).toMatchObject([200, { data: [{ endDate: year }] }]);
  });

  it('filters to the millisecond, whatever its fraction', async () => {
    await dueDateOf('2031-01-01T00:00:00.123Z');
    for (const text of ['2031-01-01T00:00:00.123456789Z', '2031-01-01T01:00:00.1239 01:00']) {
      const filter = `filters=dueDate:eq:${text.replace(' ', '%20')}`;
      const { body } = await get(`/api/v2/process/tasks?${filter}`, key(admin));
      expect(body).toHaveLength(1);
    }
  });

  it('changes nothing in a PUT if it is the same moment', async () => {
    const body = { title: 'Watch', application: leave, dueDate: '2026-09-01T10:00:00.120Z' };
    const made = await server.call('/api/v2/process/tasks', { method: 'POST', token: admin, body });
    const path = `/api/v2${made.body.uri as string}`;
    for (const dueDate of ['2026-09-01T10:00:00.12Z', '2026-09-01T12:00:00.120999+0200']) {
      const put = await server.call(path, {
        method: 'PUT',
        token: admin,
        body: { ...made.body, dueDate },
      });
      expect([put.status, put.headers.etag, put.body]).toEqual([200, made.headers.etag, made.body]);
    }
  });
});

describe('filters', () => {
  const rows = async (path: string) => {
    const { status, body } = await get(path, key(admin));
    return [status, (body as unknown[]).length];
  };

  it('compare booleans, codes and filterMode without case', async () => {
    const count = async (filter: string) => rows(`${USERS}?filters=${filter}`);
    for (const text of ['True', 'TRUE'])
      expect(await count(`administrator:eq:${text}`)).toEqual(await count('administrator:eq:true'));
    expect(await count('locale:eq:FR')).toEqual(await count('locale:eq:fr'));
    const applications = '/api/v2/navigation/applications?filters=type:eq:';
    expect(await rows(`${applications}process`)).toEqual(await rows(`${applications}PROCESS`));
    const [one, other] = [
      await idOf(server, 'users', 'alice.martin'),
      await idOf(server, 'users', 'bruno.keller'),
    ];
    const both = `${USERS}?filters=id:eq:${one}&filters=id:eq:${other}&filterMode=`;
    expect([await rows(`${both}OR`), await rows(`${both}And`)]).toEqual([
      [200, 2],
      [200, 0],
    ]);
  });

  it('isempty and isnotempty may end in a colon', async () => {
    for (const operator of ['isempty', 'isnotempty']) {
      const filter = `${USERS}?filters=nickName:${operator}`;
      expect(await rows(`${filter}:`)).toEqual(await rows(filter));
      expect((await get(`${filter}:x`, key(admin))).status).toBe(400);
    }
  });
});

describe('codes in a body', () => {
  it('compare without case and are stored as they are defined', async () => {
    const path = '/api/v2/process/views';
    const view = { label: 'Either', application: leave, filterMode: 'OR' };
    const made = await server.call(path, { method: 'POST', token: admin, body: view });
    expect([made.status, made.body.filterMode]).toEqual([201, 'or']);
    const put = await server.call(`/api/v2${made.body.uri}`, {
      method: 'PUT',
      token: admin,
      body: { ...made.body, filterMode: 'Or' },
    });
    expect([put.status, put.headers.etag]).toEqual([200, made.headers.etag]);
    const tile = { title: 'Tile', type: 'link', tileColor: 'Blue' };
    const application = '/api/v2/navigation/applications';
    const { status, body } = await server.call(application, {
      method: 'POST',
      token: admin,
      body: tile,
    });
    expect([status, body]).toMatchObject([201, { type: 'LINK', tileColor: 'blue' }]);
  });

  it('get 400 with the known codes if they are unknown', async () => {
    const body = { label: 'Either', application: leave, filterMode: 'xor' };
    const answer = await server.call('/api/v2/process/views', {
      method: 'POST',
      token: admin,
      body,
    });
    expect([answer.status, answer.body.fields]).toEqual([
      400,
      [{ name: 'filterMode', message: "must be 'and' or 'or'" }],
    ]);
  });
});

describe('a search of users', () => {
  it('looks in REFERENCE, as the other searches do', async () => {
    const { body } = await get(
      `${SEARCH}?searchName=workplace_searchUsers&searchField=REFERENCE&query=bruno.k&_AuthenticationKey=${token}`,
    );
    expect(body).toMatchObject({ type: 'success', data: [{ REFERENCE: 'bruno.keller' }] });
  });
});

describe('POST of a representation', () => {
  const GROUPS = '/api/v2/directory/groups';
  const create = (body: object) => server.call(GROUPS, { method: 'POST', token: admin, body });

  it('makes a copy and ignores its read-only attributes if a GET returned it', async () => {
    const source = await create({ label: 'Choir' });
    const copy = await create({ ...source.body, reference: 'CHOIR-2', label: 'Second choir' });
    expect([copy.status, copy.body]).toMatchObject([
      201,
      { reference: 'CHOIR-2', label: 'Second choir', memberCount: 0 },
    ]);
    expect(copy.body.id).not.toBe(source.body.id);
  });

  it('makes a copy if its id is a number, which a PUT accepts for the same object', async () => {
    const { body } = await create({ label: 'Quartet' });
    const copy = await create({ ...body, id: Number(body.id), reference: null });
    expect([copy.status, copy.body.label]).toEqual([201, 'Quartet']);
    const put = (id: number) =>
      server.call(`/api/v2${body.uri}`, { method: 'PUT', token: admin, body: { ...body, id } });
    expect((await put(Number(body.id))).status).toBe(200);
    expect((await put(Number(body.id) + 1)).status).toBe(400);
  });

  it('copies an application without the view, which stays with the original', async () => {
    const path = '/api/v2/navigation/applications';
    const post = (body: object) => server.call(path, { method: 'POST', token: admin, body });
    const views = await get('/api/v2/process/views?filters=label:isnotempty', key(admin));
    const [view, other] = views.body as { uri: string; application: { id: string } }[];
    const original = await server.call(`${path}/${view!.application.id}`, { token: admin });
    const opened = await server.call(`${path}/${view!.application.id}`, {
      method: 'PUT',
      token: admin,
      body: { ...original.body, view: view!.uri },
    });
    expect([opened.status, opened.body.view]).toMatchObject([200, { uri: view!.uri }]);
    const copy = await post({ ...opened.body, reference: null, title: 'Copy' });
    expect([copy.status, copy.body]).toMatchObject([201, { title: 'Copy', view: null }]);
    const refused = {
      status: 400,
      body: { fields: [{ name: 'view', message: 'must be a view of this application' }] },
    };
    expect(other!.application.id).not.toBe(view!.application.id);
    const stranger = { ...opened.body, reference: null, view: other!.uri };
    expect(await post(stranger)).toMatchObject(refused);
    const { id, uri, ...rest } = opened.body as Record<string, unknown>;
    expect([id, uri]).not.toContain(undefined);
    const { title, type, view: kept } = rest;
    expect(await post({ title, type, view: kept })).toMatchObject(refused);
  });

  it('gets 400 naming every read-only attribute if no GET returned it', async () => {
    const readOnly = { name: 'creationDate', message: 'is read-only' };
    const answer = await create({ label: 'Choir', creationDate: '2020-01-01T00:00:00.000Z' });
    expect([answer.status, answer.body.fields]).toEqual([400, [readOnly]]);
    const several = await create({ label: 'Choir', id: '7', memberCount: 3 });
    expect([several.status, several.body.fields]).toEqual([
      400,
      [
        { name: 'id', message: 'is read-only' },
        { name: 'memberCount', message: 'is read-only' },
      ],
    ]);
    const torn = await create({ label: 'Choir', id: '7', uri: '/directory/groups/8' });
    expect([torn.status, torn.body.fields.length]).toEqual([400, 2]);
    expect((await create({ label: 'Choir', creationDate: null, id: null })).status).toBe(201);
  });
});

describe('X-HTTP-Method-Override', () => {
  const USER = `${USERS}/me`;
  const send = (method: string, override: string, path = USER, as = admin) =>
    server.call(path, {
      method,
      token: as,
      headers: { 'X-HTTP-Method-Override': override },
      body: [{ op: 'add', path: '/phoneNumber', value: '+33 1 23 45' }],
    });

  it('PATCH makes a POST a PATCH, also for the audit trail', async () => {
    const answer = await send('POST', 'PATCH');
    expect([answer.status, answer.body.phoneNumber]).toEqual([200, '+33 1 23 45']);
    const lines = await server.database.query('SELECT action FROM audit ORDER BY id DESC LIMIT 1');
    expect(lines).toEqual([{ action: 'update' }]);
  });

  it('PATCH gives no right that a PATCH does not have', async () => {
    const other = `${USERS}/${await idOf(server, 'users', 'chloe.lefevre')}`;
    expect((await send('POST', 'PATCH', other, token)).status).toBe(403);
  });

  it.each([
    ['POST', 'DELETE', 405],
    ['POST', 'PUT', 405],
    ['POST', 'patch', 405],
    ['GET', 'PATCH', 200],
    ['GET', 'DELETE', 200],
  ])('does nothing for %s with %s', async (method, override, status) => {
    const answer = await server.call(USER, {
      method,
      token: admin,
      headers: { 'X-HTTP-Method-Override': override },
      ...(method === 'POST' && { body: [] }),
    });
    expect(answer.status).toBe(status);
  });
});
