import { createHmac, randomBytes } from 'node:crypto';
import { hashSecret, makeSecret } from './secret.js';

/** The shape of a cookie's value; anything else needs no look-up. */
const SHAPE = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

/**
 * The two secrets in the cookie of a browser session. The first names the session for its whole life. Each renewal
 * replaces the second, which reveals a copied cookie: sooner or later a browser presents a second secret that has been
 * replaced.
 */
export class SessionSecret {
  private constructor(
    private readonly constant: string,
    private readonly rotating: string,
  ) {}

  static make(): SessionSecret {
    return new SessionSecret(makeSecret(), makeSecret());
  }

  /** @returns undefined for a text that no server has issued */
  static parse(text: string): SessionSecret | undefined {
    const [, constant, rotating] = SHAPE.exec(text) ?? [];
    return rotating === undefined ? undefined : new SessionSecret(constant!, rotating);
  }

  /** The hash that finds the session. */
  get hash(): Buffer {
    return hashSecret(this.constant);
  }

  get rotatingHash(): Buffer {
    return hashSecret(this.rotating);
  }

  /**
   * The secret after the next renewal. The database knows the salt and a hash of this secret, neither of which
   * suffices to compute it; the server computes it again for a second tab that presents this secret.
   */
  next(salt: Buffer): SessionSecret {
    const rotating = createHmac('sha256', this.rotating).update(salt).digest('base64url');
    return new SessionSecret(this.constant, rotating);
  }

  /** The value of the cookie. */
  toString(): string {
    return `${this.constant}.${this.rotating}`;
  }
}

/** A salt for `SessionSecret.next`. */
export const makeSalt = (): Buffer => randomBytes(16);
