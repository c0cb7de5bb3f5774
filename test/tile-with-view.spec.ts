import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fieldNames } from './support/call.js';
import { type Answer, startTestServer, type TestServer } from './support/test-server.js';

let server: TestServer;
let admin: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signIn('alice.martin');
});
afterAll(() => server.close());

const create = (body: unknown): Promise<Answer> =>
  server.call('/api/v2/process/tiles', { method: 'POST', token: admin, body });

const read = async (uri: string) =>
  (await server.call(`/api/v2${uri}`, { token: admin })).body as Record<string, unknown>;

/** How many applications and views there are. */
async function stored(): Promise<unknown> {
  const [row] = await server.database.query(
    'SELECT (SELECT count(*) FROM applications)::int AS applications, (SELECT count(*) FROM views)::int AS views',
  );
  return row;
}

describe('POST /api/v2/process/tiles', () => {
  const application = { title: 'Repairs', type: 'PROCESS', active: false };
  const view = { label: 'Open repairs', filters: ['status:eq:open', 'group:eq:@mygroups'] };

  it('creates an application and the view that its tile opens', async () => {
    const { status, body, headers } = await create({ application, view });
    expect(status).toBe(201);
    const made = body as { uri: string; title: string; view: { uri: string; label: string } };
    expect(headers.location).toBe(`/api/v2${made.uri}`);
    expect(headers.etag).toBeDefined();
    expect(made).toMatchObject({
      title: 'Repairs',
      active: false,
      view: { label: 'Open repairs' },
    });
    expect(await read(made.uri)).toEqual(made);
    expect(await read(made.view.uri)).toMatchObject({
      ...view,
      application: { uri: made.uri },
      filterMode: 'and',
    });
    const trail = (await server.call('/api/v2/administration/audit?sorter=-id&range=0-2', {
      token: admin,
    })) as { body: unknown };
    expect(trail.body).toMatchObject([
      { action: 'create', objectUri: made.uri },
      { action: 'create', objectUri: made.view.uri },
    ]);
  });

  it('takes null for what the server sets, and a link that has a view', async () => {
    const { status, body } = await create({
      application: { ...application, type: 'LINK', view: null },
      view: { ...view, application: null },
    });
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        type: 'LINK',
        view: expect.objectContaining({ label: view.label }),
      }),
    ]);
  });

  it('answers one 400 that names the faults of both parts, and stores neither', async () => {
    const before = await stored();
    const answer = await create({
      application: { type: 'PROCESS', colour: 'red' },
      view: { filters: ['status:is:open'], columns: ['price'], size: 3 },
    });
    expect(answer.status).toBe(400);
    expect(fieldNames(answer).sort()).toEqual(
      ['colour', 'title', 'view.columns', 'view.filters', 'view.label', 'view.size'].sort(),
    );
    expect(await stored()).toEqual(before);
  });

  it.each([
    ['a part is missing', { application }, 'view'],
    ['a part is no object', { application, view: [] }, 'view'],
    [
      'the view names an application',
      { application, view: { ...view, application: '1' } },
      'view.application',
    ],
    [
      'the application names a view',
      { application: { ...application, view: '1' }, view },
      'application.view',
    ],
  ])('answers 400 when %s', async (_, body, name) => {
    const before = await stored();
    const answer = await create(body);
    expect([answer.status, fieldNames(answer)]).toEqual([400, [name]]);
    expect(await stored()).toEqual(before);
  });

  it('stores no application when its view cannot be stored', async () => {
    const before = await stored();
    const { status, body } = await create({
      application,
      view: { ...view, reference: 'TRAVEL-OPEN' },
    });
    expect([status, body]).toEqual([409, { code: 409, message: 'The reference is taken' }]);
    expect(await stored()).toEqual(before);
  });
});
