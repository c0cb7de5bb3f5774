import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a person may take to answer a challenge, in milliseconds. */
export const CHALLENGE_LIFETIME = 300_000;

const TIME_BYTES = 8;
const NONCE_BYTES = 16;

/**
 * A challenge (WebAuthn section 13.4.3): its expiration and a nonce, signed for one purpose, so that the server stores none
 * before it is answered.
 * @param secret that of the database, which all instances share
 */
export function makeChallenge(secret: Buffer, purpose: string): Buffer {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeBigUInt64BE(BigInt(Date.now() + CHALLENGE_LIFETIME));
  const content = Buffer.concat([time, randomBytes(NONCE_BYTES)]);
  return Buffer.concat([content, sign(secret, purpose, content)]);
}

/** When a challenge expires; undefined when it has expired, or no server of this database made it for this purpose. */
export function expirationOf(secret: Buffer, purpose: string, challenge: Buffer): Date | undefined {
  const content = challenge.subarray(0, TIME_BYTES + NONCE_BYTES);
  const [given, expected] = [challenge.subarray(content.length), sign(secret, purpose, content)];
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const expiration = Number(content.readBigUInt64BE());
  return expiration > Date.now() ? new Date(expiration) : undefined;
}

const sign = (secret: Buffer, purpose: string, content: Buffer): Buffer =>
  createHmac('sha256', secret).update(`${purpose}\n`).update(content).digest();
