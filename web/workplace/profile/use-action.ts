import { useState } from 'react';
import type { Act } from '../../account/act.js';
import type { ApiProblem } from '../../api-client/api.js';
import { useToast } from '../components/toast.js';
import { toProblem } from '../use-load.js';

/** Makes changes, and tells whether one is under way and why the last one failed. */
export function useAction() {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem>();
  const toast = useToast();
  const run: Act = async (work, said, explains) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
      if (said !== undefined) toast({ text: said });
      return true;
    } catch (error) {
      if (!explains?.(error)) setProblem(toProblem(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, problem, run };
}
