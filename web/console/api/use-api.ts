import { useNotify } from 'react-admin';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getCountedPage } from './counted-page.js';
import { useNotifyError } from '../components/use-notify-error.js';

/** A page of a list that is no resource of its own: members, sessions, keys. */
export function useApiPage<T>(path: string) {
  return useQuery({
    queryKey: ['api', path],
    queryFn: ({ signal }) => getCountedPage<T>(path, signal),
    placeholderData: (before) => before,
  });
}

/**
 * Does something and says how it went; whatever the pages show is then asked for again.
 * @param said what is said when it was done
 * @param explains says why it was not where that belongs; without it, or when it answers false, the
 * window's edge says it
 * @returns whether it was done
 */
type Act = (
  work: () => Promise<unknown>,
  said?: string,
  explains?: (error: unknown) => boolean,
) => Promise<boolean>;

/** What the pages do things with. */
export function useAction(): Act {
  const notify = useNotify();
  const notifyError = useNotifyError();
  const queries = useQueryClient();
  return async (work, said, explains) => {
    try {
      await work();
    } catch (error) {
      if (!explains?.(error)) notifyError(error);
      return false;
    }
    if (said !== undefined) notify(said, { type: 'success' });
    await queries.invalidateQueries();
    return true;
  };
}
