import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const me = async (token: string) =>
  `/api/v2${(await server.call('/api/v2/authentication', { token })).body.user.uri as string}`;
const patch = (path: string, token: string, value: string) =>
  server.call(path, {
    method: 'PATCH',
    token,
    body: [{ op: 'replace', path: '/nickName', value }],
  });

describe('the writes of one person', () => {
  it('are limited to sixty at once, which then refill; reads and signing out are not', async () => {
    const token = await server.signIn('bruno.keller');
    const path = await me(token);
    const statuses: number[] = [];
    let refused;
    // One write is refilled per second: fewer than thirty while these are sent.
    for (let at = 0; at < 90; at++) {
      const answer = await patch(path, token, `n${at}`);
      statuses.push(answer.status);
      if (answer.status === 429) refused = answer;
    }
    expect(statuses.slice(0, 60)).toEqual(Array(60).fill(200));
    expect(refused?.body).toEqual({
      code: 429,
      message:
        'Too many requests: an account may write 60 times at once, and as many times in each further minute',
    });
    expect(refused?.headers['retry-after']).toBe('1');
    expect((await server.call(path, { token })).status).toBe(200);
    const chloe = await server.signIn('chloe.lefevre');
    expect((await patch(await me(chloe), chloe, 'n')).status).toBe(200);
    const signedOut = await server.call('/api/v2/authentication', { method: 'DELETE', token });
    expect(signedOut.status).toBe(204);
  });

  it('are as many as the tasks that a bulk call names; a full allowance admits a hundred, and owes the rest', async () => {
    const token = await server.signIn('sophie.bohm');
    const path = await me(token);
    const act = (count: number) =>
      server.call('/api/v2/process/tasks/bulk', {
        method: 'POST',
        token,
        body: { action: 'claim', tasks: Array.from({ length: count }, (_, at) => `NO-${at}`) },
      });
    const refusal = {
      code: 429,
      message:
        'Too many requests: an account may write 60 times at once, and as many times in each further minute',
    };
    // More than a full allowance: forty writes are owed, and another write waits for these, less what is refilled meanwhile.
    const all = await act(100);
    expect([all.status, all.body]).toEqual([200, Array(100).fill(expect.any(Object))]);
    const owing = await patch(path, token, 'n');
    expect([owing.status, owing.body]).toEqual([429, refusal]);
    expect(Number(owing.headers['retry-after'])).toBeGreaterThan(20);
    expect(Number(owing.headers['retry-after'])).toBeLessThanOrEqual(41);
    // A minute and more later it is full again.
    const { performance } = globalThis;
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 120_000);
    try {
      expect((await act(50)).status).toBe(200);
      const uncovered = await act(50);
      expect([uncovered.status, uncovered.body]).toEqual([429, refusal]);
      expect(Number(uncovered.headers['retry-after'])).toBeGreaterThan(10);
      // What was refused costs nothing; a body that is refused later costs one.
      expect((await act(3)).status).toBe(200);
      expect((await act(0)).status).toBe(400);
    } finally {
      clock.mockRestore();
    }
  });

  it('are as many as the server parameter says; administrators are not limited', async () => {
    await server.database.query(
      `INSERT INTO parameters (key, value) VALUES ('security.Throttle.writes', '10')`,
    );
    const admin = await server.signIn('alice.martin');
    const person = await server.signIn('sophie.bohm');
    const path = await me(person);
    await eventually(async () => {
      for (let at = 0; at < 12; at++) await patch(path, person, `n${at}`);
      expect((await patch(path, person, 'last')).status).toBe(429);
    });
    for (let at = 0; at < 70; at++) expect((await patch(path, admin, `a${at}`)).status).toBe(200);
  });
});
