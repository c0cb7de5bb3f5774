/** What a run counts, in the order in which it is shown. */
export const COUNTS = [
  ...(['read', 'created', 'updated', 'unchanged', 'deactivated', 'deleted', 'archived'] as const),
  ...(['skipped', 'groups', 'groupsCreated', 'groupsUpdated', 'groupsReleased'] as const),
  ...(['membersAdded', 'membersRemoved'] as const),
];

/** What a run did, or would do. */
export type RunCounts = Record<(typeof COUNTS)[number], number>;

export const noCounts = (): RunCounts =>
  Object.fromEntries(COUNTS.map((name) => [name, 0])) as RunCounts;
