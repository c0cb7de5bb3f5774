import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uriOf } from '../support/id-of.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** Paths of tasks and sources have references and external ids where they have ids. */

const TASKS = '/api/v2/process/tasks';

let writing: WritingServer;
let call: WritingServer['call'];
/** The path of the task by its id. */
let path: string;
beforeAll(async () => {
  writing = await startWritingServer();
  ({ call } = writing);
  await writing.create('/api/v2/process/sources', {
    reference: 'ERP',
    label: 'An engine',
    serviceAccount: await uriOf(writing.server, 'users', 'process.engine'),
    applications: [await uriOf(writing.server, 'applications', 'LEAVE')],
  });
  const pushed = await call('PUT', `${TASKS}?source=ERP`, [
    { externalId: 'a:b/c d', title: 'By name', application: 'LEAVE', group: 'HIRING' },
  ]);
  path = `/api/v2${(pushed.body.results as [{ uri: string }])[0].uri}`;
});
afterAll(() => writing.close());

const named = `${TASKS}/ERP:${encodeURIComponent('a:b/c d')}`;

describe('a task in a path', () => {
  it('is named by its source and external id, and by its reference', async () => {
    const byId = await call('GET', path);
    const { reference } = byId.body as { reference: string };
    for (const other of [named, `${TASKS}/${reference}`]) {
      const found = await call('GET', other);
      expect([found.status, found.text]).toEqual([200, byId.text]);
    }
  });

  it('is named by a source and an external id before a reference with a colon', async () => {
    const body = { application: 'LEAVE', group: 'HIRING' };
    const { uri } = await writing.create(TASKS, { ...body, title: 'Case', reference: 'CASE:1' });
    expect((await call('GET', `${TASKS}/CASE:1`)).body).toMatchObject({ uri });
    const other = { ...body, source: 'ERP', externalId: 'both' };
    await writing.create(TASKS, { ...other, title: 'By its external id' });
    await writing.create(TASKS, { ...body, title: 'By reference', reference: 'ERP:both' });
    expect((await call('GET', `${TASKS}/ERP:both`)).body).toMatchObject({
      title: 'By its external id',
    });
  });

  it('is changed, claimed and deleted by its name', async () => {
    const patch = (token: string, at = named) =>
      call('PATCH', at, [{ op: 'replace', path: '/priority', value: 3 }], { token });
    expect((await patch(writing.engine)).body).toMatchObject({ priority: 3 });
    const claimed = await call('POST', `${named}/claim`, undefined, { token: writing.bruno });
    expect(claimed.body).toMatchObject({ assignee: { reference: 'bruno.keller' } });
    const replaced = await call('PUT', named, {
      ...(await call('GET', named)).body,
      title: 'Replaced',
    });
    expect(replaced.body).toMatchObject({ title: 'Replaced' });
    expect((await call('DELETE', named)).status).toBe(204);
    expect((await patch(writing.engine)).status).toBe(404);
  });

  it.each(['ERP:nobody', 'nowhere:a', 'erp:both', 'case:1', 'TASK-0', 'attribute', ':', 'x:'])(
    'is a 404 for the name %s, and for users who do not see it',
    async (name) => {
      for (const token of [writing.admin, writing.bruno])
        expect((await call('GET', `${TASKS}/${name}`, undefined, { token })).status).toBe(404);
    },
  );

  it('is hidden from other users by its name, too', async () => {
    const { id } = await writing.create(TASKS, {
      title: 'For Chloé',
      application: 'LEAVE',
      assignee: 'chloe.lefevre',
      source: 'ERP',
      externalId: 'hidden',
    });
    expect((await call('GET', `${TASKS}/ERP:hidden`)).body).toMatchObject({ id });
    const token = writing.bruno;
    expect((await call('GET', `${TASKS}/ERP:hidden`, undefined, { token })).status).toBe(404);
    expect((await call('GET', `${TASKS}/ERP:hidden`, undefined, { token: '' })).status).toBe(401);
  });

  it('is like a source, which has its reference in the path', async () => {
    const { body } = await call('GET', '/api/v2/process/sources/ERP');
    expect(body).toMatchObject({ reference: 'ERP' });
  });
});

describe('an endpoint in a path', () => {
  const ENDPOINTS = '/api/v2/process/endpoints';

  it('is named by its reference in every call, and its body names what it links', async () => {
    const { uri } = await writing.create(ENDPOINTS, {
      reference: 'WORKER',
      label: 'A worker',
      mode: 'pull',
      source: 'ERP',
      applications: ['LEAVE'],
      account: 'process.engine',
    });
    const byName = await call('GET', `${ENDPOINTS}/WORKER`);
    expect(byName.body).toMatchObject({
      uri,
      source: { reference: 'ERP' },
      applications: [{ reference: 'LEAVE' }],
      account: { reference: 'process.engine' },
    });
    const pause = [{ op: 'replace', path: '/status', value: 'paused' }];
    expect((await call('PATCH', `${ENDPOINTS}/WORKER`, pause)).body.status).toBe('paused');
    expect((await call('POST', `${ENDPOINTS}/WORKER/test`)).status).toBe(201);
    expect((await call('GET', `${ENDPOINTS}/WORKER/deliveries`)).body).toHaveLength(1);
    const replay = { failed: true };
    const { body: replayed } = await call('POST', `${ENDPOINTS}/WORKER/replay`, replay);
    expect(replayed).toEqual({ count: 0, next: null });
    const token = writing.engine;
    expect((await call('GET', `${ENDPOINTS}/WORKER`, undefined, { token })).status).toBe(404);
    expect((await call('DELETE', `${ENDPOINTS}/WORKER`)).status).toBe(204);
    expect((await call('GET', `${ENDPOINTS}/WORKER`)).status).toBe(404);
  });
});
