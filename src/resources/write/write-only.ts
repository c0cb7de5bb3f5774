import type { PatchOperation } from '../../json-patch/operation.js';
import type { Resource } from '../resource.js';
import type { Values } from './pending-write.js';

/** The body's values of the write-only attributes, unchecked. */
export function writeOnlyIn({ writeOnly }: Resource, body: unknown): Values {
  if (typeof body !== 'object' || body === null) return {};
  const names = [...writeOnly.keys()].filter((name) => Object.hasOwn(body, name));
  return Object.fromEntries(names.map((name) => [name, (body as Values)[name]]));
}

/** The patch's values of the write-only attributes, which it can only add or replace. */
export function writeOnlyWritten(resource: Resource, operations: PatchOperation[]): Values {
  const bodies = operations
    .filter(({ tokens }) => tokens.length <= 1)
    .map(({ tokens: [name], value }) => (name === undefined ? value : { [name]: value }));
  return Object.assign({}, ...bodies.map((body) => writeOnlyIn(resource, body))) as Values;
}

/** A representation for a patch to change: its write-only attributes are present and blank. */
export const withBlankWriteOnly = ({ writeOnly }: Resource, representation: Values): Values => ({
  ...representation,
  ...Object.fromEntries([...writeOnly.keys()].map((name) => [name, null])),
});
