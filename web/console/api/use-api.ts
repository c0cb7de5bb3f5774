import { useNotify } from 'react-admin';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Act } from '../../account/act.js';
import { getCountedPage } from '../../api-client/counted-page.js';
import { useNotifyError } from '../components/use-notify-error.js';

/** How long a page waits before it looks again at what the server is doing, in milliseconds. */
const LOOK_AGAIN = 1_000;

/**
 * A page of a list below another resource: members, sessions, keys.
 * @param isChanging whether the server is changing an item of the page; the page then loads again
 */
export function useApiPage<T>(path: string, isChanging?: (item: T) => boolean) {
  return useQuery({
    queryKey: ['api', path],
    queryFn: ({ signal }) => getCountedPage<T>(path, signal),
    placeholderData: (before) => before,
    refetchInterval: ({ state }) =>
      isChanging && state.data?.items.some(isChanging) === true && LOOK_AGAIN,
  });
}

/** Makes changes; after each, the page reloads its data. */
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
