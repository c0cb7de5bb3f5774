import { IsOptional } from 'class-validator';
import { faultOfText, faultsOfItems, satisfies } from '../http/class-validation.js';
import { isId } from '../resources/uri.js';
import { MAX_COMMENT } from './comment.dto.js';
import { MAX_OUTCOME_NAME } from './outcomes.js';

/** What people do with several tasks at once. */
export const BULK_ACTIONS = ['claim', 'release', 'complete'] as const;

/** Most tasks of one call. */
export const MAX_BULK_TASKS = 100;

const textOf = (max: number): PropertyDecorator => satisfies((value) => faultOfText(value, max));

/** `POST /process/tasks/bulk` */
export class BulkActionDto {
  @satisfies((value) =>
    BULK_ACTIONS.some((action) => action === value)
      ? undefined
      : `must be one of: ${BULK_ACTIONS.join(', ')}`,
  )
  action!: (typeof BULK_ACTIONS)[number];

  @satisfies((value) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > MAX_BULK_TASKS)
      return `must be an array of 1 to ${MAX_BULK_TASKS} ids of tasks`;
    return faultsOfItems(value, (item) =>
      typeof item === 'string' && isId(item) ? undefined : 'must be an id, a positive whole number',
    );
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
