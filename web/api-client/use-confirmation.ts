import { useEffect, useState } from 'react';
import { ApiProblem, asksForCode, send } from './api.js';
import { whenConfirmationIsNeeded } from './confirmation.js';
import { confirmWithPasskey, isDeclined } from './passkeys.js';

/** A call that waits for the proof of identity. */
interface Question {
  maxAge: number;
  answer: (isConfirmed: boolean) => void;
}

/** The state of a page's dialog that asks for the password again: the question, and the result of the last attempt. */
export function useConfirmation() {
  const [question, setQuestion] = useState<Question>();
  const [problem, setProblem] = useState<ApiProblem>();
  const [isBusy, setBusy] = useState(false);
  /** Whether the person has a second step, as the first answer says. */
  const [needsCode, setNeedsCode] = useState(false);
  useEffect(() => {
    let waiting: Question | undefined;
    const stop = whenConfirmationIsNeeded(
      (maxAge) =>
        new Promise((answer) => {
          waiting = { maxAge, answer };
          setProblem(undefined);
          setQuestion(waiting);
        }),
    );
    return () => {
      stop();
      waiting?.answer(false);
    };
  }, []);
  const end = (isConfirmed: boolean) => {
    question?.answer(isConfirmed);
    setQuestion(undefined);
  };
  const prove = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
      end(true);
    } catch (error) {
      if (isDeclined(error)) return setBusy(false);
      if (!(error instanceof ApiProblem)) throw error;
      // Without a session, the page asks to sign in instead of confirming.
      if (error.status === 401) end(false);
      else setProblem(error);
      if (asksForCode(error)) setNeedsCode(true);
    }
    setBusy(false);
  };
  const confirm = (password: string, code?: string): Promise<void> =>
    prove(() => {
      const body = { password, code };
      return send('/api/v2/authentication/confirmation', { method: 'POST', body });
    });
  const byPasskey = (): Promise<void> => prove(confirmWithPasskey);
  return { question, problem, isBusy, needsCode, confirm, byPasskey, cancel: () => end(false) };
}

/** Whether the server rejected the password, rather than the call for another reason. */
export const isWrongPassword = ({ fields }: ApiProblem): boolean =>
  fields.some(({ name }) => name === 'password');
