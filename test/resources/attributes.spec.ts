import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/test-server.js';

let server: TestServer;
let admin: string;
let person: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signIn('alice.martin');
  person = await server.signIn('chloe.lefevre');
});
afterAll(() => server.close());

const PATH = '/api/v2/attributes';

describe('GET /api/v2/attributes', () => {
  it.each(['admin', 'person'])('answers to %s the attributes of all resources', async (who) => {
    const token = who === 'admin' ? admin : person;
    const { body } = await server.call(PATH, { token });
    const paths = {
      users: '/directory/users',
      tasks: '/process/tasks',
      'task-filters': '/process/task-filters',
      faqs: '/content/faqs',
    };
    for (const [name, path] of Object.entries(paths)) {
      const own = await server.call(`/api/v2${path}/attributes`, { token });
      expect([name, body[name]]).toEqual([name, own.body]);
    }
    expect(Object.keys(body as object)).toHaveLength(who === 'admin' ? 20 : 19);
    expect('audit' in body).toBe(who === 'admin');
  });

  it('is a 304 for a caller with a current copy', async () => {
    const first = await server.call(PATH, { token: person });
    const { etag = '' } = first.headers;
    const headers = { 'If-None-Match': etag };
    const again = await server.call(PATH, { token: person, headers });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await server.call(PATH, { token: admin, headers })).status).toBe(200);
  });

  it('marks lists of texts and attributes of lists, and names the translated attributes', async () => {
    const { body } = await server.call(PATH, { token: admin });
    const one = (resource: string, name: string) =>
      (body[resource] as { name: string }[]).find((attribute) => attribute.name === name);
    expect(one('views', 'columns')).toMatchObject({ type: 'texts', codes: null, listed: true });
    expect(one('endpoints', 'kinds')).toMatchObject({
      type: 'texts',
      codes: expect.arrayContaining(['task.decided']),
    });
    expect(one('tasks', 'candidates')).toMatchObject({ listed: false });
    expect(one('applications', 'translations')).toMatchObject({
      type: 'object',
      translates: ['title', 'keywords'],
    });
  });
});

describe('GET /api/v2/openapi.json', () => {
  const ask = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${server.port}/api/v2/openapi.json`, { headers });

  it('is compressed for a client that accepts gzip, and the same for any other', async () => {
    const plain = await server.call('/api/v2/openapi.json');
    expect(plain.headers['content-encoding']).toBe(undefined);
    // Node's fetch asks for gzip, and unpacks it.
    const zipped = await ask({});
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect(zipped.headers.get('vary')).toContain('Accept-Encoding');
    expect(Number(zipped.headers.get('content-length'))).toBeLessThan(plain.text.length / 5);
    expect(await zipped.json()).toEqual(plain.body);
  });

  it('is a 304 for a client that has it', async () => {
    const etag = (await ask({})).headers.get('etag') ?? '';
    const again = await ask({ 'If-None-Match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});
