import { describe, expect, it } from '@jest/globals';
import { failOverCluster } from '../hardening/faults/cluster-failover.js';
import { postgresBin } from '../support/debian-postgres.js';
import { haproxyBin } from '../support/haproxy.js';

/** Runs one round; `npm run faults:cluster` runs ten (docs/scaling.md). */

const [bin, haproxy] = [postgresBin(), haproxyBin()];
if (bin === undefined || haproxy === undefined)
  process.stderr.write(
    `\nSKIPPED: no ${bin === undefined ? 'pg_basebackup (Debian: postgresql)' : 'haproxy (Debian: haproxy)'} on this machine\n\n`,
  );

(bin === undefined || haproxy === undefined ? describe.skip : describe)(
  'two servers behind HAProxy on a primary and its synchronous standby',
  () => {
    it('lose nothing acknowledged when the primary is killed and the standby promoted', async () => {
      const [result] = await failOverCluster(bin!, haproxy!, 1);
      const { acknowledged, lost, partial, feed, back, outcomes, tokens } = result!;
      expect({ lost, partial, feed, tokens }).toEqual({
        lost: 0,
        partial: 0,
        feed: [],
        tokens: [200, 200],
      });
      expect(acknowledged).toBeGreaterThan(0);
      expect(back).toBeDefined();
      const statuses = new Set(outcomes.map(({ status }) => status));
      expect([...statuses].sort()).toEqual([200, 201, 503]);
    }, 240_000);
  },
);
