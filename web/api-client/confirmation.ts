/** Asking somebody who signed in some time ago to prove who they are (RFC 9470). */

/** The error code of a challenge to a sign-in that is too old (RFC 9470 section 3). */
const CHALLENGE = /\berror="insufficient_user_authentication"/;

/**
 * Asks for the proof and says whether it was given.
 * @param maxAge how many seconds ago the sign-in may have been
 */
export type AskForConfirmation = (maxAge: number) => Promise<boolean>;

const decline: AskForConfirmation = () => Promise.resolve(false);
let ask = decline;

/** Sets what asks for the proof. @returns what takes it away again */
export function whenConfirmationIsNeeded(asks: AskForConfirmation): () => void {
  ask = asks;
  return () => {
    if (ask === asks) ask = decline;
  };
}

/** Calls that the server rejects at the same time wait for the same proof. */
let answer: Promise<boolean> | undefined;

/** A run of many calls asks once: a no stands until the person does something else. */
let hasDeclined = false;
for (const action of ['click', 'keydown'])
  addEventListener(action, () => (hasDeclined = false), { capture: true });

const challengeIn = ({ headers }: Response): string => headers.get('WWW-Authenticate') ?? '';

/** Whether the server rejected a call only for the age of the sign-in: the session has not ended. */
export const asksForProof = (response: Response): boolean =>
  response.status === 401 && CHALLENGE.test(challengeIn(response));

/** Whether the server asked for a proof, and the person has given it since. */
export async function isConfirmedFor(response: Response): Promise<boolean> {
  if (!asksForProof(response) || hasDeclined) return false;
  const maxAge = Number(/\bmax_age="?(\d+)/.exec(challengeIn(response))?.[1] ?? 0);
  answer ??= ask(maxAge).finally(() => (answer = undefined));
  const isConfirmed = await answer;
  hasDeclined = !isConfirmed;
  return isConfirmed;
}
