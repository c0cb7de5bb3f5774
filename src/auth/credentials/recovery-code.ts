import { Secret } from 'otpauth';
import { hashSecret } from './secret.js';

/** Number of codes that a person gets at once. */
const COUNT = 10;

/** 120 bits: from 112 bits on, a fast hash is enough to store a code (NIST SP 800-63B, look-up secrets). */
const CODE_BYTES = 15;

/** New codes in Base32, as groups of four characters. */
export const makeRecoveryCodes = (): string[] =>
  Array.from({ length: COUNT }, () =>
    new Secret({ size: CODE_BYTES }).base32.match(/.{4}/g)!.join('-'),
  );

/** The hash of a code, however a person groups and capitalizes it. */
export const hashRecoveryCode = (code: string): Buffer =>
  hashSecret(code.replace(/[\s-]/g, '').toUpperCase());
