import { reason } from '../../base/errors/reason.js';

/**
 * A page of a list: the zero-based index of its first item, and its number of items
 * (docs/api-contract.md#range).
 */
export interface Range {
  start: number;
  count: number;
}

/** The default and the maximum number of items on a page (docs/api-contract.md#limits). */
export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 500;

export const RANGE_RULE = reason('bad-range', { max: MAX_PAGE_SIZE });

/** Parses `25-25`; undefined when the text is no range. Never clamps: a client would lose rows. */
export function parseRange(text: string): Range | undefined {
  const match = /^(\d{1,10})-(\d{1,4})$/.exec(text);
  if (!match) return undefined;
  const [start, count] = [Number(match[1]), Number(match[2])];
  return count >= 1 && count <= MAX_PAGE_SIZE ? { start, count } : undefined;
}
