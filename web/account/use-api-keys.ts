import { useState } from 'react';
import { send } from '../api-client/api.js';
import type { Act } from './act.js';

/** What a person chooses of an API key (docs/api-contract.md#accounts). */
export interface NewApiKey {
  name: string | null;
  /** A moment in ISO 8601; null for a key without an end. */
  expiration: string | null;
  addresses: string | null;
}

/** Creates and deletes the API keys of a user, and keeps the secret of a new one until it is hidden. */
export function useApiKeys(userId: string, act: Act) {
  const path = `/api/v2/directory/users/${userId}/api-keys`;
  const [secret, setSecret] = useState<string>();
  const hideSecret = () => setSecret(undefined);
  const create = (body: NewApiKey, explains?: (error: unknown) => boolean) =>
    act(
      async () => {
        const answer = await send(path, { method: 'POST', body });
        setSecret(((await answer.json()) as { key: string }).key);
      },
      undefined,
      explains,
    );
  const remove = (id: string, said?: string) =>
    act(async () => {
      await send(`${path}/${id}`, { method: 'DELETE' });
      hideSecret();
    }, said);
  return { path, secret, hideSecret, create, remove };
}
