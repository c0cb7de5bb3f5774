import { hash, randomBytes } from 'node:crypto';

/** 256 bits cannot be guessed, so that a fast hash is enough to keep them. */
const SECRET_BYTES = 32;

/** A new secret as URL-safe text. */
export const makeSecret = (prefix = ''): string =>
  prefix + randomBytes(SECRET_BYTES).toString('base64url');

/** What the database keeps of a secret. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');
