import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { query } from '../support/call.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const PATH = '/navigation/search/workplace';
const NAMES = {
  users: 'workplace_searchUsers',
  documents: 'workplace_documents_search',
  news: 'workplace_news_search',
  faqs: 'workplace_faq_search',
  customers: 'workplace_customers_search',
};
const NOTHING = { type: 'success', data: [], template: '' };

let server: TestServer;
let alice: string, bruno: string, chloe: string;
beforeAll(async () => {
  server = await startTestServer();
  alice = await server.signIn('alice.martin');
  bruno = await server.signIn('bruno.keller');
  chloe = await server.signIn('chloe.lefevre');
});
afterAll(() => server.close());

const search = async (parameters: Record<string, string>, token = bruno) => {
  const all = { query: '', searchName: NAMES.users, searchField: 'quickSearch', ...parameters };
  return (await server.call(PATH + query({ ...all, _AuthenticationKey: token }))).body;
};
const titles = async (parameters: Record<string, string>, token = bruno) =>
  ((await search(parameters, token)).data as { TITLE: string }[]).map(({ TITLE }) => TITLE);

/** Adds one record before and one after the others, renames one, and deletes one. */
const disturb = async (n: number) => {
  await server.database.query(
    `INSERT INTO users (login, last_name, title, status) VALUES ($1, 'x', $2, 1), ($3, 'x', 'Zzz', 1)`,
    [`new.${n}`, `${'abcdefghijklm'[n % 13]} new`, `new2.${n}`],
  );
  const last = `${n - 1}`;
  await server.database.query(`UPDATE users SET title = 'A first' WHERE login = 'new2.' || $1`, [
    last,
  ]);
  await server.database.query(`DELETE FROM users WHERE login = 'new.' || $1`, [last]);
};

/** All records, page by page. */
const everything = async (parameters: Record<string, string>, token = bruno) => {
  const found: string[] = [];
  let page = await search(parameters, token);
  while (page.data.length > 0) {
    expect(page.data.length).toBeLessThanOrEqual(20);
    found.push(...(page.data as { ID: string }[]).map(({ ID }) => ID));
    const { searchIndexBottom, searchIndexTop } = page;
    page = await search({ ...parameters, searchIndexBottom, searchIndexTop }, token);
  }
  expect(page).toEqual(NOTHING);
  return found;
};

describe('GET /navigation/search/workplace', () => {
  it('Found: type success, data, template and both markers; the User record', async () => {
    const { status, headers, body } = await server.call(
      PATH + query({ query: 'CHLOE lefevre', searchName: NAMES.users, searchField: 'quickSearch' }),
      { token: bruno },
    );
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    const [row] = await server.database.query(
      `SELECT id::text, organization_id::text AS parent FROM users WHERE login = 'chloe.lefevre'`,
    );
    const { id, parent } = row as { id: string; parent: string };
    expect(body).toEqual({
      type: 'success',
      data: [
        {
          ID: id,
          URI: `/directory/users/${id}`,
          login: 'chloe.lefevre',
          REFERENCE: 'chloe.lefevre',
          firstName: 'Chloé',
          lastName: 'Lefèvre',
          nickName: '',
          TITLE: 'Chloé Lefèvre',
          email: 'chloe.lefevre@helvion.example',
          phoneNumber: '',
          mobilePhoneNumber: '',
          hidePhone: 'display:none',
          hideMobilePhone: 'display:none',
          userFunction: 'Responsable recrutement',
          'ORGANIZATION.LABEL': 'Recrutement',
          CREATIONDATE: '23 Aug 2024, 09:00',
          LOCALE: 'fr',
          PARENTID: parent,
          DESCRIPTION: '',
          quickSearch:
            'chloe.lefevre chloe lefevre chloe lefevre chloe.lefevre@helvion.example responsable recrutement chlo chlo.lefevre chlo.lefevre@helvion.example',
          HYPERLINK: `/workplace/users/${id}`,
          PHOTO: `/navigation/directory/users/${id}/photo`,
          status: 1,
          link: { href: `/workplace/users/${id}` },
        },
      ],
      template: '',
      searchIndexBottom: expect.stringMatching(/^Users¤[\w-]+$/),
      searchIndexTop: body.searchIndexBottom,
    });
  });

  it('gives every user record the same fields: blanks are empty texts, styles hide blank phones', async () => {
    await server.database.query(
      `UPDATE users SET organization_id = NULL WHERE login = 'chloe.lefevre'`,
    );
    const types: Record<string, string> = { status: 'number', link: 'object' };
    let withoutOrganization = 0;
    let page = await search({});
    const fields = Object.keys(page.data[0] as object);
    expect(fields).toHaveLength(24);
    while (page.data.length > 0) {
      for (const record of page.data as Record<string, string>[]) {
        expect(Object.keys(record)).toEqual(fields);
        for (const [name, value] of Object.entries(record))
          expect([name, typeof value]).toEqual([name, types[name] ?? 'string']);
        expect(record.ID).toMatch(/^[1-9]\d*$/);
        const style = (phone: string | undefined) => (phone === '' ? 'display:none' : '');
        expect(record.hidePhone).toBe(style(record.phoneNumber));
        expect(record.hideMobilePhone).toBe(style(record.mobilePhoneNumber));
        if (record.PARENTID === '' && record['ORGANIZATION.LABEL'] === '') withoutOrganization++;
      }
      page = await search({ searchIndexTop: page.searchIndexTop as string });
    }
    expect(withoutOrganization).toBe(1);
    await server.database.query(
      `UPDATE users u SET organization_id = o.id FROM organizations o
       WHERE u.login = 'chloe.lefevre' AND o.reference = 'RECRUITING'`,
    );
  });

  it('displays the creation date in the caller’s language', async () => {
    const dateFor = async (token: string) =>
      (await search({ query: 'chloe lefevre' }, token)).data[0].CREATIONDATE as string;
    expect([await dateFor(bruno), await dateFor(chloe)]).toEqual([
      '23 Aug 2024, 09:00',
      '23 août 2024, 09:00',
    ]);
  });

  it('takes the token in the query parameter or in the header', async () => {
    const parameters = { query: 'bruno', searchName: NAMES.users, searchField: 'login' };
    const ask = (more: object, call = {}) =>
      server.call(PATH + query({ ...parameters, ...more }), call);
    const byHeader = await ask({}, { token: bruno });
    expect(byHeader.body).toMatchObject({ type: 'success', data: [{ login: 'bruno.keller' }] });
    expect((await ask({ _AuthenticationKey: bruno })).body).toEqual(byHeader.body);
    expect((await ask({})).body.type).toBe('error');
  });

  it('Nothing found: type success, data an empty array, template an empty string', async () => {
    expect(await search({ query: 'zzzzqqqq' })).toEqual(NOTHING);
  });

  it('Failure: type error and message, when the caller is not logged in', async () => {
    const { status, body } = await server.call(PATH + query({ query: 'a' }));
    expect([status, body]).toEqual([
      200,
      {
        type: 'error',
        message: 'You are not logged in: the token is missing, invalid or expired',
      },
    ]);
    const twice = await server.call(`${PATH}?_AuthenticationKey=${alice}`, { token: bruno });
    expect(twice.body.type).toBe('error');
  });

  it('each of the five searches finds the records of its kind', async () => {
    const fields: Record<string, string[]> = {
      documents: ['fileName', 'mimeType', 'size', 'version', 'category', 'keywords', 'downloadUrl'],
      news: ['summary', 'body', 'publicationDate', 'endDate', 'category'],
      faqs: ['question', 'answer', 'category', 'keywords'],
      customers: [
        'name',
        'code',
        'taxNumber',
        'email',
        'phoneNumber',
        'address',
        'city',
        'country',
        'webSite',
        'contactName',
      ],
    };
    for (const [kind, own] of Object.entries(fields))
      for (const token of [alice, bruno, chloe]) {
        const searchName = NAMES[kind as keyof typeof NAMES];
        const { data, searchIndexTop } = await search({ query: 'contract', searchName }, token);
        expect(data.length).toBeGreaterThan(0);
        expect(searchIndexTop).toMatch(new RegExp(`^${kind[0]!.toUpperCase()}${kind.slice(1)}¤`));
        expect(Object.keys(data[0] as object)).toEqual([
          'ID',
          'URI',
          'REFERENCE',
          'TITLE',
          'DESCRIPTION',
          'CREATIONDATE',
          'MODIFICATIONDATE',
          'LOCALE',
          'AUTHOR',
          'quickSearch',
          'HYPERLINK',
          'status',
          'link',
          ...own,
        ]);
        for (const [name, value] of Object.entries(data[0] as object))
          if (!['status', 'size', 'link'].includes(name)) expect(typeof value).toBe('string');
      }
  });
});

describe('paging', () => {
  it('returns the first 20 records, then the next 20 by the markers sent unchanged', async () => {
    const [row] = await server.database.query<{ ids: string[] }>(
      `SELECT array_agg(id::text ORDER BY fold(title) COLLATE "C", id) AS ids FROM users WHERE status = 1 AND NOT sysadmin`,
    );
    expect(await everything({ query: '' })).toEqual(row!.ids);
    expect(await everything({ query: '*' })).toEqual(row!.ids);
    expect((await search({})).data).toHaveLength(20);
  });

  it('continues by searchIndexTop alone, and rejects searchIndexBottom alone', async () => {
    const { searchIndexBottom, searchIndexTop } = await search({});
    const next = await search({ searchIndexTop });
    expect(next).toEqual(await search({ searchIndexTop, searchIndexBottom }));
    expect(await search({ searchIndexBottom })).toEqual({
      type: 'error',
      message: 'searchIndexTop: is required to continue the search',
    });
  });

  it('neither repeats nor skips a record while others come, go and are renamed', async () => {
    const stay = await everything({ query: '' });
    const seen: string[] = [];
    let page = await search({});
    for (let n = 0; page.data.length > 0; n++) {
      seen.push(...(page.data as { ID: string }[]).map(({ ID }) => ID));
      if (n < 8) await disturb(n);
      const { searchIndexBottom, searchIndexTop } = page;
      page = await search({ searchIndexBottom, searchIndexTop });
    }
    expect(seen.filter((id) => stay.includes(id))).toEqual(stay);
    await server.database.query(`DELETE FROM users WHERE login LIKE 'new%'`);
  });

  it('reads ¤ in UTF-8 and as older portals send it', async () => {
    const { searchIndexTop } = await search({});
    const position = (searchIndexTop as string).split('¤')[1];
    const path = `${PATH}?query=&searchName=${NAMES.users}&searchField=quickSearch&searchIndexTop=Users`;
    const modern = await server.call(`${path}%C2%A4${position}`, { token: bruno });
    const older = await server.call(`${path}%A4${position}`, { token: bruno });
    expect(older.body).toEqual(modern.body);
    expect(older.body.data).toHaveLength(20);
  });

  const valid = Buffer.from('5\nabc').toString('base64url');
  it.each([
    'Users',
    'Users¤',
    '¤',
    valid,
    `¤${valid}`,
    `users¤${valid}`,
    `USERS¤${valid}`,
    `Documents¤${valid}`,
    `Users¤${valid}=`,
    `Users¤ ${valid}`,
    `Users¤¤${valid}`,
    `Users¤${valid}¤`,
    `Users:${valid}`,
    'Users¤-1',
    'Users¤0',
    'Users¤1',
    'Users¤20',
    'Users¤1e9',
    'Users¤1;drop table users',
    `Users¤${Buffer.from('x\nabc').toString('base64url')}`,
    `Users¤${Buffer.from('0\nabc').toString('base64url')}`,
    `Users¤${Buffer.from('-5\nabc').toString('base64url')}`,
    `Users¤${Buffer.from('5').toString('base64url')}`,
    `Users¤${Buffer.from('99999999999999999999\nabc').toString('base64url')}`,
    `Users¤${Buffer.from([53, 10, 255, 254]).toString('base64url')}`,
    `Users¤${Buffer.from('5\na\u0000b').toString('base64url')}`,
    `Users¤${valid.slice(0, -1)}`,
    `Users¤${valid}A`,
    'Users¤%%%',
    'Users¤null',
    'Users¤[object Object]',
    'Users\u00a4\u00a4',
    'Üsers¤1',
  ])('refuses the marker %j', async (searchIndexTop) => {
    expect(await search({ searchIndexTop })).toEqual({
      type: 'error',
      message: 'searchIndexTop: is not a marker of the index Users',
    });
  });
});

describe('the text', () => {
  it('is found without case and accents, all terms, in any order', async () => {
    for (const text of ['lefevre chloe', 'LEFÈVRE', 'Chlo', 'responsable RECRUTEMENT lefevre'])
      expect(await titles({ query: text })).toContain('Chloé Lefèvre');
    expect(await titles({ query: 'lefevre bruno' })).toEqual([]);
    expect(await titles({ query: 'grossmann' })).toEqual(await titles({ query: 'Großmann' }));
    expect((await titles({ query: 'großmann' })).length).toBeGreaterThan(0);
    expect((await titles({ query: 'soren' })).length).toBeGreaterThan(0);
  });

  it('is plain: wildcards stand for themselves', async () => {
    for (const text of ['%', '_', '\\', '%a%', 'a_', '**', "'", '"', '$1'])
      expect([text, await titles({ query: text })]).toEqual([text, []]);
  });

  it('is looked for in the searchField', async () => {
    expect(await titles({ query: 'keller', searchField: 'lastName' })).toContain('Bruno Keller');
    expect(await titles({ query: 'keller', searchField: 'firstName' })).toEqual([]);
    expect(await titles({ query: 'vertrieb', searchField: 'ORGANIZATION.LABEL' })).toContain(
      'Bruno Keller',
    );
    expect(await titles({ query: 'vertrieb' })).not.toContain('Bruno Keller');
    expect((await titles({ query: 'italian', searchField: 'DESCRIPTION' })).length).toBeGreaterThan(
      0,
    );
    expect(
      await titles({ query: 'pdf', searchName: NAMES.documents, searchField: 'mimeType' }),
    ).not.toEqual([]);
  });

  it('finds a written text at once', async () => {
    await server.database.query(
      `UPDATE users SET nick_name = 'Wölfchen' WHERE login = 'bruno.keller'`,
    );
    expect(await titles({ query: 'wolfchen' })).toEqual(['Bruno Keller']);
  });
});

describe('visibility', () => {
  it('finds active users only, without sysadmin', async () => {
    expect(await titles({ query: 'sysadmin' })).toEqual([]);
    const [row] = await server.database.query(
      `SELECT login, title FROM users WHERE status = 3 LIMIT 1`,
    );
    expect(await titles({ query: row!.login as string })).toEqual([]);
  });

  it('finds only published content within the caller’s audience, on every page', async () => {
    for (const [kind, table, extra] of [
      ['documents', 'documents', ''],
      [
        'news',
        'news',
        'AND coalesce(publication_date <= now(), true) AND coalesce(end_date > now(), true)',
      ],
      ['faqs', 'faqs', ''],
      ['customers', 'customers', ''],
    ] as const) {
      const results = new Set<string>();
      for (const [token, login] of [
        [alice, 'alice.martin'],
        [bruno, 'bruno.keller'],
        [chloe, 'chloe.lefevre'],
      ] as const) {
        const [row] = await server.database.query<{ ids: string[] }>(
          `SELECT array_agg(t.id::text) AS ids FROM ${table} t, users u WHERE u.login = $1 AND t.status = 1 ${extra} AND t.audience && principals(u.id)`,
          [login],
        );
        const found = await everything({ searchName: NAMES[kind] }, token);
        expect(new Set(found)).toEqual(new Set(row!.ids));
        expect(found).toHaveLength(row!.ids.length);
        results.add(found.sort().join());
      }
      expect([kind, results.size]).toEqual([kind, 3]);
    }
  });
});

describe('bad parameters', () => {
  it.each([
    ['query=a&searchName=workplace_searchUsers', 'searchField: is required'],
    ['query=a&searchField=quickSearch', 'searchName: is required'],
    ['searchName=workplace_searchUsers&searchField=quickSearch', 'query: is required'],
    ['', 'query: is required; searchName: is required; searchField: is required'],
    [
      'query=a&query=b&searchName=workplace_searchUsers&searchField=quickSearch',
      'query: is given more than once',
    ],
    ['query=a&searchName=__proto__&searchField=quickSearch', 'searchName: unknown search'],
    ['query=a&searchName=toString&searchField=quickSearch', 'searchName: unknown search'],
    [
      'query=a&searchName=workplace_searchusers&searchField=quickSearch',
      'searchName: unknown search',
    ],
    ['query=a&searchName=workplace_searchUsers&searchField=password', 'searchField: unknown field'],
    [
      'query=a&searchName=workplace_searchUsers&searchField=HYPERLINK',
      'searchField: unknown field',
    ],
    [
      'query=a&searchName=workplace_searchUsers&searchField=constructor',
      'searchField: unknown field',
    ],
    ['query=a&searchName=workplace_searchUsers&searchField=', 'searchField: unknown field'],
    [
      `query=${'x'.repeat(129)}&searchName=workplace_searchUsers&searchField=quickSearch`,
      'query: at most 128 characters',
    ],
    [
      'query=%zz&searchName=workplace_searchUsers&searchField=quickSearch',
      'query: is not valid percent-encoded UTF-8',
    ],
    [
      'query=%00&searchName=workplace_searchUsers&searchField=quickSearch',
      'query: the character NUL',
    ],
  ])('%j is an error envelope', async (text, message) => {
    const { status, body } = await server.call(`${PATH}?${text}`, { token: bruno });
    expect([status, body.type]).toEqual([200, 'error']);
    expect(body.message.startsWith(message)).toBe(true);
    expect(Object.keys(body)).toEqual(['type', 'message']);
  });

  it('lists the fields of each search in its refusal of another one, as the contract does', async () => {
    const [, section = ''] = readFileSync('docs/api-contract.md', 'utf8').split(
      '### Search fields',
    );
    const rows = section.split('###', 1)[0]!.matchAll(/^\| `(workplace_\w+)` +\| (.*?) +\|$/gm);
    const documented = [...rows].map(([, name, fields]) => [name, fields!.replaceAll('`', '')]);
    expect(documented).toHaveLength(7);
    for (const [searchName, fields] of documented) {
      const { body } = await server.call(
        PATH + query({ query: 'a', searchName: searchName!, searchField: 'nosuch' }),
        { token: bruno },
      );
      expect([searchName, body.message]).toEqual([
        searchName,
        `searchField: unknown field; known: quickSearch, ${fields}`,
      ]);
    }
  });

  it('keeps the envelope for 405 and 406', async () => {
    const wrongVerb = await server.call(PATH, { method: 'POST', token: bruno });
    expect([wrongVerb.status, wrongVerb.body.type]).toEqual([405, 'error']);
    const wrongType = await server.call(PATH, {
      token: bruno,
      headers: { Accept: 'application/json;q=0' },
    });
    expect([wrongType.status, wrongType.body.type]).toEqual([406, 'error']);
  });
});
