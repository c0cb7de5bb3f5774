import { namedSchema } from '../../resources/openapi/component.js';
import {
  count,
  atLeast,
  flag,
  listOf,
  orNull,
  REF,
  text,
  textOrNull,
  timestamp,
} from '../../resources/openapi/schemas.js';
import { EVENT_KINDS, TEST_KIND } from '../events/event-kinds.js';

/** The only answer that holds the secret. */
export const NEW_SECRET = namedSchema(
  'NewEndpointSecret',
  atLeast({ secret: text, signature: text, formerExpiration: orNull(timestamp) }),
);

/** `next` is the `fromDelivery` of the next call; null when there are no more. */
export const REPLAYED = namedSchema('Replayed', atLeast({ count, next: textOrNull }));

/** The last attempt, when it failed; without an answer, `status` is null. */
export const LAST_ERROR = orNull(
  atLeast({ attemptDate: timestamp, status: { type: ['integer', 'null'] }, message: textOrNull }),
);

/** The endpoints that need an administrator's attention. */
export const ENDPOINT_ALERTS = namedSchema(
  'EndpointAlerts',
  listOf(
    atLeast({
      endpoint: REF,
      failed: count,
      waiting: count,
      oldestWaitingDate: orNull(timestamp),
      attemptsUsed: { type: 'integer', minimum: 0, maximum: 100 },
      lastError: LAST_ERROR,
    }),
  ),
);

export const RETRIED = namedSchema('Retried', atLeast({ count }));

export const TEST_DELIVERY = namedSchema('TestDelivery', atLeast({ id: text, messageId: text }));

/** A CloudEvent in structured mode, and a body of Standard Webhooks (docs/api-contract.md#task-events). */
export const TASK_EVENT = namedSchema(
  'TaskEvent',
  atLeast(
    {
      specversion: { const: '1.0' },
      id: text,
      source: text,
      type: { enum: [...EVENT_KINDS, TEST_KIND] },
      subject: text,
      time: timestamp,
      timestamp,
      datacontenttype: { const: 'application/json' },
      data: { type: 'object' },
    },
    ['subject'],
  ),
);

export const FETCHED = namedSchema(
  'FetchedDeliveries',
  atLeast({
    deliveries: listOf(
      atLeast({ id: text, retries: count, leasedUntil: timestamp, event: TASK_EVENT }),
    ),
  }),
);

/** A result for each delivery, in the order of the request. */
export const WORK_RESULTS = namedSchema(
  'WorkResults',
  atLeast({ results: listOf(atLeast({ id: text, done: flag })) }),
);

/** The answer of Camunda 7's `fetchAndLock`. The server fills only the parts that a worker needs. */
export const EXTERNAL_TASKS = namedSchema(
  'ExternalTasks',
  listOf(
    atLeast({
      id: text,
      topicName: text,
      workerId: text,
      lockExpirationTime: text,
      retries: count,
      priority: count,
      businessKey: textOrNull,
      processInstanceId: textOrNull,
      errorMessage: { type: 'null' },
      errorDetails: { type: 'null' },
      variables: { type: 'object' },
    }),
  ),
);

/** A body from a client of Camunda 7. The server ignores unknown attributes. */
export const EXTERNAL_TASK_BODY = namedSchema('ExternalTaskBody', {
  type: 'object',
  examples: [{ workerId: 'purchase-1', maxTasks: 10, topics: [{ topicName: '1' }] }],
});
