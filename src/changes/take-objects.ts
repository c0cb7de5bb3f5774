import { gone } from '../base/errors/api-errors.js';
import type { Place } from './cursor.js';

/** A row of the journal, or one derived from it. Null means every object of the kind. */
export type ChangeRow = [xid: string, id: string, kind: string, object: string | null];

/** An object that has changed. */
export interface ChangedObject {
  kind: string;
  id: string;
  /** The last row of the journal before the first one that names it; undefined for the first of a page. */
  before: Place | undefined;
}

/** The objects of a page. */
export interface TakenObjects {
  objects: ChangedObject[];
  /** The last taken row of the journal, if the page was full before the last row. */
  cut: Place | undefined;
}

/**
 * Takes each object once, at its first row, until the page is full. All objects of one row stay together, so that a
 * place is a row.
 * @throws ApiError 410 after a TRUNCATE, whose row does not name the objects
 */
export function takeObjects(rows: ChangeRow[], maxObjects: number): TakenObjects {
  const objects = new Map<string, ChangedObject>();
  let before: Place | undefined;
  let at = 0;
  while (at < rows.length) {
    const place: Place = { xid: rows[at]![0], id: rows[at]![1] };
    const added: ChangedObject[] = [];
    for (; at < rows.length && rows[at]![1] === place.id; at++) {
      const [, , kind, id] = rows[at]!;
      if (id === null) throw gone(`all ${kind} were removed at once since`);
      if (!objects.has(`${kind} ${id}`)) added.push({ kind, id, before });
    }
    if (objects.size > 0 && objects.size + added.length > maxObjects)
      return { objects: [...objects.values()], cut: before };
    for (const object of added) objects.set(`${object.kind} ${object.id}`, object);
    before = place;
  }
  return { objects: [...objects.values()], cut: undefined };
}
