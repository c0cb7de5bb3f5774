import type { RefObject } from 'react';
import { PHOTO_TYPES } from '../api-client/photo.js';

/** The hidden file field in which a person chooses a picture; a button of the page opens it. */
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
        // Clears the field, so that a person can choose the same file again.
        target.value = '';
      }}
    />
  );
}
