import { send } from '../api-client/api.js';
import type { Act } from './act.js';

/**
 * Ends the sessions of a user, one or all. Where the caller's own session is among them, the next call
 * answers 401 and the page asks to sign in.
 */
export function sessionsOf(userId: string, act: Act) {
  const path = `/api/v2/directory/users/${userId}/tokens`;
  const remove = (address: string, said?: string) =>
    act(() => send(address, { method: 'DELETE' }), said);
  return {
    path,
    end: (id: string, said?: string) => remove(`${path}/${id}`, said),
    endAll: (said?: string) => remove(path, said),
  };
}
