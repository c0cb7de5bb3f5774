import type { PatchOperation } from '../../base/json-patch/parse-patch.js';
import type { Resource } from '../resource.js';
import type { Values } from './pending-write.js';

/** The body's values of the write-only attributes, unchecked. */
export function writeOnlyIn({ writeOnly }: Resource, body: unknown): Values {
  if (typeof body !== 'object' || body === null) return {};
  const names = [...writeOnly.keys()].filter((name) => Object.hasOwn(body, name));
  return Object.fromEntries(names.map((name) => [name, (body as Values)[name]]));
}

/**
 * The patch's values of the write-only attributes, which it can only add or replace. An operation that replaces
 * the whole document discards the earlier ones.
 */
export function writeOnlyWritten(resource: Resource, operations: PatchOperation[]): Values {
  let written: Values = {};
  for (const { op, tokens, value } of operations) {
    if (op === 'test' || tokens.length > 1) continue;
    const [name] = tokens;
    if (name === undefined) written = writeOnlyIn(resource, value);
    else written = { ...written, ...writeOnlyIn(resource, { [name]: value }) };
  }
  return written;
}

/**
 * The operations to apply to a representation, which has no write-only attributes: `writeOnlyWritten` reads the
 * others, and no operation can test or copy what they write.
 */
export const withoutWriteOnly = (
  { writeOnly }: Resource,
  operations: PatchOperation[],
): PatchOperation[] =>
  operations.filter(({ tokens: [name] }) => name === undefined || !writeOnly.has(name));
