import { useState } from 'react';
import { ETAG, type Item, patchOf } from '../api/data-provider.js';

/**
 * The record that a form shows, and the ETag for saving it. A record that arrives while the form has unsaved changes
 * (read again after its creation, or after an action on the same page) does not replace them. Its ETag counts when no
 * writable attribute differs; otherwise the old ETag makes the server reject a save that would overwrite another
 * person's change.
 * @param record the last read one; undefined until a whole record has loaded
 */
export function useDirtyRecord(
  resource: string,
  isDirty: boolean,
  record?: Item,
): { shown?: Item; etag: unknown } {
  const [shown, setShown] = useState<Item>();
  const [etag, setEtag] = useState<unknown>();
  if (record?.[ETAG] === undefined) return { shown, etag };
  const next = isDirty && shown !== undefined ? shown : record;
  if (next !== shown) setShown(next);
  const isSame = patchOf(resource, next, record).length === 0;
  if (isSame && etag !== record[ETAG]) setEtag(record[ETAG]);
  return { shown: next, etag: isSame ? record[ETAG] : etag };
}
