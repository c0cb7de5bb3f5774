import { get, query } from '../api-client/api.js';
import { getCountedPage } from '../api-client/counted-page.js';
import type { Session } from '../api-client/types.js';
import { useLoad } from '../api-client/use-load.js';
import { useAccountPage } from './account-page.js';

/** Loads the newest sessions, their number, and which of them is the caller's. */
export function useSessions(path: string) {
  const { isOwn, changes } = useAccountPage();
  return useLoad(`${path} ${changes}`, async (signal) => {
    const [{ items: sessions, total }, caller] = await Promise.all([
      getCountedPage<Session>(
        `${path}${query({ range: '0-50', sorter: '-creationDate' })}`,
        signal,
      ),
      isOwn ? get<{ id: string }>('/api/v2/authentication', signal) : undefined,
    ]);
    return { sessions, total: total ?? sessions.length, own: caller?.id };
  });
}
