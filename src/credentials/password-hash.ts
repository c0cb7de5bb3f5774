import { setTimeout as delay } from 'node:timers/promises';
import { hash, verify } from '@node-rs/argon2';
import { ConcurrencyLimiter } from '../concurrency/limiter.js';

/** argon2id with the parameters of OWASP ASVS 5, appendix C. The enum of the package is const. */
const ARGON2ID = 2;
const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Evaluations that run at once: so few that reads are not starved. */
export const HASHES_AT_ONCE = 2;

/** Evaluations that wait for one of these slots; a further one is answered 503 at once. */
const MAX_WAITING = 64;

/** How long an evaluation waits at most (milliseconds): as long as a request may take. */
const QUEUE_TIMEOUT = 10_000;

/**
 * Evaluations for one account within a session, and how long one waits for the others (milliseconds):
 * a person needs one at a time, and more only occupy the places of other people.
 */
export const ONE_AT_A_TIME = { maxConcurrent: 1, maxQueued: 8, queueTimeout: 5_000 };

const limiter = new ConcurrencyLimiter({
  maxConcurrent: HASHES_AT_ONCE,
  maxQueued: MAX_WAITING,
  queueTimeout: QUEUE_TIMEOUT,
});

/** Evaluations of argon2 by this process since it started, and how long the last one took. */
export const hashing = { evaluations: 0, lastDuration: 20 };

/** Evaluations that wait for their turn. */
export const hashesWaiting = (): number => limiter.waitingCount;

/** @throws ApiError 503 when too many wait, or when the wait times out */
function evaluate<T>(work: () => Promise<T>): Promise<T> {
  return limiter.run(async () => {
    const started = performance.now();
    hashing.evaluations++;
    const result = await work();
    hashing.lastDuration = performance.now() - started;
    return result;
  });
}

/** Compatibility forms of a password are one password (NIST SP 800-63B). */
const normalized = (password: string): string => password.normalize('NFKC');

export const hashPassword = async (password: string): Promise<string> =>
  evaluate(() => hash(normalized(password), OPTIONS));

/** A hash that no password has, so that an account without one takes as long as any other. */
let dummyHash: Promise<string> | undefined;

/**
 * Whether a password has this hash. Without a hash it is compared with a decoy and refused, so that
 * the time does not tell whether there is an account.
 * @throws ApiError 503 when too many wait
 */
export async function verifyPassword(
  stored: string | undefined,
  password: string,
): Promise<boolean> {
  dummyHash ??= hashPassword(crypto.randomUUID());
  const compared = stored ?? (await dummyHash);
  const matches = await evaluate(() => verify(compared, normalized(password)));
  return matches && stored !== undefined;
}

/** Takes as long as an evaluation takes, without one: for accounts that may not be tried. */
export const simulateVerify = (): Promise<void> => delay(hashing.lastDuration);

/** Computes the decoy before the first sign-in, which would otherwise take twice as long. */
export async function prepareDummyHash(): Promise<void> {
  await verifyPassword(undefined, '');
}
