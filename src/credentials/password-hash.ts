import { hash, verify } from '@node-rs/argon2';

/** argon2id with the parameters of OWASP ASVS 5, appendix C. The enum of the package is const. */
const ARGON2ID = 2;
const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Compatibility forms of a password are one password (NIST SP 800-63B). */
const normalized = (password: string): string => password.normalize('NFKC');

export const hashPassword = (password: string): Promise<string> =>
  hash(normalized(password), OPTIONS);

/** A hash that no password has, so that an account without one takes as long as any other. */
let decoy: Promise<string> | undefined;

/**
 * Whether a password has this hash. Without a hash it is compared with a decoy and refused, so that
 * the time does not tell whether there is an account.
 */
export async function verifyPassword(
  stored: string | undefined,
  password: string,
): Promise<boolean> {
  decoy ??= hashPassword(crypto.randomUUID());
  const matches = await verify(stored ?? (await decoy), normalized(password));
  return matches && stored !== undefined;
}

/** Computes the decoy before the first sign-in, which would otherwise take twice as long. */
export async function prepareDecoy(): Promise<void> {
  await verifyPassword(undefined, '');
}
