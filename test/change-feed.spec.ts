import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from './support/test-server.js';

let server: TestServer;
let admin: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signIn('alice.martin');
});
afterAll(() => server.close());

describe('x', () => {
  it('lists', async () => {
    const a = await server.call(
      '/api/v2/changes?kinds=users,tasks,views,applications,documents,news,faqs,customers,groups,organizations,categories&limit=3',
      { token: admin },
    );
    console.log(a.status, a.text, a.duration);
    const b = await server.call('/api/v2/changes?kinds=users,groups&limit=1000', { token: admin });
    console.log(b.status, b.text.slice(-300), b.body.changes.length, b.duration);
    await server.database.query(
      "UPDATE users SET title = title || 'x' WHERE id IN (SELECT id FROM users ORDER BY id DESC LIMIT 3)",
    );
    const c = await server.call('/api/v2/changes?kinds=users,groups&limit=2&after=' + b.body.next, {
      token: admin,
    });
    console.log(c.status, c.text);
    const d = await server.call('/api/v2/changes?kinds=users,groups&limit=2&after=' + c.body.next, {
      token: admin,
    });
    console.log(d.status, d.text);
    const started = performance.now();
    const w = server.call('/api/v2/changes?kinds=users,groups&wait=20&after=' + d.body.next, {
      token: admin,
    });
    await new Promise((r) => setTimeout(r, 500));
    await server.database.query(
      "UPDATE users SET title = title || 'x' WHERE id IN (SELECT id FROM users ORDER BY id DESC LIMIT 3)",
    );
    const at = performance.now();
    const e = await w;
    console.log(e.status, e.text.slice(-400), performance.now() - at, performance.now() - started);
    const f = await server.call('/api/v2/changes?kinds=users,groups', {
      token: admin,
      headers: { Accept: 'application/x-ndjson' },
    });
    console.log(f.status, f.headers, f.text.slice(-600), f.text.split('\n').length);
    expect(1).toBe(1);
  });
});
