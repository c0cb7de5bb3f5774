import type { Listable, ListAttribute } from './list-attribute.js';

/** One key of an order. */
export interface SortKey {
  attribute: ListAttribute;
  descending: boolean;
}

/** More keys than anybody reads; each costs the database a comparison. */
const MAX_KEYS = 8;

/**
 * Parses `-lastName,firstName` (docs/api-contract.md#sorter); answers a message when it cannot be
 * used.
 */
export function parseSorter(text: string, listable: Listable): SortKey[] | string {
  const keys: SortKey[] = [];
  for (const part of text.split(',')) {
    const name = part.startsWith('-') ? part.slice(1) : part;
    const attribute = listable.attribute(name);
    if (!attribute?.sortable)
      return `cannot sort by '${name}'; sortable: ${listable.names('sorter').join(', ')}`;
    if (keys.some((key) => key.attribute.name === name)) return `'${name}' is given twice`;
    keys.push({ attribute, descending: part.startsWith('-') });
  }
  return keys.length > MAX_KEYS ? `at most ${MAX_KEYS} attributes` : keys;
}
