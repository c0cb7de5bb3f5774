import { createContext, useCallback, useContext, useEffect, useEffectEvent, useState } from 'react';
import { ApiProblem } from './api.js';

/** The result of a load: nothing yet, a value (possibly of the load before), or an error. */
export interface Loaded<T> {
  value?: T;
  problem?: ApiProblem;
  isBusy: boolean;
  reload: () => void;
}

/** How often somebody has signed in to go on with the page that waited for them. */
export const SignInsContext = createContext(0);

/** The language in which the server answers the person: what is loaded is loaded again when it changes. */
export const AnsweredLanguageContext = createContext('');

/** Statuses that pass by themselves: no answer, and a server that is busy or starts, behind a proxy too. */
const PASSING = [0, 502, 503, 504];

/** The least wait for that, in seconds. */
const BUSY_WAIT = 5;

/**
 * Loads whenever `key` changes; the last value stays while the next one loads. A load that failed
 * without a session is repeated once there is one. One that got no answer, or that a busy server refused, is repeated
 * after some seconds, and as soon as there is a network again.
 */
export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>({ isBusy: true });
  const [round, setRound] = useState(0);
  const start = useEffectEvent(load);
  const language = useContext(AnsweredLanguageContext);
  useEffect(() => {
    const controller = new AbortController();
    setState(({ value }) => ({ value, isBusy: true }));
    start(controller.signal).then(
      (value) => controller.signal.aborted || setState({ value, isBusy: false }),
      (error: unknown) => {
        if (controller.signal.aborted) return;
        const problem = toProblem(error);
        setState(({ value }) => ({ value, problem, isBusy: false }));
      },
    );
    return () => controller.abort();
  }, [key, round, language]);
  const reload = useCallback(() => setRound((last) => last + 1), []);
  const signIns = useContext(SignInsContext);
  const { status } = state.problem ?? {};
  const retry = useEffectEvent(() => {
    if (status === 401) reload();
  });
  useEffect(() => retry(), [signIns]);
  const { problem } = state;
  useEffect(() => {
    if (!problem || !PASSING.includes(problem.status)) return;
    const seconds = Math.max(BUSY_WAIT, problem.retryAfter);
    // Not with everybody else whom the server has refused.
    const timer = setTimeout(reload, seconds * 1_000 * (1 + Math.random() / 2));
    addEventListener('online', reload);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', reload);
    };
  }, [problem, reload]);
  return { ...state, reload };
}

/** @throws any error that is not of the API: a defect of the page */
export function toProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  throw error;
}
