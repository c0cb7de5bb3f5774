import { setTimeout as delay } from 'node:timers/promises';
import { hash, verify } from '@node-rs/argon2';
import { ConcurrencyLimiter } from '../../base/concurrency/limiter.js';

/** argon2id with the parameters of OWASP ASVS 5, appendix C. The enum of the package is const. */
const ARGON2ID = 2;
const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Maximum number of concurrent evaluations; more would starve reads. */
export const HASHES_AT_ONCE = 2;

/** Maximum number of waiting evaluations; a further one gets a 503 immediately. */
const MAX_WAITING = 64;

/** Maximum time that an evaluation waits, in milliseconds: the time limit of a request. */
const QUEUE_TIMEOUT = 10_000;

/**
 * Limits of the evaluations for one account within a session, with the maximum wait in milliseconds. A person
 * needs one at a time; more would only fill the queue of others.
 */
export const ONE_AT_A_TIME = { maxConcurrent: 1, maxQueued: 8, queueTimeout: 5_000 };

const limiter = new ConcurrencyLimiter({
  maxConcurrent: HASHES_AT_ONCE,
  maxQueued: MAX_WAITING,
  queueTimeout: QUEUE_TIMEOUT,
});

/** Number of argon2 evaluations of this process since its start, and the duration of the last one in milliseconds. */
export const hashing = { evaluations: 0, lastDuration: 20 };

/** Number of evaluations that wait. */
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

/** Compatibility forms of a character count as the same character (NIST SP 800-63B). */
const normalized = (password: string): string => password.normalize('NFKC');

export const hashPassword = async (password: string): Promise<string> =>
  evaluate(() => hash(normalized(password), OPTIONS));

/** The decoy: a hash of a random password, so that an account without one takes as long as any other. */
let dummyHash: Promise<string> | undefined;

/**
 * Whether a password has this hash. Without a hash it compares the password with a decoy and returns false,
 * so that the time does not reveal whether the account exists.
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

/** Waits as long as an evaluation takes, without one: for locked accounts. */
export const simulateVerify = (): Promise<void> => delay(hashing.lastDuration);

/** Computes the decoy before the first sign-in, which would otherwise take twice as long. */
export async function prepareDummyHash(): Promise<void> {
  await verifyPassword(undefined, '');
}
