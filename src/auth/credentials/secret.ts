import { hash, randomBytes } from 'node:crypto';

/** Guessing 256 bits is infeasible, so a fast hash is enough to store them. */
const SECRET_BYTES = 32;

/** Generates a secret as URL-safe text. */
export const makeSecret = (prefix = ''): string =>
  prefix + randomBytes(SECRET_BYTES).toString('base64url');

/** The hash of a secret, which the database stores. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');
