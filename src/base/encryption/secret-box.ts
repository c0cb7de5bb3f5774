import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_BYTES = 4;

/**
 * Encrypts secrets before the database stores them (AES-256-GCM). A copy of the database reveals no secret without the
 * key in the environment. The first key encrypts; the others only decrypt, so that operators can rotate the key.
 */
export class SecretBox {
  private readonly keys: Map<string, Buffer>;
  private readonly current: { id: Buffer; key: Buffer } | undefined;

  /** @param texts the keys of SECRETS_KEY */
  constructor(texts: readonly string[]) {
    const keys = texts.map((text) => {
      const key = hash('sha256', `process-platform secrets\n${text}`, 'buffer');
      return { id: hash('sha256', key, 'buffer').subarray(0, KEY_ID_BYTES), key };
    });
    [this.current] = keys;
    this.keys = new Map(keys.map(({ id, key }) => [id.toString('hex'), key]));
  }

  /** Whether there is a key. */
  get isOpen(): boolean {
    return this.current !== undefined;
  }

  /** @param owner the owner of the secret; a sealed secret cannot be opened for another owner */
  seal(secret: Buffer, owner: string): Buffer {
    const { id, key } = this.current!;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
    const text = Buffer.concat([cipher.update(secret), cipher.final()]);
    return Buffer.concat([id, nonce, cipher.getAuthTag(), text]);
  }

  /** @returns undefined when no key opens it or it is damaged */
  open(sealed: Buffer, owner: string): Buffer | undefined {
    const key = this.keys.get(sealed.subarray(0, KEY_ID_BYTES).toString('hex'));
    if (!key) return undefined;
    let at = KEY_ID_BYTES;
    const take = (bytes: number): Buffer => sealed.subarray(at, (at += bytes));
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, take(NONCE_BYTES));
      decipher.setAAD(Buffer.from(owner)).setAuthTag(take(TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(at)), decipher.final()]);
    } catch {
      return undefined;
    }
  }
}
