import { median } from 'simple-statistics';
import type { BenchServer } from '../support/bench-server.js';
import { costOfCall } from './costs.js';
import { checkSame, type HandWritten, startHandWritten } from './hand-written.js';
import { compareAlternately, load, type Requests, type Rounds } from './load.js';
import { ratioResult, type Result, withoutGoal } from './result.js';
import * as workloads from './workloads.js';

const PLAIN = 'hand-written, pg as it comes';
const BEST = 'the best hand-written';

/** Compares the server with another whose answers are byte-identical. */
async function against(
  work: string,
  goal: number,
  [server, other, name]: [BenchServer, HandWritten, string],
  requests: Requests,
  { seconds, pairs }: Rounds,
): Promise<Result> {
  for (const { path } of requests.slice(0, 3)) await checkSame(server, other, path!);
  const comparison = await compareAlternately(
    {
      ours: () => load(server.port, requests, { seconds }),
      other: () => load(other.port, requests, { seconds }),
    },
    pairs,
  );
  return ratioResult(work, name, goal, comparison);
}

/** Compares the server with hand-written ones: pages of users, one user, a constant, a search. */
export async function mainReads(
  server: BenchServer,
  { plain, best }: { plain: HandWritten; best: HandWritten },
  rounds: Rounds,
): Promise<Result[]> {
  const pages = workloads.pages(server);
  const constant = workloads.constant(server);
  const singleUsers = await workloads.singleUsers(server);
  const searches = workloads.searches(server);
  const nest = await startHandWritten('nest-server.js');
  try {
    return [
      await against('page of 50 users', 1, [server, plain, PLAIN], pages, rounds),
      await against('page of 50 users', 0.85, [server, best, BEST], pages, rounds),
      await against('a constant', 0.75, [server, nest, "NestJS's own"], constant, rounds),
      await against('one user, detailed', 0.45, [server, best, BEST], singleUsers, rounds),
      await against('search, page of 20', 0.8, [server, best, BEST], searches, rounds),
    ];
  } finally {
    await nest.stop();
  }
}

/** The hand-written server reads the database each time. The more statements memory saves, the more it wins. */
const GOALS: Record<string, number> = { 'whole workplace': 5 };

/** Compares the reads with which a portal shows people their tiles. */
export async function navigationReads(
  server: BenchServer,
  best: HandWritten,
  rounds: Rounds,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [work, requests] of Object.entries(await workloads.navigationReads(server)))
    results.push(
      await against(work, GOALS[work] ?? 1.5, [server, best, BEST], requests, rounds),
      await costAgainst(work, [server, best], requests, rounds),
    );
  return results;
}

/** Compares what a call costs the server and PostgreSQL with what it costs a hand-written one and PostgreSQL. */
async function costAgainst(
  work: string,
  [server, other]: [BenchServer, HandWritten],
  requests: Requests,
  { seconds, pairs }: Rounds,
): Promise<Result> {
  const costs: { ours: number; theirs: number }[] = [];
  for (let pair = 0; pair < pairs; pair++)
    costs.push({
      ours: await costOfCall(server, server, requests, seconds),
      theirs: await costOfCall(server, other, requests, seconds),
    });
  const [ours, theirs] = [
    median(costs.map((cost) => cost.ours)),
    median(costs.map((cost) => cost.theirs)),
  ];
  return withoutGoal(
    `${work}, calls for the same processor time`,
    theirs / ours,
    `of ${BEST}`,
    `${ours.toFixed(3)} ms of server and PostgreSQL against ${theirs.toFixed(3)} ms`,
  );
}
