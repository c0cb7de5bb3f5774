import type { Outcome, Task } from '../../api-client/types.js';

/** The actions for all chosen tasks at once. */
export interface CommonActions {
  /** Whether all of them are simply done. */
  complete: boolean;
  /** The outcomes that all of them allow. */
  outcomes: Outcome[];
  claim: boolean;
  release: boolean;
}

const outcomesOf = (task: Task): Outcome[] => task.outcomes ?? [];

/**
 * The actions that all of these open tasks allow. Lists have no candidates, so only the server knows whether each task
 * can be claimed or released. The page offers both by the assignee. It does not offer the release of a task without a
 * group and without an engine that may have named candidates.
 * @param me URI of the person
 * @param labelOf returns the text of an outcome's button
 */
export function commonActions(
  tasks: Task[],
  me: string,
  labelOf: (outcome: Outcome) => string,
): CommonActions {
  const [first, ...others] = tasks;
  const isIn = (outcome: Outcome, task: Task) =>
    outcomesOf(task).some((one) => one.name === outcome.name && labelOf(one) === labelOf(outcome));
  const outcomes = (first ? outcomesOf(first) : [])
    .filter((outcome) => others.every((task) => isIn(outcome, task)))
    .map((outcome) => strictest(outcome, others));
  return {
    complete: tasks.every((task) => outcomesOf(task).length === 0),
    outcomes,
    claim: tasks.every(({ assignee }) => assignee === null),
    release: tasks.every(
      ({ assignee, group, source }) => assignee?.uri === me && (group !== null || source !== null),
    ),
  };
}

/** An outcome with the strictest requirements of all tasks. */
function strictest(outcome: Outcome, others: Task[]): Outcome {
  const same = others.flatMap((task) =>
    outcomesOf(task).filter(({ name }) => name === outcome.name),
  );
  return {
    ...outcome,
    commentRequired: [outcome, ...same].some(({ commentRequired }) => commentRequired),
    confirm: [outcome, ...same].some(({ confirm }) => confirm),
  };
}
