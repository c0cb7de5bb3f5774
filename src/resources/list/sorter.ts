import type { Attribute } from '../attributes/attribute.js';
import type { Resource } from '../resource.js';
import type { RightsHolder } from '../visibility.js';
import { type Reason, reason } from '../../base/errors/reason.js';

/** One sort key, as the request writes it. */
export interface SortTerm {
  name: string;
  descending: boolean;
}

/** One sort key, with its attribute resolved. */
export interface SortKey {
  attribute: Attribute;
  descending: boolean;
}

/** Maximum number of sort keys, each of which costs the database a comparison. */
const MAX_KEYS = 8;

/** The sorter of a request without one: the list is sorted by the key of the resource. */
export const DEFAULT_SORTER: SortTerm[] = [];

/** Parses `-lastName,firstName` (docs/api-contract.md#sorter). */
export const parseSorter = (text: string): SortTerm[] =>
  text.split(',').map((part) => {
    const descending = part.startsWith('-');
    return { name: descending ? part.slice(1) : part, descending };
  });

/** Resolves the sort keys; returns a message when the holder cannot sort by them. */
export function resolveSorter(
  terms: SortTerm[],
  resource: Resource,
  holder: RightsHolder,
): SortKey[] | Reason {
  const keys: SortKey[] = [];
  const unknown: string[] = [];
  for (const { name, descending } of terms) {
    const attribute = resource.listAttribute(name, holder);
    if (attribute?.sortable) keys.push({ attribute, descending });
    else unknown.push(name);
  }
  if (unknown.length > 0) {
    const known = resource.listNames('sorter', holder);
    return unknown.includes('')
      ? reason('missing-sort-key', { known })
      : reason('not-sortable', { names: [...new Set(unknown)], known });
  }
  const names = keys.map(({ attribute }) => attribute.name);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) return reason('repeated-sort-key', { attribute: repeated });
  return keys.length > MAX_KEYS ? reason('too-many-sort-keys', { max: MAX_KEYS }) : keys;
}
