import { createContext, useCallback, useContext, useEffect, useEffectEvent, useState } from 'react';
import { ApiProblem } from './api.js';

/** The result of a load: nothing yet, a value (possibly of the previous load), or an error. */
export interface Loaded<T> {
  value?: T;
  problem?: ApiProblem;
  isBusy: boolean;
  reload: () => void;
}

/** Number of sign-ins that resumed a waiting page. */
export const SignInsContext = createContext(0);

/** The language of the server's answers. Pages reload their data when it changes. */
export const AnsweredLanguageContext = createContext('');

/** Statuses of temporary failures: no answer, or a server that is busy or starting, perhaps behind a proxy. */
const PASSING = [0, 502, 503, 504];

/** The shortest wait before a repetition, in seconds. */
const BUSY_WAIT = 5;

/**
 * Loads whenever `key` changes; the last value stays while the next one loads. It repeats a load that failed without a
 * session once a session exists. It repeats one without an answer, or that a busy server rejected, after some seconds,
 * and when the network returns.
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
    // The random part spreads the repetitions of all rejected clients.
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
