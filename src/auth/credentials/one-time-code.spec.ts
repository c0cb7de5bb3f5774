import { describe, expect, it } from '@jest/globals';
import { stepOf } from './one-time-code.js';

/** RFC 6238 appendix B, SHA-1: the time in seconds and the last six digits of its code. */
const VECTORS: [number, string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
];
const SECRET = Buffer.from('12345678901234567890');
const PERIOD = 30;

describe('stepOf', () => {
  it.each(VECTORS)('knows the code of RFC 6238 at %i seconds', (seconds, code) => {
    expect(stepOf(code, SECRET, seconds * 1000)).toBe(Math.floor(seconds / PERIOD));
  });

  it.each([
    [-2, false],
    [-1, true],
    [1, true],
    [2, false],
  ])('takes a clock that is %i time steps off: %s', (steps, isTaken) => {
    const [seconds, code] = VECTORS[3]!;
    const step = stepOf(code, SECRET, (seconds + steps * PERIOD) * 1000);
    expect(step).toBe(isTaken ? Math.floor(seconds / PERIOD) : undefined);
  });
});
