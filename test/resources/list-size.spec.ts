import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { countStatements } from '../support/statements.js';

const NEWS = '/api/v2/content/news?sorter=-id';
/** The largest texts of a news item in bytes, plus an allowance for its other values. */
const TEXTS = 66_600;

let server: TestServer;
let admin: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signIn('alice.martin');
  await server.database.query(
    `INSERT INTO news (title, summary, body, description)
     SELECT 'Long ' || i, repeat('語', 2000), repeat('語', 10000), repeat('語', 10000) FROM generate_series(1, 300) i`,
  );
});
afterAll(() => server.close());

const list = (path: string) => server.call(path, { token: admin });
const refusal = (fitting: number) => ({
  code: 400,
  message: 'Invalid: range',
  fields: [
    {
      name: 'range',
      message: `the items exceed 4 MiB; request fewer: the first ${fitting} fit`,
    },
  ],
});

describe('a list', () => {
  it('answers 400 with the range that fits when the items exceed 4 MiB', async () => {
    const { status, body, text } = await list(`${NEWS}&range=0-300`);
    const fitting = Number(/the first (\d+) fit/.exec(text)![1]);
    expect([status, body]).toEqual([400, refusal(fitting)]);
    expect(fitting).toBeCloseTo((4 * 2 ** 20) / TEXTS, -1);
    const fits = await list(`${NEWS}&range=0-${fitting}`);
    expect([fits.status, (fits.body as unknown[]).length]).toEqual([200, fitting]);
    expect((await list(`${NEWS}&range=0-${fitting + 1}`)).status).toBe(400);
  });

  it.each(['&filters=title:contains:long', '&filters=status:eq:1', '&responseMode=user'])(
    'is measured with its filters and response mode: %s',
    async (query) => {
      expect((await list(`${NEWS}&range=0-300${query}`)).status).toBe(400);
      expect((await list(`${NEWS}&range=290-300${query}`)).status).toBe(200);
    },
  );

  it('is measured in the same way with an exact count', async () => {
    const { status } = await server.call(`${NEWS}&range=0-300`, {
      token: admin,
      headers: { Prefer: 'count=exact' },
    });
    expect(status).toBe(400);
  });

  it('skips the check for resources whose items are always short', async () => {
    const statements = (path: string) => countStatements(() => list(path));
    const users = '/api/v2/directory/users?range=0-250';
    const [short, long] = [`${NEWS}&range=290-40`, `${NEWS}&range=290-500`];
    for (const path of [users, short, long]) await list(path);
    const measured = await statements(long);
    expect(await statements(users)).toBe(measured - 1);
    expect(await statements(short)).toBe(measured - 1);
  });

  it('finds the rows of a page once, to measure and to show them', async () => {
    const filtered = `${NEWS}&filters=title:contains:g%2029`;
    const statements = (path: string) => countStatements(() => list(path));
    for (const count of [10, 500]) await list(`${filtered}&range=0-${count}`);
    // Other pages: those that were found are kept.
    const [short, measured] = [`${filtered}&range=0-9`, `${filtered}&range=0-499`];
    expect(await statements(measured)).toBe((await statements(short)) + 1);
  });

  it('shows the same rows, count and next page whether it is measured or not', async () => {
    const read = async (range: string) => {
      const { body, headers } = await server.call(
        `/api/v2/content/news?sorter=title&filters=title:contains:long&range=${range}`,
        { token: admin, headers: { Prefer: 'count=exact' } },
      );
      return {
        titles: (body as { title: string }[]).map(({ title }) => title),
        total: headers['x-total-count'],
        next: headers.link?.includes('rel="next"'),
      };
    };
    const short = await Promise.all(['0-20', '20-20', '40-20'].map(read));
    const { titles, ...paging } = await read('0-60');
    expect(titles).toEqual(short.flatMap((page) => page.titles));
    expect(paging).toEqual({ total: '300', next: true });
    expect(await read('240-500')).toMatchObject({ total: '300', next: false });
    expect(await read('300-500')).toMatchObject({ titles: [], total: '300', next: false });
  });
});
