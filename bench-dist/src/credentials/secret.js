import { createHash, randomBytes } from 'node:crypto';
/** 256 bits cannot be guessed, so that a fast hash is enough to keep them. */
const SECRET_BYTES = 32;
/** A new secret as URL-safe text. */
export const makeSecret = (prefix = '') => prefix + randomBytes(SECRET_BYTES).toString('base64url');
/** What the database keeps of a secret. */
export const hashSecret = (secret) => createHash('sha256').update(secret).digest();
//# sourceMappingURL=secret.js.map