import { useState } from 'react';
import type { ApiProblem } from '../api-client/api.js';
import { isSignedIn } from '../api-client/session.js';
import { toProblem } from '../api-client/use-load.js';
import { useAccountPage } from './account-page.js';
import type { Act } from './act.js';

/** Makes one change of an account at a time. Its state says whether one is under way and why the last one failed. */
export function useAction() {
  const { notify, onChange } = useAccountPage();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem>();
  const act: Act = async (work, said, explains) => {
    if (isBusy) return false;
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      if (!explains?.(error)) setProblem(toProblem(error));
      return false;
    } finally {
      setBusy(false);
    }
    if (said !== undefined) notify(said);
    // A change that ended the caller's own session leaves a page that cannot load anything.
    if (isSignedIn()) onChange();
    return true;
  };
  return { isBusy, problem, act };
}
