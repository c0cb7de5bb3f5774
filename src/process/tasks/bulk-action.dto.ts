import { IsOptional } from 'class-validator';
import { items, oneOf, textOf } from '../../http/body-rules.js';
import { faultOfText } from '../../base/validation/class-validation.js';
import { MAX_COMMENT } from './comment.dto.js';
import { MAX_OUTCOME_NAME } from './outcomes.js';
import { type Reason, reason } from '../../base/errors/reason.js';

/** What people can do with several tasks at once. */
export const BULK_ACTIONS = ['claim', 'release', 'complete'] as const;

/** Most tasks of one call. */
export const MAX_BULK_TASKS = 100;

/** Maximum length in characters of a task's name: a source's reference, a colon and an external id fit. */
const MAX_TASK_NAME = 1_000;

/** A task by id, URI, reference, or source and external id. */
const faultOfTaskName = (item: unknown): Reason | undefined =>
  item === '' ? reason('empty') : faultOfText(item, MAX_TASK_NAME);

/**
 * The number of writes that the rate limit counts: one for each named task, existing or not; one for an invalid body.
 */
export const writesOfBulk = (body: unknown): number => {
  const { tasks } = Object(body) as { tasks?: unknown };
  const isList = Array.isArray(tasks) && tasks.length > 0 && tasks.length <= MAX_BULK_TASKS;
  return isList ? tasks.length : 1;
};

/** `POST /process/tasks/bulk` */
export class BulkActionDto {
  @oneOf(BULK_ACTIONS)
  action!: (typeof BULK_ACTIONS)[number];

  @items(MAX_BULK_TASKS, 'tasks', faultOfTaskName, {
    type: 'string',
    minLength: 1,
    maxLength: MAX_TASK_NAME,
  })
  tasks!: string[];

  /** The outcome with which `complete` closes the tasks. */
  @IsOptional()
  @textOf(MAX_OUTCOME_NAME)
  outcome: string | null = null;

  @IsOptional()
  @textOf(MAX_COMMENT)
  comment: string | null = null;
}
