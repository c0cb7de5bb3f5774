import type { NameRule } from './name-rule.js';
import { uriOf } from './uri.js';

/** The representation of a linked object (docs/api-contract.md#ref). */
export interface Ref {
  id: string;
  uri: string;
  reference: string;
  label: string;
}

/** Upper bound of the bytes of a Ref: its URI, its reference and its label. */
export const REF_BYTES = 1_000;

/** The table and columns that the Refs of one resource are read from. */
export interface RefTarget {
  uri: string;
  table: string;
  /** Column of the label, e.g. `title`. */
  labelColumn: string;
  /** Column of the reference; for users, the login. */
  referenceColumn: string;
  /** How references are compared. */
  nameRule: NameRule;
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
