import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  PROXIES,
  restartBehindHaproxy,
  restartWithRetries,
  upgradeBehindHaproxy,
} from '../hardening/faults/rolling-restarts.js';
import { type Harness, QUIET, startHarness } from '../hardening/harness.js';
import { haproxyBin } from '../support/haproxy.js';
import { LATER } from '../support/later-migrations.js';

/** Two servers that are restarted or replaced in turn by SIGTERM under calls; `npm run faults` does more of each. */

/** toEqual, because toMatchObject would take any failures for `{}`. */
const WHOLE = {
  failed: {},
  lost: 0,
  doubled: 0,
  calls: expect.any(Number),
  ends: expect.any(Array),
};

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: QUIET });
});
afterAll(() => harness.stop());

const bin = haproxyBin();
if (bin === undefined)
  process.stderr.write('\nSKIPPED: no haproxy (Debian: haproxy) on this machine\n\n');

describe('a rolling restart', () => {
  (bin === undefined ? it.skip : it).each(PROXIES)(
    'loses no POST behind HAProxy with the settings of %s',
    async (settings) => {
      expect(await restartBehindHaproxy(harness, settings, 2)).toEqual(WHOLE);
    },
    120_000,
  );

  it('loses no call of clients that repeat idempotent calls at another address, and makes nothing twice', async () => {
    expect(await restartWithRetries(harness, 2)).toEqual(WHOLE);
  }, 120_000);
});

describe('a rolling upgrade', () => {
  (bin === undefined ? it.skip : it)(
    'loses no call while the schema is migrated, nor while servers of both versions run',
    async () => {
      expect(await upgradeBehindHaproxy(harness, 4_000)).toEqual(WHOLE);
      expect(
        await harness.query('SELECT name FROM migrations ORDER BY id DESC LIMIT $1', [
          LATER.length,
        ]),
      ).toEqual(LATER.map(({ name }) => ({ name })).reverse());
    },
    180_000,
  );
});
