import { hash, verify } from '@node-rs/argon2';
import type { BenchServer } from '../support/bench-server.js';
import type { HandWritten } from './hand-written.js';
import { compareAlternately, load, type Requests, type Rounds, type Run } from './load.js';
import { atLeast, ratioResult, type Result } from './result.js';
import { keySignIns, passwordSignIns, removeWritten, userPatches, userPosts } from './workloads.js';

/** Measures creating and changing users: each write is validated, audited and a transaction of its own. */
export async function userWrites(
  server: BenchServer,
  best: HandWritten,
  { seconds, pairs }: Rounds,
): Promise<Result[]> {
  const compare = (requests: Requests) =>
    compareAlternately(
      {
        ours: () => load(server.port, requests, { seconds }),
        other: () => load(best.port, requests, { seconds }),
      },
      pairs,
    );
  const name = 'hand-written with the same writes';
  const results = [
    ratioResult('POST of a user', name, 0.5, await compare(userPosts(server))),
    ratioResult('PATCH of a user', name, 0.5, await compare(await userPatches(server))),
  ];
  await removeWritten(server);
  return results;
}

/** The server's parameters of argon2id. */
export const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Number of passwords that the server verifies concurrently. */
const CONCURRENT = 2;

/** Measures sign-ins by password, compared with argon2 alone, and by API key. */
export async function signIns(
  server: BenchServer,
  password: string,
  { seconds, pairs }: Rounds,
): Promise<Result[]> {
  const stored = await hash(password, ARGON2);
  const argon2Alone = async (): Promise<Run> => {
    const until = performance.now() + seconds * 1_000;
    let evaluated = 0;
    const work = async (): Promise<void> => {
      for (; performance.now() < until; evaluated++) await verify(stored, password, ARGON2);
    };
    await Promise.all(Array.from({ length: CONCURRENT }, work));
    return { rate: evaluated / seconds, p50: NaN, p99: NaN };
  };
  const byPassword = await passwordSignIns(server);
  const ours = () => load(server.port, byPassword, { seconds });
  const comparison = await compareAlternately({ ours, other: argon2Alone }, pairs);
  const results = [ratioResult('sign-in by password', 'argon2 alone', 0.9, comparison)];
  for (const { work, requests, connections } of await keySignIns(server)) {
    await load(server.port, requests, { seconds, connections });
    const { rate, p50, p99 } = await load(server.port, requests, { seconds, connections });
    const name = `${work}, ${connections} connections`;
    results.push(atLeast(name, rate, 3_000, 'a second', `p50 ${p50}, p99 ${p99} ms`));
  }
  return results;
}
