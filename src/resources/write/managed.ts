import { conflict } from '../../base/errors/api-errors.js';
import { reason } from '../../base/errors/reason.js';
import type { Ref } from '../ref.js';
import type { Resource } from '../resource.js';
import type { Change, Values } from './pending-write.js';

/**
 * Keeps what a provider manages for this provider (docs/api-contract.md#providers).
 * @param before the detailed representation of the row
 * @param names what the write changes; by default all that a provider manages, as a deletion does
 * @throws ApiError 409 naming the provider and the attributes
 */
export function requireProvider(
  { resource, provider }: { resource: Resource; provider?: string | undefined },
  before: Values,
  names?: string[],
): void {
  const { managed } = resource.definition;
  const managedBy = before.managedBy as Ref | null | undefined;
  if (!managed || !managedBy || managedBy.id === provider) return;
  // A second provider writes nothing in a row of the first.
  const attributes =
    names === undefined || provider !== undefined
      ? (names ?? [...managed])
      : names.filter((name) => name === 'members' || managed.includes(name));
  if (attributes.length > 0)
    throw conflict(reason('managed-by-provider', { provider: managedBy.label, attributes }));
}

/** What a write of a provider stores beside its values. */
export const managedColumns = ({ provider }: Change): Values =>
  provider === undefined ? {} : { managedById: provider };

/** Whether a write makes its provider the one of the row. */
export const takesOver = ({ provider }: Change, { managedBy }: Values): boolean =>
  provider !== undefined && managedBy === null;
