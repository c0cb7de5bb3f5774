import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';

/** How an endpoint's messages are signed: HMAC-SHA256 (`v1`) or Ed25519 (`v1a`) of Standard Webhooks 1.0.0. */
export type SignatureKind = 'hmac' | 'ed25519';

/** Bytes of an HMAC secret (24 to 64 are allowed), and of an Ed25519 seed. */
const SECRET_BYTES = 32;

/** DER of a private Ed25519 key up to its seed (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_PREFIX_BYTES = 12;

/** A new secret, and what its receiver needs: the secret itself, or the public key. */
export interface NewSecret {
  secret: Buffer;
  /** `whsec_…`, which signs and verifies, or `whpk_…`, which only verifies. */
  shown: string;
}

export function makeSecret(kind: SignatureKind): NewSecret {
  const secret = randomBytes(SECRET_BYTES);
  return {
    secret,
    shown:
      kind === 'hmac'
        ? `whsec_${secret.toString('base64')}`
        : `whpk_${publicKeyOf(secret).toString('base64')}`,
  };
}

const privateKeyOf = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });

const publicKeyOf = (seed: Buffer): Buffer =>
  createPublicKey(privateKeyOf(seed))
    .export({ format: 'der', type: 'spki' })
    .subarray(SPKI_PREFIX_BYTES);

/** Signs the messages of an endpoint with one secret. */
export type Sign = (content: string) => string;

export function signer(kind: SignatureKind, secret: Buffer): Sign {
  if (kind === 'hmac')
    return (content) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`;
  const key = privateKeyOf(secret);
  return (content) => `v1a,${sign(null, Buffer.from(content), key).toString('base64')}`;
}

/**
 * The headers of one attempt (Standard Webhooks 1.0.0). During a rotation, the old and the new secret sign.
 * @param id the same in all attempts, so that the receiver recognizes repetitions
 * @param seconds the time of this attempt, since 1970
 */
export const webhookHeaders = (
  id: string,
  seconds: number,
  body: string,
  signers: readonly Sign[],
): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(seconds),
  'webhook-signature': signers.map((signed) => signed(`${id}.${seconds}.${body}`)).join(' '),
});
