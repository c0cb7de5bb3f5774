import { useState } from 'react';
import { isNoPicture, MAX_PHOTO_SIZE, removePhoto, storePhoto } from '../api-client/photo.js';
import type { Act } from './act.js';

/** Stores and removes the photo of a user, and names the fault of a file: its size or its kind. */
export function usePhoto(userId: string, act: Act) {
  const [fault, setFault] = useState<'large' | 'kind'>();
  const store = (picture: File, said: string): Promise<boolean> => {
    const isLarge = picture.size > MAX_PHOTO_SIZE;
    setFault(isLarge ? 'large' : undefined);
    if (isLarge) return Promise.resolve(false);
    const explains = (error: unknown) => {
      if (isNoPicture(error)) setFault('kind');
      return isNoPicture(error);
    };
    return act(() => storePhoto(userId, picture), said, explains);
  };
  const remove = (said: string): Promise<boolean> => {
    setFault(undefined);
    return act(() => removePhoto(userId), said);
  };
  return { fault, store, remove };
}
