import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ApiError } from '../errors/api-errors.js';
import { applyPatch } from './apply-patch.js';
import { type OperationName, parsePatch } from './parse-patch.js';

/** Compares random patches of random documents with a minimal reference implementation of RFC 6902. */

const RUNS = Number(process.env.PROPERTY_RUNS ?? 3_000);

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
interface Operation {
  op: OperationName;
  path: string;
  from: string;
  value: Json;
}
type Outcome = { document: Json } | { status: number };

const NAMES = ['a', 'b', '0', '1', '-', '', 'c/d', 'e~f', '~1', 'length'];
const { value: anyJson } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<Json>(null, true, false, 0, 1, '', 'x', 'y'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const anyDocument = fc.dictionary(fc.constantFrom(...NAMES), anyJson, {
  minKeys: 1,
  maxKeys: 5,
  noNullPrototype: true,
});

const isContainer = (value: Json | undefined): value is Json[] | Record<string, Json> =>
  typeof value === 'object' && value !== null;
const written = (tokens: string[]): string =>
  tokens.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
const read = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

/** All locations of a document. */
const locationsOf = (value: Json): string[][] => [
  [],
  ...(isContainer(value)
    ? Object.entries(value).flatMap(([name, child]) =>
        locationsOf(child).map((rest) => [name, ...rest]),
      )
    : []),
];

/** Mostly an existing location of the document, sometimes a location beside or below one. */
const pointerInto = (document: Json): fc.Arbitrary<string> => {
  const there = fc.constantFrom(...locationsOf(document));
  const token = fc.constantFrom(...NAMES, '2', '00', 'unknown');
  return fc.oneof(
    { weight: 4, arbitrary: there.map(written) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(there, token)
        .map(([tokens, last]) => written([...tokens.slice(0, -1), last])),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(there, token).map(([tokens, last]) => written([...tokens, last])),
    },
  );
};

const anyPatch = anyDocument.chain((document) => {
  const pointer = pointerInto(document);
  const operation: fc.Arbitrary<Operation> = fc.record({
    op: fc.constantFrom<OperationName>('add', 'remove', 'replace', 'move', 'copy', 'test'),
    path: pointer,
    from: pointer,
    value: anyJson,
  });
  // A test that succeeds, so that the patch continues after it.
  const holding = fc.constantFrom(...locationsOf(document)).map<Operation>((tokens) => ({
    op: 'test',
    path: written(tokens),
    from: '',
    value: valueAt(document, tokens)!,
  }));
  const operations = fc.array(
    fc.oneof({ weight: 5, arbitrary: operation }, { weight: 1, arbitrary: holding }),
    { maxLength: 6 },
  );
  return fc.record({ document: fc.constant(document), operations });
});

class Refused extends Error {
  constructor(readonly status: number) {
    super(`refused with ${status}`);
  }
}
function refuse(status: number): never {
  throw new Refused(status);
}

/** The child of a value, or undefined. */
function child(value: Json | undefined, token: string): Json | undefined {
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
  return isContainer(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}
const valueAt = (document: Json, tokens: string[]): Json | undefined =>
  tokens.reduce<Json | undefined>(child, document);
const needed = (document: Json, tokens: string[]): Json =>
  valueAt(document, tokens) ?? (valueAt(document, tokens) === null ? null : refuse(400));

/** A copy of the value with one child changed; it shares everything else. */
function withChild(parent: Json, token: string, changed: Json): Json {
  return Array.isArray(parent)
    ? parent.with(Number(token), changed)
    : { ...(parent as Record<string, Json>), [token]: changed };
}
function add(into: Json, [token, ...rest]: string[], value: Json): Json {
  if (token === undefined) return value;
  if (rest.length > 0) return withChild(into, token, add(needed(into, [token]), rest, value));
  if (Array.isArray(into)) {
    const index = token === '-' ? into.length : /^(0|[1-9]\d*)$/.test(token) ? Number(token) : NaN;
    return index <= into.length ? into.toSpliced(index, 0, value) : refuse(400);
  }
  return isContainer(into) ? { ...into, [token]: value } : refuse(400);
}
function remove(from: Json, [token, ...rest]: string[]): Json {
  if (token === undefined) return refuse(400);
  const removed = needed(from, [token]);
  if (rest.length > 0) return withChild(from, token, remove(removed, rest));
  if (Array.isArray(from)) return from.toSpliced(Number(token), 1);
  return Object.fromEntries(Object.entries(from as object).filter(([name]) => name !== token));
}
function replace(within: Json, [token, ...rest]: string[], value: Json): Json {
  if (token === undefined) return value;
  return withChild(within, token, replace(needed(within, [token]), rest, value));
}
function equal(left: Json, right: Json): boolean {
  if (!isContainer(left) || !isContainer(right)) return left === right;
  const names = Object.keys(left);
  return (
    Array.isArray(left) === Array.isArray(right) &&
    names.length === Object.keys(right).length &&
    names.every(
      (name) => child(right, name) !== undefined && equal(child(left, name)!, child(right, name)!),
    )
  );
}

/** Applies one operation (RFC 6902 section 4). */
function expected(document: Json, { op, path, from, value }: Operation): Json {
  const [to, source] = [read(path), read(from)];
  switch (op) {
    case 'add':
      return add(document, to, value);
    case 'remove':
      return remove(document, to);
    case 'replace':
      return replace(document, to, value);
    case 'copy':
      return add(document, to, needed(document, source));
    case 'move':
      if (to.length > source.length && source.every((token, i) => token === to[i])) refuse(400);
      return add(remove(document, source), to, needed(document, source));
    case 'test':
      return equal(needed(document, to), value) ? document : refuse(409);
  }
}

function outcomeOf(work: () => Json): Outcome {
  try {
    return { document: work() };
  } catch (error) {
    if (error instanceof Refused || error instanceof ApiError) return { status: error.status };
    throw error;
  }
}

describe('a JSON Patch of random operations', () => {
  it('gives the result or the refusal of RFC 6902 and leaves document and operations as they were', () => {
    let applied = 0;
    fc.assert(
      fc.property(anyPatch, ({ document, operations }) => {
        const before = JSON.stringify([document, operations]);
        const want = outcomeOf(() => operations.reduce<Json>(expected, document));
        const parsed = parsePatch(operations);
        // After a conflict in the database the server applies the same operations again.
        for (let times = 0; times < 2; times++)
          expect(outcomeOf(() => applyPatch(document, parsed) as Json)).toEqual(want);
        expect(JSON.stringify([document, operations])).toBe(before);
        if ('document' in want && operations.length > 1) applied++;
      }),
      { numRuns: RUNS },
    );
    expect(applied).toBeGreaterThan(RUNS / 20);
  });
});
