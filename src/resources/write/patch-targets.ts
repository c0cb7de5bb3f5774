import { badOperation, type PatchOperation } from '../../base/json-patch/parse-patch.js';
import type { Resource } from '../resource.js';
import type { Values } from './pending-write.js';
import { reason } from '../../base/errors/reason.js';

/** The operations that read the value at a location. */
const READING: ReadonlySet<PatchOperation['op']> = new Set(['test', 'copy', 'move', 'remove']);

/** The operations that may add a value where there was none. */
const ADDING: ReadonlySet<PatchOperation['op']> = new Set(['add', 'copy', 'move']);

const isObject = (document: unknown): document is Values =>
  typeof document === 'object' && document !== null && !Array.isArray(document);

/** The attributes that an operation writes; none when it replaces the whole document. */
export function writtenBy({ op, tokens, fromTokens }: PatchOperation): string[] {
  const written = op === 'test' ? [] : [tokens[0], ...(op === 'move' ? [fromTokens![0]] : [])];
  return written.filter((name) => name !== undefined);
}

/** Whether an operation replaces the whole document. */
export const replacesAll = ({ op, tokens }: PatchOperation): boolean =>
  op !== 'test' && tokens.length === 0;

/**
 * Checks the target of an operation before any operation is applied. It rejects unknown and read-only
 * attributes, reads of write-only attributes, and locations that no valid representation has.
 * @throws ApiError 400 naming the operation
 */
export function checkTarget(resource: Resource, operation: PatchOperation): void {
  const { attributes, writeOnly } = resource;
  const { op, tokens, fromTokens } = operation;
  for (const name of writtenBy(operation)) {
    if (writeOnly.has(name)) continue;
    const attribute = attributes.get(name);
    if (!attribute) throw badOperation(operation, reason('unknown-member', { name }));
    if (!attribute.writable) throw badOperation(operation, reason('read-only-member', { name }));
  }
  const unreadable = [tokens[0], fromTokens?.[0]].find(
    (name) => name !== undefined && writeOnly.has(name),
  );
  if (READING.has(op) && unreadable !== undefined)
    throw badOperation(operation, reason('write-only-member', { name: unreadable }));
  checkDepth(resource, operation);
}

/**
 * Prepares the document for an operation: an attribute that the representation omits is null, as every other blank
 * attribute is, and an attribute may add the objects around a value that the operation adds.
 */
export const preparing =
  ({ attributes }: Resource) =>
  (document: unknown, { op, tokens, fromTokens = [] }: PatchOperation): void => {
    if (!isObject(document)) return;
    for (const name of [tokens[0], fromTokens[0]])
      if (name !== undefined && attributes.get(name)?.options.omittedWhenBlank)
        document[name] ??= null;
    const [name, ...below] = tokens;
    if (name !== undefined && ADDING.has(op)) attributes.get(name)?.addParents(document, below);
  };

/**
 * Rejects patches whose result is not an object, such as one that replaces the whole document with a text.
 * @throws ApiError 400 naming the last operation that wrote the whole document
 */
export function checkDocument(document: unknown, operations: PatchOperation[]): void {
  if (isObject(document)) return;
  const culprit = operations.findLast(replacesAll)!;
  throw badOperation(culprit, reason('not-a-document'));
}

/**
 * Rejects locations like `/description/x`, which exist only while a patch has made the document invalid, and writes
 * below a link, which change nothing or contradict the rest of it.
 */
function checkDepth({ attributes }: Resource, operation: PatchOperation): void {
  const { op, tokens, fromTokens = [] } = operation;
  for (const [location, isWritten] of [
    [tokens, op !== 'test'],
    [fromTokens, op === 'move'],
  ] as const) {
    const [name, ...below] = location;
    if (name === undefined) continue;
    const { levels = 0, isLink = false } = attributes.get(name) ?? {};
    if (below.length > levels)
      throw badOperation(operation, reason('no-value-at-that-depth', { name }));
    if (isWritten && isLink && below.length === levels)
      throw badOperation(operation, reason('below-a-link', { name }));
  }
}
