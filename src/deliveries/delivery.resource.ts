import { atLeast, listOf, textOrNull, timestamp as moment } from '../openapi/schemas.js';
import {
  computed,
  enumeration,
  number,
  text,
  timestamp,
} from '../resources/attributes/attributes.js';
import { NumberAttribute } from '../resources/attributes/number-attribute.js';
import { resource } from '../resources/resource.js';
import type { Row } from '../database/database.js';
import { EVENT_LABELS } from './event-kinds.js';

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

/** The id of the task, by which the deliveries of one task are found. */
class TaskId extends NumberAttribute {
  override present(row: Row, at: number): unknown {
    const id = row[at] as string | null;
    return id === null ? null : String(id);
  }

  override schema(): Record<string, unknown> {
    return { type: ['string', 'null'] };
  }
}

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
    taskUri: computed({
      sql: (alias) => `${alias}.task_id`,
      make: (value) => (value === null ? null : `/process/tasks/${value as string}`),
      schema: { type: ['string', 'null'] },
    }),
    taskId: new TaskId({ ...readOnly, unsorted: true }),
    taskTitle: computed({
      sql: (alias) => `${alias}.data -> 'task' ->> 'title'`,
      make: (value) => value,
      schema: { type: ['string', 'null'] },
    }),
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
      make: (value) => value,
      schema: listOf(
        atLeast(
          {
            date: moment,
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
