import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from './support/eventually.js';
import { startTestServer, type TestServer } from './support/test-server.js';

const REFUSED = { code: 403, message: 'The calling address is not authorized' };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ TRUSTED_PROXIES: '127.0.0.2' });
});
afterAll(() => server.close());

const setRule = async (value: string) => {
  await server.database.query(
    `UPDATE parameters SET value = $1 WHERE key = 'security.ExternalAuthenticationAction.allowedAddresses'`,
    [value],
  );
};

describe('A caller whose address is not authorized cannot use the API', () => {
  it.each([
    ['GET', '/api/v2'],
    ['GET', '/api/v2/directory/users'],
    ['POST', '/api/v2/authentication'],
    ['GET', '/navigation/workplace/categories'],
    ['GET', '/navigation/workplace/apps'],
    ['GET', '/navigation/workplace/apps/indicator'],
    ['GET', '/navigation/directory/users/1/photo'],
    ['GET', '/unknown'],
    ['DELETE', '/api/v2'],
  ])('%s %s answers 403', async (method, path) => {
    const answer = await server.call(path, { method, from: '127.0.0.9' });
    expect([answer.status, answer.body]).toEqual([403, REFUSED]);
    expect(answer.headers['x-request-id']).toBeDefined();
  });

  it('is decided before credentials are read', async () => {
    const token = await server.signIn('alice.martin');
    const answer = await server.call('/api/v2/directory/users', { token, from: '127.0.0.9' });
    expect([answer.status, answer.body]).toEqual([403, REFUSED]);
    const malformed = { method: 'POST', body: '{', from: '127.0.0.9' };
    expect((await server.call('/api/v2/authentication', malformed)).status).toBe(403);
  });

  it('answers 403 inside the envelope on the search path', async () => {
    const answer = await server.call('/navigation/search/workplace', { from: '127.0.0.9' });
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({ type: 'error', message: REFUSED.message });
  });

  it('tells a supervisor whether the server is up, from anywhere', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      const answer = await server.call(path, { from: '127.0.0.9' });
      expect([answer.status, answer.body]).toEqual([200, { status: 'up' }]);
    }
  });

  it('follows a change of the parameter within a second', async () => {
    const answered = (from: string, status: number) =>
      eventually(async () => expect((await server.call('/api/v2', { from })).status).toBe(status));
    await setRule('127.0.0.0/28');
    await answered('127.0.0.9', 200);
    await setRule('');
    await answered('127.0.0.1', 403);
    await setRule('127.0.0.1, ::1');
    await answered('127.0.0.1', 200);
    await answered('127.0.0.9', 403);
  });

  it('does not believe X-Forwarded-For and its relatives of a peer that is no trusted proxy', async () => {
    for (const name of [
      'X-Forwarded-For',
      'X-Real-IP',
      'Forwarded',
      'True-Client-IP',
      'CF-Connecting-IP',
      'X-Client-IP',
      'X-Cluster-Client-IP',
    ]) {
      const answer = await server.call('/api/v2', {
        from: '127.0.0.9',
        headers: { [name]: '127.0.0.1' },
      });
      expect([name, answer.status]).toEqual([name, 403]);
    }
  });

  it.each([
    ['127.0.0.1', 200],
    ['8.8.8.8, 127.0.0.1', 200],
    ['127.0.0.1, 8.8.8.8', 403],
    ['127.0.0.1, 127.0.0.2', 200],
    ['::ffff:127.0.0.1', 200],
    ['::127.0.0.1', 403],
    ['unknown', 403],
    ['127.0.0.1:80', 403],
    ['[::1]', 403],
    ['127.1', 403],
    ['0177.0.0.1', 403],
    ['', 403],
    ['127.0.0.1,', 403],
    ['a;b', 403],
    ['fe80::1%lo', 403],
  ])('behind a trusted proxy X-Forwarded-For: %s is answered %d', async (forwarded, status) => {
    const headers = { 'X-Forwarded-For': forwarded };
    const answer = await server.call('/api/v2', { from: '127.0.0.2', headers });
    expect(answer.status).toBe(status);
  });
});
