import { uriOf } from './uri.js';

/** The representation of a linked object (docs/api-contract.md#ref). */
export interface Ref {
  id: string;
  uri: string;
  reference: string;
  label: string;
}

/** Enough bytes for a Ref: its URI, its reference and its label. */
export const REF_BYTES = 1_000;

/** How a Ref is read from the table of its kind. */
export interface RefTarget {
  uri: string;
  table: string;
  /** Column of the label, e.g. `title`. */
  labelColumn: string;
  /** Column of the reference; a user's is its login. */
  referenceColumn: string;
}

export function presentRef(
  target: Pick<RefTarget, 'uri'>,
  id: unknown,
  reference: unknown,
  label: unknown,
): Ref {
  return {
    id: String(id),
    uri: uriOf(target.uri, id),
    reference: String(reference),
    label: String(label),
  };
}
