import { ApiProblem, bodyOf, send } from './api.js';

/** Largest photo that the server accepts, in bytes. */
export const MAX_PHOTO_SIZE = 2 * 1024 * 1024;
export const PHOTO_TYPES = 'image/jpeg,image/png,image/webp';

/** A person's picture, fetched with the token in a header: a photo or initials. */
export interface Picture {
  content: Blob;
  isTheirs: boolean;
}

/** @throws ApiProblem */
export async function loadPicture(userId: string, signal?: AbortSignal): Promise<Picture> {
  const path = `/navigation/directory/users/${userId}/photo`;
  const answer = await send(path, { signal, headers: { Accept: 'image/*' } });
  const isTheirs = answer.headers.get('Content-Type') !== 'image/svg+xml';
  return { content: await bodyOf(answer, (response) => response.blob()), isTheirs };
}

const pathOf = (userId: string): string => `/api/v2/directory/users/${userId}/photo`;

/** @throws ApiProblem */
export const storePhoto = (userId: string, photo: File): Promise<Response> =>
  send(pathOf(userId), { method: 'PUT', body: photo, headers: { 'Content-Type': photo.type } });

/** @throws ApiProblem */
export const removePhoto = (userId: string): Promise<Response> =>
  send(pathOf(userId), { method: 'DELETE' });

/** Whether the server rejected a file because of its format. */
export const isNoPicture = (error: unknown): boolean =>
  error instanceof ApiProblem && (error.status === 400 || error.status === 415);
