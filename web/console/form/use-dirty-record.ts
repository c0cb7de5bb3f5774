import { useRef } from 'react';
import { ETAG, type Item, patchOf } from '../api/data-provider.js';

/** What a form knows of itself when its record is read again under it. */
export interface Held {
  /** Whether something is typed that is not saved. */
  isTyped: boolean;
  /** The ETag under which what is typed may be saved. */
  etag: unknown;
  record?: Item;
}

export const useHeld = (): Held => useRef<Held>({ isTyped: false, etag: undefined }).current;

/**
 * The record that a form shows. One that arrives while something is typed (read again behind a record
 * that was just created, or after an action on the same page) does not take the place of what is typed.
 * Its ETag counts when nothing that can be written differs; otherwise the old one lets the server refuse
 * to write over what somebody else has changed. Undefined until a whole record is there.
 */
export function useHeldRecord(held: Held, resource: string, record?: Item): Item | undefined {
  if (record?.[ETAG] === undefined) return held.record;
  if (!held.isTyped || held.record === undefined) held.record = record;
  if (patchOf(resource, held.record, record).length === 0) held.etag = record[ETAG];
  return held.record;
}
