import { type BenchServer, residentMegabytes } from '../support/bench-server.js';
import { load } from './load.js';
import { atMost, type Result } from './result.js';
import { mixedReads } from './workloads.js';

/** Measures the server's memory over an amount of mixed requests. */
export async function memory(server: BenchServer, amount: number): Promise<Result[]> {
  const mix = mixedReads(server);
  // Warm up first: growth from here on would never end.
  await load(server.port, mix, { amount: Math.ceil(amount * 0.1) });
  const before = residentMegabytes(server.pid);
  await load(server.port, mix, { amount });
  const after = residentMegabytes(server.pid);
  const growth = ((after - before) * 100_000) / amount;
  return [
    atMost(`memory after ${amount.toLocaleString('en')} requests`, after, 250, 'MB'),
    atMost('growth of memory', Math.max(growth, 0), 1, 'MB per 100,000 requests'),
  ];
}
