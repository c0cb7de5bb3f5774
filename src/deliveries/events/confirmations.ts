import type { Database } from '../../database/database.js';
import { isBlank } from '../../base/validation/class-validation.js';
import type { Decision } from '../../process/tasks/task-end.js';
import { deliveryColumns } from './due-deliveries.js';
import { DECIDED } from './event-kinds.js';
import type { StoredDelivery } from './event.js';

/** Most characters of an engine's reason, which a person reads. */
export const MAX_REASON = 500;

/** The decision that a delivery carries; undefined unless an engine has to confirm it. */
export function decisionOf({ kind, taskId, data }: StoredDelivery): Decision | undefined {
  const { task } = data;
  const id = task?.decision;
  return kind === DECIDED && taskId !== null && typeof id === 'string'
    ? { taskId, id, task: task! }
    : undefined;
}

/**
 * The decision that the answer to a delivery confirms or refuses. It exists if the endpoint confirmed decisions when
 * the task changed.
 */
export const awaitedDecision = (delivery: StoredDelivery): Decision | undefined =>
  delivery.data.confirms ? decisionOf(delivery) : undefined;

/**
 * The earlier decision of the same task and endpoint that was sent but never answered: the engine may have taken it.
 */
export async function decisionInDoubt(
  database: Database,
  { id }: StoredDelivery,
): Promise<Decision | undefined> {
  const [former] = await database.query<StoredDelivery>({
    text: `SELECT ${deliveryColumns('e')} FROM deliveries d JOIN deliveries e ON e.task_id = d.task_id AND e.endpoint_id = d.endpoint_id
        AND e.change_id < d.change_id AND e.in_doubt
      WHERE d.id = $1 ORDER BY e.change_id DESC LIMIT 1`,
    values: [id],
  });
  return former && decisionOf(former);
}

/**
 * Records, before the call, that the engine may have this decision, and no earlier one of the task. The record survives
 * the call, this process and the delivery.
 */
export async function doubtAlone(
  database: Database,
  { id, taskId }: StoredDelivery,
): Promise<void> {
  await database.execute({
    text: `UPDATE deliveries e SET in_doubt = e.id = d.id FROM deliveries d
      WHERE d.id = $1 AND e.task_id = $2 AND e.endpoint_id = d.endpoint_id AND e.in_doubt <> (e.id = d.id)`,
    values: [id, taskId],
  });
}

/**
 * The reason in the JSON of an engine: the first of these attributes that is a filled text.
 * @returns undefined without one: then the answer may come from a proxy in front of the engine
 */
export function reasonIn(body: string | undefined, names: readonly string[]): string | undefined {
  const answer = parseObject(body);
  const found = names.map((name) => answer?.[name]).find(isFilledText);
  return found === undefined ? undefined : asReason(found);
}

/** A reason without control characters, cut to the length that a page shows. */
export const asReason = (text: string): string =>
  [...text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()].slice(0, MAX_REASON).join('');

const isFilledText = (value: unknown): value is string =>
  typeof value === 'string' && !isBlank(value);

/** The object in a JSON body; undefined for anything else. */
export function parseObject(body: string | undefined): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(body ?? '') as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
