import jsonpatch, { type Operation, type OperationResult } from 'fast-json-patch';
import { conflict, type ApiError } from '../errors/api-errors.js';
import { badOperation, type PatchOperation } from './parse-patch.js';
import { PatchBudget } from './patch-budget.js';
import { reason } from '../errors/reason.js';

/** An array index has no leading zeros (RFC 6901 section 4). */
const ARRAY_INDEX = /^(0|[1-9]\d{0,8})$/;

/**
 * Applies a patch to a copy of a document (RFC 6902): all operations or none.
 * - checkLocations runs before the library sees an operation, because the library counts inherited
 *   members as existing;
 * - PatchBudget bounds the work of an operation before it runs, because a patch blocks the event loop.
 * @param prepare changes the copy before each operation, e.g. adds the object to which the operation adds a member
 * @throws ApiError 409 for a failed test, 413 for copies that are too large, 400 naming the operation
 * for anything else
 */
export function applyPatch<T extends object>(
  document: T,
  operations: PatchOperation[],
  prepare: (copy: unknown, operation: PatchOperation) => void = () => {},
): T {
  const budget = new PatchBudget();
  let result: unknown = structuredClone(document);
  for (const operation of operations) {
    budget.payLocations(operation);
    prepare(result, operation);
    checkLocations(result, operation);
    result = applyOne(result, operation, budget);
  }
  return result as T;
}

function applyOne(document: unknown, operation: PatchOperation, budget: PatchBudget): unknown {
  const { op, path, from, fromTokens, value } = operation;
  switch (op) {
    case 'move':
      return move(document, operation);
    case 'remove':
      return run(operation, document, { op, path }).newDocument;
    case 'copy':
      budget.payValue(operation, valueAt(document, fromTokens!));
      return run(operation, document, { op, path, from: from! }).newDocument;
    case 'test':
      budget.payValue(operation, value);
      return test(document, operation);
    default:
      budget.payValue(operation, value);
      return run(operation, document, { op, path, value: jsonpatch.deepClone(value) as unknown })
        .newDocument;
  }
}

/**
 * A move is a removal followed by an addition (RFC 6902 section 4.4), so its path is checked after the
 * removal. The library's own `move` would also clone the existing value at the path.
 */
function move(document: unknown, operation: PatchOperation): unknown {
  const { path, from } = operation;
  const taken = run(operation, document, { op: 'remove', path: from! });
  checkParent(taken.newDocument, operation);
  const value: unknown = taken.removed;
  return run(operation, taken.newDocument, { op: 'add', path, value }).newDocument;
}

/** Replaces the library's `test`, whose error contains the whole document; the comparison is the same. */
function test(document: unknown, operation: PatchOperation): unknown {
  const { index, path, tokens, value } = operation;
  const holds = guarded(operation, () => jsonpatch._areEquals(valueAt(document, tokens), value));
  if (!holds) throw conflict(reason('test-failed', { path }).at({ operation: index, op: 'test' }));
  return document;
}

const run = (
  operation: PatchOperation,
  document: unknown,
  change: Operation,
): OperationResult<unknown> =>
  guarded(operation, () => jsonpatch.applyOperation(document, change, false, true, false));

/** The library throws for values nested thousands deep and for members named like methods. */
function guarded<T>(operation: PatchOperation, work: () => T): T {
  try {
    return work();
  } catch {
    throw badOperation(operation, reason('not-applicable'));
  }
}

function checkLocations(document: unknown, operation: PatchOperation): void {
  const { op, tokens, fromTokens } = operation;
  if (fromTokens) {
    if (!exists(document, fromTokens))
      throw badOperation(operation, reason('unknown-from', { pointer: operation.from! }));
    const isBelow =
      tokens.length > fromTokens.length && fromTokens.every((token, i) => token === tokens[i]);
    if (op === 'move' && isBelow) throw badOperation(operation, reason('moved-into-itself'));
    if (op === 'move' && fromTokens.length === 0)
      throw badOperation(operation, reason('whole-document-moved'));
  }
  if (op === 'remove' && tokens.length === 0)
    throw badOperation(operation, reason('whole-document-removed'));
  if (op === 'add' || op === 'copy') checkParent(document, operation);
  else if (op !== 'move' && !exists(document, tokens)) throw noPath(operation);
}

function checkParent(document: unknown, operation: PatchOperation): void {
  if (!canAdd(document, operation.tokens)) throw noPath(operation);
}

const noPath = (operation: PatchOperation): ApiError =>
  badOperation(operation, reason('unknown-path'));

const MISSING = Symbol('missing');

/** The value at a location; only own members and indexes within an array count. */
function valueAt(document: unknown, tokens: string[]): unknown {
  let value = document;
  for (const token of tokens) {
    if (Array.isArray(value)) {
      if (!ARRAY_INDEX.test(token) || Number(token) >= value.length) return MISSING;
      value = (value as unknown[])[Number(token)];
    } else if (typeof value === 'object' && value !== null && Object.hasOwn(value, token))
      value = (value as Record<string, unknown>)[token];
    else return MISSING;
  }
  return value;
}

const exists = (document: unknown, tokens: string[]): boolean =>
  valueAt(document, tokens) !== MISSING;

function canAdd(document: unknown, tokens: string[]): boolean {
  if (tokens.length === 0) return true;
  const parent = valueAt(document, tokens.slice(0, -1));
  const last = tokens.at(-1)!;
  if (Array.isArray(parent))
    return last === '-' || (ARRAY_INDEX.test(last) && Number(last) <= parent.length);
  return typeof parent === 'object' && parent !== null;
}
