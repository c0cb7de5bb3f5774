import { IsOptional } from 'class-validator';
import { faultOfText, faultsOfItems, satisfies } from '../http/class-validation.js';
import { MAX_COMMENT } from './comment.dto.js';
import { MAX_OUTCOME_NAME } from './outcomes.js';
import { reason } from '../errors/reason.js';

/** What people do with several tasks at once. */
export const BULK_ACTIONS = ['claim', 'release', 'complete'] as const;

/** Most tasks of one call. */
export const MAX_BULK_TASKS = 100;

/** Maximum length in characters of what names a task: the reference of a source, a colon and an external id are shorter. */
const MAX_TASK_NAME = 1_000;

const textOf = (max: number): PropertyDecorator => satisfies((value) => faultOfText(value, max));

/** As many writes as a body names tasks, whether these exist or not; one for a body that is refused. */
export const writesOfBulk = (body: unknown): number => {
  const { tasks } = Object(body) as { tasks?: unknown };
  const isList = Array.isArray(tasks) && tasks.length > 0 && tasks.length <= MAX_BULK_TASKS;
  return isList ? tasks.length : 1;
};

/** `POST /process/tasks/bulk` */
export class BulkActionDto {
  @satisfies((value) =>
    BULK_ACTIONS.some((action) => action === value)
      ? undefined
      : reason('not-one-of', { choices: BULK_ACTIONS }),
  )
  action!: (typeof BULK_ACTIONS)[number];

  @satisfies((value) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > MAX_BULK_TASKS)
      return reason('bad-item-count', { max: MAX_BULK_TASKS, noun: 'tasks' });
    return faultsOfItems(value, (item) =>
      item === '' ? reason('empty') : faultOfText(item, MAX_TASK_NAME),
    );
  })
  /** By id, URI, reference, or source and external id. */
  tasks!: string[];

  /** The outcome with which `complete` closes the tasks. */
  @IsOptional()
  @textOf(MAX_OUTCOME_NAME)
  outcome: string | null = null;

  @IsOptional()
  @textOf(MAX_COMMENT)
  comment: string | null = null;
}
