import { useNotify } from 'react-admin';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getCountedPage } from './counted-page.js';
import { useNotifyRefusal } from './notify-refusal.js';

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
 * Answers whether it was done.
 */
export function useAction(): (act: () => Promise<unknown>, said?: string) => Promise<boolean> {
  const notify = useNotify();
  const refuse = useNotifyRefusal();
  const queries = useQueryClient();
  return async (act, said) => {
    try {
      await act();
    } catch (error) {
      refuse(error);
      return false;
    }
    if (said !== undefined) notify(said, { type: 'success' });
    await queries.invalidateQueries();
    return true;
  };
}
