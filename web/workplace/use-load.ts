import { useCallback, useEffect, useState } from 'react';
import { ApiProblem } from '../api-client/api.js';

/** What an address has: nothing yet, a value (maybe of the address before), or a refusal. */
export interface Loaded<T> {
  value?: T;
  problem?: ApiProblem;
  isBusy: boolean;
  reload: () => void;
}

/** Loads whenever `key` changes; what came last stays while the next is on its way. */
export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>({ isBusy: true });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    setState(({ value }) => ({ value, isBusy: true }));
    load(controller.signal).then(
      (value) => controller.signal.aborted || setState({ value, isBusy: false }),
      (error: unknown) =>
        controller.signal.aborted || setState({ problem: toProblem(error), isBusy: false }),
    );
    return () => controller.abort();
    // What is loaded is what the key says.
  }, [key, round]);
  const reload = useCallback(() => setRound((last) => last + 1), []);
  return { ...state, reload };
}

/** @throws whatever is no refusal: a mistake of ours */
export function toProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  throw error;
}
