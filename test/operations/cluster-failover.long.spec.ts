import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClusterCheck, wrongIn } from '../hardening/faults/cluster.js';
import { type ClusteredPortal, startClusteredPortal } from '../support/clustered-portal.js';
import { noClusterBecause } from '../support/patroni-cluster.js';

/** One round each of two faults; `npm run faults:cluster` runs all of them, many times (docs/scaling.md). */

const missing = noClusterBecause();
if (missing !== undefined) process.stderr.write(`\nSKIPPED: no cluster here: ${missing}\n\n`);

(missing === undefined ? describe : describe.skip)(
  'two servers behind HAProxy on three nodes of Patroni',
  () => {
    let portal: ClusteredPortal;
    let check: ClusterCheck;
    beforeAll(async () => {
      portal = await startClusteredPortal();
      check = new ClusterCheck(portal);
    }, 180_000);
    afterAll(() => portal?.stop());

    it.each(['whole node of the primary killed', 'primary cut off from the other nodes'] as const)(
      'lose nothing acknowledged, serve nothing stale, and write again by themselves: %s',
      async (fault) => {
        const result = await check.round(fault);
        expect(wrongIn(result)).toEqual([]);
        expect(result.acknowledged).toBeGreaterThan(0);
        expect(result.away).toBeLessThan(90_000);
      },
      300_000,
    );
  },
);
