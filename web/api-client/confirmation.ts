/** Asks a person whose sign-in is too old for a call to prove their identity (RFC 9470). */

/** The error code of a challenge to a sign-in that is too old (RFC 9470 section 3). */
const CHALLENGE = /\berror="insufficient_user_authentication"/;

/**
 * Asks for the proof and returns whether the person gave it.
 * @param maxAge the allowed age of the sign-in in seconds
 */
export type AskForConfirmation = (maxAge: number) => Promise<boolean>;

const decline: AskForConfirmation = () => Promise.resolve(false);
let ask = decline;

/**
 * Sets the function that asks for the proof.
 * @returns a function that removes it
 */
export function whenConfirmationIsNeeded(asks: AskForConfirmation): () => void {
  ask = asks;
  return () => {
    if (ask === asks) ask = decline;
  };
}

/** Calls that the server rejects at the same time wait for the same proof. */
let answer: Promise<boolean> | undefined;

/** Many calls in a row ask once: a refusal lasts until the person's next action. */
let hasDeclined = false;
for (const action of ['click', 'keydown'])
  addEventListener(action, () => (hasDeclined = false), { capture: true });

const challengeIn = ({ headers }: Response): string => headers.get('WWW-Authenticate') ?? '';

/** Whether the server rejected a call only for the age of the sign-in, so that the session continues. */
export const asksForProof = (response: Response): boolean =>
  response.status === 401 && CHALLENGE.test(challengeIn(response));

/** Whether the person has given the proof that the server required. */
export async function isConfirmedFor(response: Response): Promise<boolean> {
  if (!asksForProof(response) || hasDeclined) return false;
  const maxAge = Number(/\bmax_age="?(\d+)/.exec(challengeIn(response))?.[1] ?? 0);
  answer ??= ask(maxAge).finally(() => (answer = undefined));
  const isConfirmed = await answer;
  hasDeclined = !isConfirmed;
  return isConfirmed;
}
