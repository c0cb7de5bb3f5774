import { useState } from 'react';
import type { ApiProblem } from '../../api-client/api.js';
import { toProblem } from '../use-load.js';

/** Runs a change: whether it is on its way, and how it was refused. */
export function useAction() {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem>();
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(toProblem(error));
    }
    setBusy(false);
  };
  return { isBusy, problem, run };
}
