import { useState } from 'react';
import { bodyOf, send } from '../api-client/api.js';
import { useAccountPage } from './account-page.js';
import { useAction } from './use-action.js';

/** The options of an API key (docs/api-contract.md#accounts). */
export interface NewApiKey {
  name: string | null;
  /** A time in ISO 8601; null for a key that does not expire. */
  expiration: string | null;
  addresses: string | null;
  /** All that the key permits; null for everything that its account may do. */
  permissions?: string[] | null;
}

/** The properties of the form of a new key. */
export interface NewApiKeyProps {
  isBusy: boolean;
  /** @param explains shows the error in the form; if it returns false, the section shows it */
  create: (key: NewApiKey, explains?: (error: unknown) => boolean) => Promise<boolean>;
  /** The secret of a new key, until the person hides it. */
  secret: string | undefined;
  hideSecret: () => void;
}

/** The accounts whose keys a section shows by default. */
export const USERS = '/api/v2/directory/users';

/** Creates and deletes the API keys of an account, and keeps the secret of a new one until the person hides it. */
export function useApiKeys(accounts: string) {
  const { userId } = useAccountPage();
  const path = `${accounts}/${userId}/api-keys`;
  const { isBusy, problem, act } = useAction();
  const [secret, setSecret] = useState<string>();
  const hideSecret = () => setSecret(undefined);
  const create: NewApiKeyProps['create'] = (body, explains) =>
    act(
      async () => {
        const answer = await send(path, { method: 'POST', body });
        setSecret((await bodyOf<{ key: string }>(answer)).key);
      },
      undefined,
      explains,
    );
  const remove = (id: string, said: string) =>
    act(async () => {
      await send(`${path}/${id}`, { method: 'DELETE' });
      hideSecret();
    }, said);
  return { path, isBusy, problem, secret, hideSecret, create, remove };
}
