import type { Position } from '../journal/position.js';

/** Longest text of a position: a cursor holds two, and a query parameter has at most 2,048 characters. */
const MAX_TEXT = 500;

const RADIX = 36;
const SEPARATOR = '.';

/**
 * The text of a position: `next`, then the distance of each transaction in progress from the one before, which keeps
 * the text of many transactions short.
 */
export function formatPosition({ next, inProgress }: Position): string {
  let above = BigInt(next);
  const steps = descending(inProgress).map((xid) => {
    const step = above - xid;
    above = xid;
    return step.toString(RADIX);
  });
  return [BigInt(next).toString(RADIX), ...steps].join(SEPARATOR);
}

/** Parses a text of `formatPosition`. */
export function parsePosition(text: string): Position {
  const [next = 0n, ...steps] = text.split(SEPARATOR).map(readNumber);
  let xid = next;
  return { next: String(next), inProgress: steps.map((step) => String((xid -= step))) };
}

/**
 * The latest position up to this one whose text is short enough. With hundreds of transactions in progress, it lies
 * before the youngest of them. The changes of these and of later transactions then follow from the next position on.
 */
export function withShortText(position: Position): Position {
  let { next } = position;
  let inProgress = descending(position.inProgress);
  while (formatPosition({ next, inProgress: inProgress.map(String) }).length > MAX_TEXT) {
    const [youngest, ...others] = inProgress;
    next = String(youngest);
    inProgress = others;
  }
  return { next, inProgress: inProgress.map(String) };
}

const descending = (xids: string[]): bigint[] =>
  xids.map(BigInt).sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));

/** Every number of a position has fewer than 64 bits. */
function readNumber(text: string): bigint {
  return [...text].reduce(
    (value, digit) => value * BigInt(RADIX) + BigInt(parseInt(digit, RADIX)),
    0n,
  );
}
