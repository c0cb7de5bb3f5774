import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** Length of a secret in bytes: that of the hash (RFC 4226 section 4, R6). */
const SECRET_BYTES = 20;

/** What every authenticator app supports (RFC 6238): SHA-1, six digits, 30 seconds. */
const USUAL = { algorithm: 'SHA1', digits: 6, period: 30 };

/** Number of time steps by which the clocks of server and app may differ (RFC 6238 section 5.2). */
const MAX_DRIFT = 1;

/** The shape of a time-based code. */
export const isTimeBasedCode = (text: string): boolean => /^\d{6}$/.test(text);

export const makeCodeSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** A secret as an authenticator app takes it. */
export interface CodeSecret {
  /** In Base32, for people who type it. */
  secret: string;
  /** The same as an `otpauth` URI, which a page shows as a QR code. */
  uri: string;
}

/** @param issuer the name of this server, by which the app tells accounts apart */
export function presentSecret(secret: Buffer, issuer: string, login: string): CodeSecret {
  const app = new TOTP({ ...USUAL, issuer, label: login, secret: secretOf(secret) });
  return { secret: app.secret.base32, uri: app.toString() };
}

/**
 * The number of the time step that a code belongs to.
 * @param now in milliseconds since 1970
 * @returns undefined for a code that is wrong at that time
 */
export function stepOf(code: string, secret: Buffer, now = Date.now()): number | undefined {
  const { digits, period, algorithm } = USUAL;
  const given = { token: code, secret: secretOf(secret), digits, period, algorithm };
  const drift = TOTP.validate({ ...given, timestamp: now, window: MAX_DRIFT });
  return drift === null ? undefined : TOTP.counter({ period, timestamp: now }) + drift;
}

const secretOf = (bytes: Buffer): Secret => new Secret({ buffer: new Uint8Array(bytes).buffer });
