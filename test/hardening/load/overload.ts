import { setTimeout as delay } from 'node:timers/promises';
import { openLoop } from './open-loop.js';
import { QUIET, startHarness, tokenOf } from '../harness.js';
import { measure, type Section } from '../report-row.js';
import { attempt, quantileOf } from '../traffic.js';
import type { ServerProcess } from '../../support/server-process.js';
import { until } from '../../support/until.js';

const PATH = '/api/v2/directory/users?range=0-50';

/** C12: three times the rate that the server can handle. */
export const overload: Section = async ({ scale }, report) => {
  const harness = await startHarness({ env: QUIET });
  try {
    const server = await harness.serve();
    const token = await tokenOf(server.port, 'alice.martin');
    await measure(
      {
        id: 'C12',
        goal: '3× overload at a fixed rate: goodput ≥80 % of the peak, refusals ≤1 s, p99 of answers ≤1 s, back ≤5 s',
      },
      report,
      () => overrun(server, token, Math.max(4, 15 * scale)),
    );
  } finally {
    await harness.stop();
  }
};

async function overrun(server: ServerProcess, token: string, seconds: number) {
  const request = `GET ${PATH} HTTP/1.1\r\nHost: x\r\nX-AUTHENTICATION-KEY: ${token}\r\n\r\n`;
  const good = ({ durations }: { durations: Map<number, number[]> }): number[] =>
    durations.get(200) ?? [];
  await openLoop(server.port, request, 300, 3);
  // The peak is the best of rising rates: from there on, more requests do not get more answers.
  let peak = 0;
  for (let rate = 300; ; rate = Math.ceil(rate * 1.3)) {
    const run = await openLoop(server.port, request, rate, Math.max(2, seconds / 3));
    const done = good(run).length / run.seconds;
    peak = Math.max(peak, done);
    if (done < rate * 0.9 || rate > 20_000) break;
  }
  const over = await openLoop(server.port, request, peak * 3, seconds);
  const back = await until(
    async () => (await attempt(server.port, PATH, { token })).status === 200,
    { within: 10_000 },
  );
  await delay(200);
  const goodput = good(over).length / over.seconds;
  const refused = over.durations.get(503) ?? [];
  const others = [...over.durations.keys()].filter((status) => status !== 200 && status !== 503);
  const p = (values: number[], share: number): string =>
    `${Math.round(quantileOf(values, share))} ms`;
  return {
    figure: `peak ${Math.round(peak)}/s; at ${Math.round(peak * 3)}/s goodput ${Math.round(goodput)}/s (${Math.round((100 * goodput) / peak)} %), 200 p50 ${p(good(over), 0.5)} p99 ${p(good(over), 0.99)}; ${refused.length} refused p50 ${p(refused, 0.5)} p99 ${p(refused, 0.99)} slowest ${p(refused, 1)}; ${over.failed} without answer; back after ${Math.round(back ?? Infinity)} ms (the client takes part of the same two processors)`,
    met:
      goodput >= 0.8 * peak &&
      quantileOf(refused, 1) <= 1_000 &&
      quantileOf(good(over), 0.99) <= 1_000 &&
      others.length === 0 &&
      back !== undefined &&
      back <= 5_000,
  };
}
