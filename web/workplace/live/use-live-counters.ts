import { useContext, useEffect, useEffectEvent, useRef, useState } from 'react';
import { SignInsContext } from '../../api-client/use-load.js';
import { followCounters, type Following, type LiveCounters } from './live-counters.js';

/**
 * The counters of a person while they are live; undefined while the page has to poll.
 * @param user URI of the person
 * @param onUnreachable called when a stream cannot be opened because no answer comes
 */
export function useLiveCounters(
  user: string,
  onUnreachable: () => void,
): {
  live: LiveCounters | undefined;
  check: () => void;
} {
  const [live, setLive] = useState<LiveCounters>();
  const following = useRef<Following>(undefined);
  const signIns = useContext(SignInsContext);
  const sayUnreachable = useEffectEvent(onUnreachable);
  useEffect(() => {
    following.current = followCounters(user, setLive, () => sayUnreachable());
    return () => {
      following.current?.stop();
      setLive(undefined);
    };
    // The stream restarts with the next session.
  }, [user, signIns]);
  const [check] = useState(() => () => following.current?.check());
  return { live, check };
}
