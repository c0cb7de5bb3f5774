import { createContext, useCallback, useContext, useEffect, useEffectEvent, useState } from 'react';
import { ApiProblem } from './api.js';

/** What an address has: nothing yet, a value (maybe of before), or a refusal. */
export interface Loaded<T> {
  value?: T;
  problem?: ApiProblem;
  isBusy: boolean;
  reload: () => void;
}

/** How often somebody has signed in to go on with the page that waited for them. */
export const SignInsContext = createContext(0);

/**
 * Loads whenever `key` changes; what came last stays while the next is on its way. What failed for want of
 * a session or a network is loaded again once there is one.
 */
export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>({ isBusy: true });
  const [round, setRound] = useState(0);
  const start = useEffectEvent(load);
  useEffect(() => {
    const controller = new AbortController();
    setState(({ value }) => ({ value, isBusy: true }));
    start(controller.signal).then(
      (value) => controller.signal.aborted || setState({ value, isBusy: false }),
      (error: unknown) =>
        controller.signal.aborted ||
        setState(({ value }) => ({ value, problem: toProblem(error), isBusy: false })),
    );
    return () => controller.abort();
  }, [key, round]);
  const reload = useCallback(() => setRound((last) => last + 1), []);
  const signIns = useContext(SignInsContext);
  const { status } = state.problem ?? {};
  const retry = useEffectEvent(() => {
    if (status === 401) reload();
  });
  useEffect(() => retry(), [signIns]);
  useEffect(() => {
    if (status !== 0) return;
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, [status, reload]);
  return { ...state, reload };
}

/** @throws whatever is no refusal: a mistake of ours */
export function toProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  throw error;
}
