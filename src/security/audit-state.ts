import { createHash } from 'node:crypto';

/** Maximum size of a state that is kept unchanged, in bytes of JSON. */
const SMALL_STATE = 1024;

/** Maximum length of a text in a larger state, in characters; a longer one is cut. */
const MAX_TEXT = 200;

/** Maximum size of a state, in bytes of JSON. */
const MAX_STATE = 4 * 1024;

/**
 * The state of an object before or after a change, as the audit trail stores it: JSON of at most 4 KiB. The trail
 * cannot be emptied, so long texts must not fill it. A cut text keeps its beginning, its length and its SHA-256, which
 * identifies a copy of it. If cutting texts is not enough, large attributes are cut as JSON, and finally the whole
 * state.
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
  // The database does not accept half of a surrogate pair.
  const beginning = text.slice(0, MAX_TEXT).replace(/[\uD800-\uDBFF]$/, '');
  const digest = createHash('sha256').update(text).digest('hex');
  return `${beginning}… (${text.length} characters, SHA-256 ${digest})`;
}
