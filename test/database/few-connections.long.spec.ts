import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Harness, startHarness } from '../hardening/harness.js';

describe('a PostgreSQL with max_connections=36', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness({ settings: { max_connections: '36' } });
  });
  afterAll(() => harness.stop());

  it.each([
    // 17 of 33 and 34 of 33: PostgreSQL keeps three for superusers.
    ['1', []],
    [
      '2',
      [
        'max_connections is too small: the 2 processes of this server may open 34 connections, and PostgreSQL leaves them 33; set max_connections to at least 54, and 34 more for each further server, or lower WEB_CONCURRENCY',
      ],
    ],
  ])('warns at the start with WEB_CONCURRENCY=%s as it must', async (WEB_CONCURRENCY, warnings) => {
    const server = await harness.serve({ WEB_CONCURRENCY });
    const lines = server
      .log()
      .split('\n')
      .filter((line) => line.includes('max_connections'))
      .map((line) => (JSON.parse(line) as { level: number; msg: string }).msg);
    await server.stop();
    expect(lines).toEqual(warnings);
  });
});
