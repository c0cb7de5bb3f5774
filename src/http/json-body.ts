import { type ApiError, invalidField } from '../base/errors/api-errors.js';
import { findDuplicateKey } from './duplicate-json-keys.js';
import { strictUtf8 } from './strict-utf8.js';
import { type Reason, reason } from '../base/errors/reason.js';

/** Deepest nesting of a body; deeper bodies overflow the validators' stack. */
const MAX_DEPTH = 32;
const MAX_KEYS = 200;
export const MAX_ITEMS = 1000;

/**
 * Most values of a body: objects, arrays, texts, numbers, booleans and nulls. Two bytes can make one of 50, and each is
 * visited several times.
 */
const MAX_VALUES = 100_000;

const utf8 = strictUtf8();

/**
 * Parses a JSON body, and checks its depth, sizes, characters and names (docs/api-contract.md#limits).
 * @returns undefined for a body of no characters
 * @throws ApiError 400
 */
export function parseJson(bytes: Buffer): unknown {
  if (hasTooManyValues(bytes))
    throw invalidField('body', reason('too-many-values', { max: MAX_VALUES.toLocaleString('en') }));
  const text = decode(bytes);
  if (text === '') return undefined;
  const value = parse(text);
  const fault = faultOf(value, 1, 'body');
  if (fault) throw fault;
  const repeated = findDuplicateKey(text, value);
  if (repeated !== undefined) throw invalidField(repeated, reason('given-twice'));
  return value;
}

/** The parser's own message quotes the body, which may hold a password. */
export const notJson = (): ApiError => invalidField('body', reason('not-json'));

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw notJson();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);
const WHITE_SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Counts the values before parsing: one follows each comma, and each bracket that is not closed at once. */
function hasTooManyValues(bytes: Buffer): boolean {
  // With its comma each value takes two bytes.
  if (bytes.length <= 2 * MAX_VALUES) return false;
  let values = 1;
  let isOpened = false;
  for (let at = 0; at < bytes.length && values <= MAX_VALUES; at++) {
    const byte = bytes[at]!;
    if (WHITE_SPACE.has(byte)) continue;
    if (isOpened && !CLOSING.has(byte)) values++;
    isOpened = OPENING.has(byte);
    if (byte === COMMA) values++;
    else if (byte === QUOTE) at = endOfString(bytes, at);
  }
  return values > MAX_VALUES;
}

function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  for (; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
  return at;
}

/** The form of an attribute's name. An answer repeats no other keys. */
const ATTRIBUTE = /^[a-z]\w{0,49}$/i;

/**
 * The fault of a value, before any validator sees it.
 * @param name of the attribute that it belongs to
 */
function faultOf(value: unknown, depth: number, name: string): ApiError | undefined {
  if (typeof value === 'string') return faultIn(name, validateText(value));
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > MAX_DEPTH) return invalidField('body', reason('body-too-deep', { max: MAX_DEPTH }));
  if (!Array.isArray(value)) return faultOfObject(value as Record<string, unknown>, depth, name);
  if (value.length > MAX_ITEMS)
    return invalidField('body', reason('array-too-long', { max: MAX_ITEMS }));
  for (const item of value) {
    const fault = faultOf(item, depth + 1, name);
    if (fault) return fault;
  }
  return undefined;
}

function faultOfObject(
  object: Record<string, unknown>,
  depth: number,
  name: string,
): ApiError | undefined {
  const keys = Object.keys(object);
  if (keys.length > MAX_KEYS)
    return invalidField('body', reason('too-many-attributes', { max: MAX_KEYS }));
  for (const key of keys) {
    const fault =
      faultIn('body', validateText(key)) ??
      faultOf(object[key], depth + 1, ATTRIBUTE.test(key) ? key : name);
    if (fault) return fault;
  }
  return undefined;
}

const faultIn = (name: string, why: Reason | undefined): ApiError | undefined =>
  why === undefined ? undefined : invalidField(name, why);

/** Rejects NUL and lone surrogates, because PostgreSQL cannot store them and the server never alters input silently. */
export function validateText(text: string): Reason | undefined {
  if (text.includes('\0')) return reason('nul-character');
  return text.isWellFormed() ? undefined : reason('lone-surrogate');
}
