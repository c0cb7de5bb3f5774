import { type ApiError, forEveryItem, invalidField } from '../errors/api-errors.js';
import { type Reason, reason } from '../errors/reason.js';

/** The six operations (RFC 6902 section 4). */
export const OPERATION_NAMES = ['add', 'remove', 'replace', 'move', 'copy', 'test'] as const;
export type OperationName = (typeof OPERATION_NAMES)[number];

/** One operation of a patch, with its pointers split into tokens. */
export interface PatchOperation {
  index: number;
  op: OperationName;
  path: string;
  tokens: string[];
  from?: string;
  fromTokens?: string[];
  value?: unknown;
}

/** Most operations of one patch. */
const MAX_OPERATIONS = 100;

/** A JSON Pointer (RFC 6901 section 3): every `~` is followed by 0 or 1. */
const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;

/** Members through which an assignment reaches the prototype of an object. */
const PROTOTYPE_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

/** The 400 for an operation; its field is the path of the operation, or its index where it has none. */
export function badOperation(
  { index, op, path }: { index: number; op?: unknown; path?: unknown },
  why: Reason,
): ApiError {
  const name = typeof path === 'string' && path !== '' ? path : `/${index}`;
  const verb = OPERATION_NAMES.find((known) => known === op);
  return invalidField(name, why.at({ operation: index, ...(verb && { op: verb }) }));
}

/**
 * Parses a JSON Patch document strictly. The library that applies it accepts what the RFC forbids
 * (operations named like methods, bad pointers), so it only gets what was parsed here.
 * @throws ApiError 400 naming every malformed operation
 */
export function parsePatch(body: unknown): PatchOperation[] {
  if (!Array.isArray(body)) throw invalidField('body', reason('not-a-patch'));
  if (body.length > MAX_OPERATIONS)
    throw invalidField('body', reason('too-many-operations', { max: MAX_OPERATIONS }));
  return forEveryItem(body, parseOperation);
}

function parseOperation(written: unknown, index: number): PatchOperation {
  if (typeof written !== 'object' || written === null || Array.isArray(written))
    throw badOperation({ index }, reason('operation-not-an-object'));
  const member = (name: string): unknown =>
    Object.hasOwn(written, name) ? (written as Record<string, unknown>)[name] : undefined;
  const named = { index, op: member('op'), path: member('path') };
  const op = OPERATION_NAMES.find((name) => name === named.op);
  if (!op) throw badOperation(named, reason('unknown-operation', { known: OPERATION_NAMES }));
  const tokens = tokensOf(named.path);
  if (!tokens) throw badOperation(named, reason('bad-path'));
  const operation: PatchOperation = { index, op, path: named.path as string, tokens };
  if (op === 'move' || op === 'copy') {
    const from = member('from');
    const fromTokens = tokensOf(from);
    if (!fromTokens) throw badOperation(named, reason('bad-from'));
    Object.assign(operation, { from, fromTokens });
  } else if (op !== 'remove') {
    if (!Object.hasOwn(written, 'value')) throw badOperation(named, reason('missing-value'));
    operation.value = member('value');
  }
  return operation;
}

function tokensOf(pointer: unknown): string[] | undefined {
  if (typeof pointer !== 'string' || !POINTER.test(pointer)) return undefined;
  const tokens = pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  return tokens.some((token) => PROTOTYPE_NAMES.has(token)) ? undefined : tokens;
}
