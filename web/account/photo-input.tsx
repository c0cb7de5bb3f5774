import type { RefObject } from 'react';
import { PHOTO_TYPES } from '../api-client/photo.js';

/** The hidden field by which the browser lets a person choose a picture; a button of the page opens it. */
export function PhotoInput({
  field,
  label,
  onChosen,
}: {
  field: RefObject<HTMLInputElement | null>;
  label: string;
  onChosen: (picture: File) => void;
}) {
  return (
    <input
      ref={field}
      type="file"
      accept={PHOTO_TYPES}
      hidden
      aria-label={label}
      onChange={({ target }) => {
        const picture = target.files?.[0];
        if (picture) onChosen(picture);
        // The same file can be chosen again.
        target.value = '';
      }}
    />
  );
}
