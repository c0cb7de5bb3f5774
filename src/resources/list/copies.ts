import type { Row } from '../../database/database.js';
import type { Caller } from '../../security/caller.js';
import type { PresentContext } from '../attributes/attribute.js';
import type { Resource } from '../resource.js';

/** Which objects to read for copies, and how many bytes. */
export interface CopiesPlan {
  resource: Resource;
  caller: Caller;
  /** These objects, or the next ones in the order of their ids. */
  wanted: { ids: string[] } | { after: string; count: number };
  /** SQL of a text that is read from the same snapshot; may use `:viewer`. */
  witness: string;
  /** Approximate limit of the values together, in bytes. */
  maxBytes: number;
}

/** A list item and its revision. */
export interface Copy {
  id: string;
  revision: number;
  representation: Record<string, unknown>;
}

/** The objects that the caller sees, in the requested order. */
export interface Copies {
  copies: Copy[];
  /** The ids of those that exceeded the limit. */
  left: string[];
  witness: string | null;
}

/** Presents the rows of `ListSql.copies`. */
export function presentCopies(resource: Resource, rows: Row[], context: PresentContext): Copies {
  const seen = rows.filter(([, id]) => id !== null) as [string, string, boolean, ...unknown[]][];
  return {
    witness: (rows[0]?.[0] ?? null) as string | null,
    left: seen.filter(([, , fits]) => !fits).map(([, id]) => id),
    copies: seen.flatMap(([, id, fits, revision, ...columns]) => {
      if (!fits) return [];
      const representation = resource.present(columns, 'list', 'machine', context);
      return [{ id, revision: Number(revision), representation }];
    }),
  };
}
