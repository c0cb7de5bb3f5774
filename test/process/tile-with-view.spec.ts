import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fieldNames } from '../support/call.js';
import { type Answer, startTestServer, type TestServer } from '../support/test-server.js';

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
      { action: 'create', object: { uri: made.uri } },
      { action: 'create', object: { uri: made.view.uri } },
    ]);
  });

  it('accepts null for attributes that the server sets, and a link tile with a view', async () => {
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

describe('PUT /api/v2/process/tiles/{id}', () => {
  const application = { title: 'Parcels', type: 'PROCESS', active: false, audience: [] };
  const view = { label: 'Open parcels', filters: ['status:eq:open'] };

  interface Tile {
    id: string;
    uri: string;
    title: string;
    view: { id: string; uri: string; label: string } | null;
  }

  const change = (
    { id }: { id: string },
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> =>
    server.call(`/api/v2/process/tiles/${id}`, { method: 'PUT', token: admin, body, headers });

  const createTile = async () =>
    (await create({ application, view })).body as Tile & {
      view: NonNullable<Tile['view']>;
    };

  const etagOf = async (uri: string) =>
    String((await server.call(`/api/v2${uri}`, { token: admin })).headers.etag);

  const trailOf = async (count: number) =>
    (
      await server.call(`/api/v2/administration/audit?sorter=-id&range=0-${count}`, {
        token: admin,
      })
    ).body as unknown;

  it('changes an application and the view that its tile opens', async () => {
    const tile = await createTile();
    const { status, body, headers } = await change(
      tile,
      {
        application: { ...application, title: 'Letters' },
        view: { id: tile.view.id, label: 'Open letters', filters: [], sorter: 'dueDate' },
        viewETag: await etagOf(tile.view.uri),
      },
      { 'If-Match': await etagOf(tile.uri) },
    );
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        id: tile.id,
        title: 'Letters',
        view: expect.objectContaining({ id: tile.view.id, label: 'Open letters' }),
      }),
    ]);
    expect(headers.etag).toBe(await etagOf(tile.uri));
    expect(await read(tile.uri)).toEqual(body);
    expect(await read(tile.view.uri)).toMatchObject({
      label: 'Open letters',
      filters: [],
      sorter: 'dueDate',
      application: { uri: tile.uri },
    });
    expect(await trailOf(2)).toMatchObject([
      { action: 'update', object: { uri: tile.uri } },
      { action: 'update', object: { uri: tile.view.uri } },
    ]);
  });

  it('creates a view that the tile opens from then on, and keeps the views that are there', async () => {
    const tile = await createTile();
    const { status, body } = await change(tile, {
      application,
      view: { ...view, label: 'All parcels' },
    });
    const made = body as typeof tile;
    expect([status, made.view.label]).toEqual([200, 'All parcels']);
    expect(made.view.id).not.toBe(tile.view.id);
    expect(await read(made.view.uri)).toMatchObject({ application: { uri: tile.uri } });
    expect(await read(tile.view.uri)).toMatchObject({ label: 'Open parcels' });
    expect(await trailOf(2)).toMatchObject([
      { action: 'update', object: { uri: tile.uri } },
      { action: 'create', object: { uri: made.view.uri } },
    ]);
  });

  it('opens another view of the application and changes it', async () => {
    const tile = await createTile();
    const other = (
      await server.call('/api/v2/process/views', {
        method: 'POST',
        token: admin,
        body: { label: 'Lost parcels', application: tile.id },
      })
    ).body as { id: string };
    const { body } = await change(tile, {
      application,
      view: { id: other.id, label: 'Parcels that are lost' },
    });
    expect((body as Tile).view).toMatchObject({ id: other.id, label: 'Parcels that are lost' });
  });

  it('stores a change of the view only, and leaves the application unchanged', async () => {
    const tile = await createTile();
    const etag = await etagOf(tile.uri);
    const { reference } = await read(tile.uri);
    const { status, headers } = await change(tile, {
      application: { ...application, reference },
      view: { id: tile.view.id, label: 'Parcels of the day' },
    });
    expect([status, headers.etag]).toEqual([200, etag]);
    expect(await read(tile.view.uri)).toMatchObject({ label: 'Parcels of the day', filters: [] });
    expect(await trailOf(1)).toMatchObject([{ action: 'update', object: { uri: tile.view.uri } }]);
  });

  it('answers one 400 that names the faults of both parts, and stores neither', async () => {
    const tile = await createTile();
    const before = [await stored(), await read(tile.uri), await read(tile.view.uri)];
    for (const id of [tile.view.id, undefined]) {
      const answer = await change(tile, {
        application: { type: 'PROCESS', colour: 'red' },
        view: { id, filters: ['status:is:open'], columns: ['price'], size: 3 },
      });
      expect(answer.status).toBe(400);
      expect(fieldNames(answer).sort()).toEqual(
        [
          'active',
          'audience',
          'colour',
          'title',
          'view.columns',
          'view.filters',
          'view.label',
          'view.size',
        ].sort(),
      );
    }
    expect([await stored(), await read(tile.uri), await read(tile.view.uri)]).toEqual(before);
  });

  it.each([
    [
      'application',
      { application: { ...application, title: null }, view: { label: 'Changed' } },
      ['title'],
    ],
    ['view', { application: { ...application, title: 'Changed' }, view: {} }, ['view.label']],
  ])(
    'stores neither when only the %s is invalid',
    async (_, { application: first, view: second }, names) => {
      const tile = await createTile();
      const before = [await stored(), await read(tile.uri), await read(tile.view.uri)];
      for (const id of [tile.view.id, undefined]) {
        const answer = await change(tile, { application: first, view: { ...second, id } });
        expect([answer.status, fieldNames(answer)]).toEqual([400, names]);
      }
      expect([await stored(), await read(tile.uri), await read(tile.view.uri)]).toEqual(before);
    },
  );

  it.each([
    ['a part is missing', { application }, 'view'],
    ['the ETag of the view is no text', { application, view, viewETag: 3 }, 'viewETag'],
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
    [
      'the view is one of another application',
      { application, view: { ...view, id: '1' } },
      'view.id',
    ],
    ['the id of the view is none', { application, view: { ...view, id: 'x' } }, 'view.id'],
  ])('answers 400 when %s', async (_, body, name) => {
    const tile = await createTile();
    const before = [await stored(), await read(tile.uri)];
    const answer = await change(tile, body);
    expect([answer.status, fieldNames(answer)]).toEqual([400, [name]]);
    expect([await stored(), await read(tile.uri)]).toEqual(before);
  });

  it.each(['application', 'view'])(
    'answers 412 and stores neither when another administrator has changed the %s',
    async (part) => {
      const tile = await createTile();
      const [etag, viewETag] = [await etagOf(tile.uri), await etagOf(tile.view.uri)];
      await server.call(`/api/v2${part === 'view' ? tile.view.uri : tile.uri}`, {
        method: 'PATCH',
        token: admin,
        body: [{ op: 'add', path: '/reference', value: `CHANGED-${part}` }],
      });
      const before = [await read(tile.uri), await read(tile.view.uri)];
      const answer = await change(
        tile,
        {
          application: { ...application, title: 'Changed' },
          view: { id: tile.view.id, label: 'Changed' },
          viewETag,
        },
        { 'If-Match': etag },
      );
      expect(answer.status).toBe(412);
      expect([await read(tile.uri), await read(tile.view.uri)]).toEqual(before);
    },
  );

  it('answers 404 for an unknown application, and 409 without a trace when a reference is taken', async () => {
    expect((await change({ id: '999999' }, { application, view })).status).toBe(404);
    const tile = await createTile();
    const before = [await stored(), await read(tile.uri), await read(tile.view.uri)];
    for (const body of [
      { application, view: { ...view, reference: 'TRAVEL-OPEN' } },
      {
        application: { ...application, reference: 'EXPENSES' },
        view: { label: 'Changed', id: tile.view.id },
      },
    ]) {
      const answer = await change(tile, body);
      expect([answer.status, answer.body]).toEqual([
        409,
        { code: 409, message: 'The reference is taken' },
      ]);
    }
    expect([await stored(), await read(tile.uri), await read(tile.view.uri)]).toEqual(before);
  });
});
