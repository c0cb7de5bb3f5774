import { median } from 'simple-statistics';
import type { BenchServer } from '../support/bench-server.js';
import { gets, load, type Rounds } from './load.js';
import { atMost, rate, type Result, spreadOf } from './result.js';
import { LIST_READS } from './workloads.js';

/** Compares the same reads on few users and on many, alternately. */
export async function growth(
  few: BenchServer,
  many: BenchServer,
  { seconds, pairs }: Rounds,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [work, path] of Object.entries(LIST_READS)) {
    const run = async ({ port, token }: BenchServer): Promise<number> =>
      (await load(port, gets([path], token), { seconds })).rate;
    const rates: { few: number[]; many: number[] } = { few: [], many: [] };
    for (let pair = -1; pair < pairs; pair++) {
      const [small, large] = [await run(few), await run(many)];
      if (pair < 0) continue;
      rates.few.push(small);
      rates.many.push(large);
    }
    const ratios = rates.few.map((small, pair) => small / rates.many[pair]!);
    const figures = `${rate(median(rates.few))} and ${rate(median(rates.many))} a second`;
    const more = `${spreadOf(ratios)}; ${figures}`;
    results.push(atMost(`growth: ${work}`, median(ratios), 1.5, 'times', more));
  }
  return results;
}
