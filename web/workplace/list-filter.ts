/** Pause after a keystroke before the page loads a list, in milliseconds. */
export const FILTER_PAUSE = 200;

/** Longest filter text of a list. */
export const MAX_FILTER_TEXT = 128;

/** The first row of a page in the query of an address; 0 without a valid one. */
export function startIn(values: URLSearchParams): number {
  const start = values.get('start') ?? '';
  return /^\d{1,6}$/.test(start) ? Number(start) : 0;
}
