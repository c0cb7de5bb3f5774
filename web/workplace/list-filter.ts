/** Rest after a keystroke before a list is asked for, in milliseconds. */
export const FILTER_PAUSE = 200;

/** Longest text that lists are filtered by. */
export const MAX_FILTER_TEXT = 128;

/** The first row of a page in the query of an address; 0 where it has none that is valid. */
export function startIn(values: URLSearchParams): number {
  const start = values.get('start') ?? '';
  return /^\d{1,6}$/.test(start) ? Number(start) : 0;
}
