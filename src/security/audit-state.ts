import { createHash } from 'node:crypto';

/** A state up to this size, in bytes of JSON, is kept as it is. */
const SMALL_STATE = 1024;

/** Longest text of a larger state, in characters; of more, the beginning and a digest are kept. */
const MAX_TEXT = 200;

/** Largest state, in bytes of JSON. */
const MAX_STATE = 4 * 1024;

/**
 * What a line of the audit trail keeps of an object before or after a change: JSON of at most 4 KiB.
 * Nobody can empty the trail, so nobody may fill it with long texts. A text that is cut keeps its
 * beginning, its length and its SHA-256, by which a copy of it can be recognized. Where cutting texts
 * does not suffice, large attributes are cut as JSON, and in the end the whole state.
 */
export function presentState(state: unknown): string {
  const json = JSON.stringify(state);
  if (fits(json, SMALL_STATE)) return json;
  const short = JSON.parse(json, (_name, value: unknown) =>
    typeof value === 'string' ? cut(value) : value,
  ) as object;
  const candidates = [short, withCutAttributes(short)].map((value) => JSON.stringify(value));
  return (
    candidates.find((candidate) => fits(candidate, MAX_STATE)) ?? JSON.stringify({ cut: cut(json) })
  );
}

const fits = (json: string, bytes: number): boolean => Buffer.byteLength(json) <= bytes;

function withCutAttributes(state: object): Record<string, unknown> {
  const attributes = Object.entries(state).map(([name, value]: [string, unknown]) => {
    const json = JSON.stringify(value);
    return [name, typeof value !== 'string' && json.length > MAX_TEXT ? cut(json) : value];
  });
  return Object.fromEntries(attributes) as Record<string, unknown>;
}

function cut(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  // Half of a surrogate pair is no text to the database.
  const beginning = text.slice(0, MAX_TEXT).replace(/[\uD800-\uDBFF]$/, '');
  const digest = createHash('sha256').update(text).digest('hex');
  return `${beginning}… (${text.length} characters, SHA-256 ${digest})`;
}
