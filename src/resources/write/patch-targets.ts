import { badOperation, type PatchOperation } from '../../json-patch/operation.js';
import type { AttributeType } from '../attributes/attribute.js';
import type { Resource } from '../resource.js';

/** Levels below an attribute, by its type. The other types are scalars and have none. */
const LEVELS: Partial<Record<AttributeType, number>> = {
  // A Ref: /organization/id
  link: 1,
  // Refs: /audience/0/id
  links: 2,
  // Texts, or Refs that the server derives: /columns/0, /path/0/id
  object: 2,
};

/**
 * Refuses locations that no valid representation has, before any operation is applied:
 * `/description/x` exists only while a patch has made the document invalid.
 * @throws ApiError 400 naming the operation
 */
export function checkDepth({ attributes }: Resource, operation: PatchOperation): void {
  for (const [name, ...below] of [operation.tokens, operation.fromTokens ?? []]) {
    if (name === undefined) continue;
    const type = attributes.get(name)?.type;
    if (below.length > (type ? (LEVELS[type] ?? 0) : 0))
      throw badOperation(operation, `'${name}' has no values at that depth`);
  }
}
