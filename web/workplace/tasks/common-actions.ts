import type { Outcome, Task } from '../../api-client/types.js';

/** What can be done with all chosen tasks at once. */
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
 * The actions that all of these open tasks allow. Lists have no candidates, so the server alone knows whether each task
 * can be taken or given back. The page offers both by the assignee, but nobody gives a task back that has neither a group
 * nor an engine that may have named candidates.
 * @param me URI of the person
 * @param labelOf what the button of an outcome says
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

/** An outcome that asks for as much as any of the tasks does. */
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
