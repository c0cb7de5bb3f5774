import { useState } from 'react';
import { forgetSession } from '../api-client/api.js';
import type { Act } from './act.js';
import { endEverything } from './end-everything.js';

/** Asks before every way into an account ends but its password, and then ends them. */
export function useEndEverything(
  userId: string,
  { isOwn, act, said }: { isOwn: boolean; act: Act; said?: string },
) {
  const [isAsked, setAsked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const end = async () => {
    setBusy(true);
    const isDone = await act(async () => {
      await endEverything(userId);
      // The caller's session ended, too.
      if (isOwn) forgetSession();
    }, said);
    if (isDone) setAsked(false);
    setBusy(false);
  };
  return { isAsked, isBusy, ask: () => setAsked(true), cancel: () => setAsked(false), end };
}
