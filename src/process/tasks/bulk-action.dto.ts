import { IsOptional } from 'class-validator';
import { items, oneOf, textOf } from '../../http/body-rules.js';
import { faultOfText } from '../../base/validation/class-validation.js';
import { MAX_COMMENT } from './comment.dto.js';
import { MAX_OUTCOME_NAME } from './outcomes.js';
import type { InvalidField } from '../../base/errors/api-errors.js';
import { type Reason, reason } from '../../base/errors/reason.js';
import { type FilterMode, MAX_FILTERS } from '../../resources/list/filters.js';
import { newOwner } from './new-owner.js';

/** What people can do with several tasks at once. */
export const BULK_ACTIONS = ['claim', 'release', 'complete', 'assign'] as const;

/** Most tasks of one call. */
export const MAX_BULK_TASKS = 100;

/** Most tasks of one call that assigns them, which takes few statements. */
export const MAX_ASSIGNED_TASKS = 1_000;

/** Longest filter, in characters. */
const MAX_FILTER = 1_000;

/** Maximum length in characters of a task's name: a source's reference, a colon and an external id fit. */
const MAX_TASK_NAME = 1_000;

/** A task by id, URI, reference, or source and external id. */
const faultOfTaskName = (item: unknown): Reason | undefined =>
  item === '' ? reason('empty') : faultOfText(item, MAX_TASK_NAME);

/**
 * The number of writes that the rate limit counts: one for each named task, existing or not; one for filters, and for an
 * invalid body.
 */
export const writesOfBulk = (body: unknown): number => {
  const { action, tasks } = Object(body) as { action?: unknown; tasks?: unknown };
  const most = action === 'assign' ? MAX_ASSIGNED_TASKS : MAX_BULK_TASKS;
  const isList = Array.isArray(tasks) && tasks.length > 0 && tasks.length <= most;
  return isList ? tasks.length : 1;
};

/** `POST /process/tasks/bulk` */
export class BulkActionDto {
  @oneOf(BULK_ACTIONS)
  action!: (typeof BULK_ACTIONS)[number];

  /** At most `MAX_BULK_TASKS` where they are not assigned; null with filters. */
  @IsOptional()
  @items(MAX_ASSIGNED_TASKS, 'tasks', faultOfTaskName, {
    type: 'string',
    minLength: 1,
    maxLength: MAX_TASK_NAME,
  })
  tasks: string[] | null = null;

  /** Which open tasks `assign` takes, instead of `tasks`. */
  @IsOptional()
  @items(MAX_FILTERS, 'filters', (item) => faultOfText(item, MAX_FILTER), {
    type: 'string',
    maxLength: MAX_FILTER,
  })
  filters: string[] | null = null;

  @IsOptional()
  @oneOf(['and', 'or'])
  filterMode: FilterMode = 'and';

  /** Who gets the tasks that `assign` takes. */
  @IsOptional()
  @newOwner()
  to: unknown = null;

  /** The outcome with which `complete` closes the tasks. */
  @IsOptional()
  @textOf(MAX_OUTCOME_NAME)
  outcome: string | null = null;

  @IsOptional()
  @textOf(MAX_COMMENT)
  comment: string | null = null;
}

/** The attributes of a call that do not fit its action. */
export function faultsOfBulk({ action, tasks, filters, to }: BulkActionDto): InvalidField[] {
  if (action === 'assign') {
    const named = tasks !== null;
    return [
      ...(to === null ? [{ name: 'to', reason: reason('required') }] : []),
      ...(named === (filters !== null)
        ? [{ name: 'tasks', reason: reason('tasks-or-filters') }]
        : []),
    ];
  }
  const isFew = tasks !== null && tasks.length <= MAX_BULK_TASKS;
  const ofAssign = Object.entries({ filters, to }).filter(([, value]) => value !== null);
  return [
    ...(isFew
      ? []
      : [
          {
            name: 'tasks',
            reason: reason('bad-item-count', { max: MAX_BULK_TASKS, noun: 'tasks' }),
          },
        ]),
    ...ofAssign.map(([name]) => ({ name, reason: reason('only-with-assign') })),
  ];
}
