import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Notifications } from '../../src/database/notifications.js';
import { eventually } from '../support/eventually.js';
import { send, startTestServer, type TestServer } from '../support/test-server.js';

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

  it('answers health checks from any address', async () => {
    for (const path of ['/health/live', '/health/ready', '/health/live/', '/health/ready/']) {
      const answer = await server.call(path, { from: '127.0.0.9' });
      expect([answer.status, answer.body]).toEqual([200, { status: 'up' }]);
    }
  });

  it('follows a change of the parameter', async () => {
    const answered = (from: string, status: number) =>
      eventually(async () => expect((await server.call('/api/v2', { from })).status).toBe(status));
    await setRule('127.0.0.0/28');
    await answered('127.0.0.9', 200);
    await setRule('');
    await answered('127.0.0.1', 403);
    // A server that admits no address is alive but useless.
    expect((await server.call('/health/live')).status).toBe(200);
    await eventually(async () => expect((await server.call('/health/ready')).status).toBe(503));
    await setRule('127.0.0.1, ::1');
    await answered('127.0.0.1', 200);
    await answered('127.0.0.9', 403);
  });

  it('ignores X-Forwarded-For and similar headers of a peer that is not a trusted proxy', async () => {
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
  ])(
    'counts X-Forwarded-For behind a trusted proxy: %s is answered %d',
    async (forwarded, status) => {
      const headers = { 'X-Forwarded-For': forwarded };
      const answer = await server.call('/api/v2', { from: '127.0.0.2', headers });
      expect(answer.status).toBe(status);
    },
  );
});

/** Every rule with every way of calling: real sockets of both address families, with and without a proxy. */
describe('the IP allowlist', () => {
  /** Callers by name: the peer, and its X-Forwarded-For. 127.0.0.2 is the trusted proxy. */
  const CALLERS: Record<string, { from: string; forwarded?: string; dualStack?: boolean }> = {
    '127.0.0.1': { from: '127.0.0.1' },
    '127.0.0.9': { from: '127.0.0.9' },
    '::1': { from: '::1', dualStack: true },
    'mapped 127.0.0.1': { from: '127.0.0.1', dualStack: true },
    'liar for 10.1.2.3': { from: '127.0.0.9', forwarded: '10.1.2.3' },
    'proxy for 10.1.2.3': { from: '127.0.0.2', forwarded: '10.1.2.3' },
    'proxy for 10.1.2.3 behind 192.0.2.1': { from: '127.0.0.2', forwarded: '192.0.2.1, 10.1.2.3' },
    'proxy for 192.0.2.1 behind 10.1.2.3': { from: '127.0.0.2', forwarded: '10.1.2.3,192.0.2.1' },
    'proxy for 2001:db8::5': { from: '127.0.0.2', forwarded: '2001:DB8:0::5' },
    'proxy for mapped 10.1.2.3': { from: '127.0.0.2', forwarded: '::ffff:a01:203' },
    'proxy for unknown': { from: '127.0.0.2', forwarded: '10.1.2.3, unknown' },
    'proxy for itself': { from: '127.0.0.2' },
    'proxy for a proxy': { from: '127.0.0.2', forwarded: '10.1.2.3, 127.0.0.2' },
  };
  const PROXIED = [
    'proxy for 10.1.2.3',
    'proxy for 10.1.2.3 behind 192.0.2.1',
    'proxy for mapped 10.1.2.3',
    'proxy for a proxy',
  ];
  /** The callers that each value admits. */
  const RULES: Record<string, string[]> = {
    '127.0.0.1': ['127.0.0.1', 'mapped 127.0.0.1'],
    '127.0.0.1/32': ['127.0.0.1', 'mapped 127.0.0.1'],
    '::ffff:127.0.0.1': ['127.0.0.1', 'mapped 127.0.0.1'],
    '127.0.0.0/8': [
      '127.0.0.1',
      '127.0.0.9',
      'liar for 10.1.2.3',
      'mapped 127.0.0.1',
      'proxy for itself',
    ],
    '::1': ['::1'],
    '::1/128;127.0.0.9': ['127.0.0.9', '::1', 'liar for 10.1.2.3'],
    '127.0.0.1, ::1': ['127.0.0.1', '::1', 'mapped 127.0.0.1'],
    '::127.0.0.1, 64:ff9b::7f00:1, 2002:7f00:1::': [],
    '127.0.0.2': ['proxy for itself'],
    '10.0.0.0/8': PROXIED,
    '10.1.2.3': PROXIED,
    '::ffff:10.0.0.0/104': PROXIED,
    '10.1.2.4 10.1.2.2': [],
    '192.0.2.1': ['proxy for 192.0.2.1 behind 10.1.2.3'],
    '2001:db8::/32 192.0.2.0/24': ['proxy for 192.0.2.1 behind 10.1.2.3', 'proxy for 2001:db8::5'],
    '2001:db8::5': ['proxy for 2001:db8::5'],
    '2001:db8::4': [],
    '': [],
    ' , ; ': [],
    '10.0.0.0/0 nonsense': [],
  };
  /** Some hosts have no IPv6. */
  const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
    all?.some(({ address }) => address === '::1'),
  );
  const isPossible = (name: string): boolean => hasIpv6 || !CALLERS[name]!.dualStack;
  let dualStackPort: number;
  const listener = createServer((request, response) => {
    server.app.getHttpServer().emit('request', request, response);
  });
  beforeAll(async () => {
    if (!hasIpv6) return;
    await new Promise<void>((resolve) => listener.listen(0, '::', resolve));
    dualStackPort = (listener.address() as AddressInfo).port;
  });
  afterAll(() => new Promise((resolve) => listener.close(resolve)));

  const statusOf = async (name: string): Promise<number> => {
    const { from, forwarded, dualStack = false } = CALLERS[name]!;
    const host = from.includes(':') ? '::1' : '127.0.0.1';
    const port = dualStack ? dualStackPort : server.port;
    const headers: Record<string, string> = {};
    if (forwarded !== undefined) headers['X-Forwarded-For'] = forwarded;
    return (await send(port, '/api/v2', { from, host, headers })).status;
  };

  describe.each(Object.entries(RULES))('%j', (rule, admitted) => {
    beforeAll(async () => {
      await setRule(rule);
      await server.app.get(Notifications).waitUntilDelivered();
    });
    it.each(Object.keys(CALLERS).filter(isPossible))('decides over %s', async (name) => {
      expect(await statusOf(name)).toBe(admitted.includes(name) ? 200 : 403);
    });
  });
});
