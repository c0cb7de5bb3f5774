import {
  atLeast,
  listOf,
  textOrNull,
  timestamp as moment,
} from '../../resources/openapi/schemas.js';
import {
  computed,
  enumeration,
  number,
  text,
  timestamp,
} from '../../resources/attributes/attributes.js';
import { compare, typed } from '../../resources/attributes/comparisons.js';
import { ComputedLinkAttribute } from '../../resources/attributes/computed-link-attribute.js';
import type { Comparison } from '../../resources/attributes/filterable.js';
import { parseLinkFilter } from '../../resources/attributes/link-input.js';
import { EQUALITY } from '../../resources/attributes/operators.js';
import { seenTasks } from '../../process/access/task-visibility.js';
import { resource } from '../../resources/resource.js';
import type { SqlViewer } from '../../resources/visibility.js';
import { presentAttempt, type StoredAttempt } from './attempts.js';
import { EVENT_LABELS } from './event-kinds.js';

/** The URI of the tasks. */
const TASKS = '/process/tasks';

const STATUS = {
  waiting: { en: 'waiting', fr: 'en attente', de: 'wartet' },
  leased: { en: 'taken by a worker', fr: 'pris par un exécutant', de: 'bei einem Worker' },
  delivered: { en: 'delivered', fr: 'livré', de: 'zugestellt' },
  failed: { en: 'failed', fr: 'échoué', de: 'fehlgeschlagen' },
};

const readOnly = { readOnly: true };
const always = { ...readOnly, neverEmpty: true };

/** The largest log: its attempts, each with the beginning of an answer. */
const LOG_BYTES = 40_000;

/** The task, as it was at the event: it may have changed since, or be deleted. Null where the caller may not read it. */
class TaskOfEvent extends ComputedLinkAttribute {
  override readonly operators = EQUALITY;

  constructor() {
    const part = (alias: string, name: string) => `${alias}.data->'task'->'${name}'`;
    super({
      uri: TASKS,
      sql: (alias, viewer) =>
        `CASE WHEN ${readsTask(`${alias}.task_id`, viewer!)}
          THEN jsonb_build_array(${alias}.task_id::text, ${part(alias, 'reference')}, ${part(alias, 'title')}) END`,
    });
  }

  override get sortable(): boolean {
    return false;
  }

  override parseFilter(text: string): string {
    return parseLinkFilter(text, [TASKS]);
  }

  /** A task that the viewer may not read counts as none, as in the answer. */
  protected override comparison(
    alias: string,
    { operator, value }: Comparison,
    viewer: SqlViewer,
  ): string {
    const id = `${alias}.task_id`;
    const shown = viewer.rights.permits('tasks:read')
      ? id
      : `CASE WHEN ${readsTask(id, viewer)} THEN ${id} END`;
    return compare(shown, operator, typed(value, 'bigint', operator));
  }
}

/** Whether a viewer reads the task with this id; who reads every task reads deleted ones too. */
export const readsTask = (id: string, viewer: SqlViewer): string =>
  viewer.rights.permits('tasks:read')
    ? `${id} IS NOT NULL`
    : `EXISTS (SELECT 1 FROM tasks k WHERE k.id = ${id} AND ${seenTasks(viewer, 'k')})`;

/** The deliveries of an endpoint, with every attempt (docs/api-contract.md#deliveries). */
export const deliveries = resource({
  name: 'deliveries',
  schemaName: 'Delivery',
  uri: '/process/deliveries',
  withoutUri: true,
  labelColumn: 'kind',
  referenceColumn: 'kind',
  attributes: {
    messageId: computed({
      sql: (alias) => `${alias}.message_id`,
      make: (value) => messageIdOf(String(value)),
      schema: { type: 'string' },
    }),
    task: new TaskOfEvent(),
    kind: enumeration(EVENT_LABELS, always),
    revision: number(readOnly),
    status: enumeration(STATUS, always),
    attempts: number(always),
    retries: number(always),
    nextAttemptDate: timestamp({
      ...readOnly,
      sql: (alias) =>
        `CASE WHEN ${alias}.status IN ('waiting', 'leased') THEN ${alias}.next_attempt END`,
    }),
    worker: text(readOnly),
    creationDate: timestamp(always),
    completionDate: timestamp(readOnly),
    log: computed({
      sql: (alias) => `${alias}.log`,
      make: (value) => (value as StoredAttempt[]).map(presentAttempt),
      schema: listOf(
        atLeast(
          {
            attemptDate: moment,
            duration: { type: ['integer', 'null'] },
            status: { type: ['integer', 'null'] },
            message: textOrNull,
            answer: { type: 'string' },
          },
          ['answer'],
        ),
      ),
      maxBytes: LOG_BYTES,
    }),
  },
});

/** The id of a message on the wire (`webhook-id`, and `id` of the CloudEvent). */
export const messageIdOf = (uuid: string): string => `msg_${uuid.replaceAll('-', '')}`;
