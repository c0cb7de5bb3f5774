import { namedSchema } from '../openapi/component.js';
import {
  count,
  atLeast,
  exactly,
  flag,
  listOf,
  orNull,
  REF,
  text,
  textOrNull,
  timestamp,
} from '../openapi/schemas.js';
import { MAX_REASON } from './confirmations.js';
import {
  MAX_DELAY,
  MAX_DELIVERIES,
  MAX_LEASE,
  MAX_MESSAGE,
  MAX_NAME,
  MAX_RETRIES,
  MAX_WAIT,
  SCHEMES,
} from './endpoint.dto.js';
import { EVENT_KINDS, TEST_KIND } from './event-kinds.js';

const optional = (schema: Record<string, unknown>) => ({ ...schema, type: ['integer', 'null'] });

export const SECRET_BODY = namedSchema(
  'EndpointSecretBody',
  exactly({ overlap: optional({ minimum: 0, maximum: 720, default: 24 }) }, ['overlap']),
);

/** The only answer that holds the secret. */
export const NEW_SECRET = namedSchema(
  'NewEndpointSecret',
  atLeast({ secret: text, signature: text, formerExpiration: orNull(timestamp) }),
);

/** How an endpoint with an adapter signs in at its engine. */
export const CREDENTIALS_BODY = namedSchema(
  'EndpointCredentialsBody',
  exactly(
    {
      scheme: { enum: SCHEMES },
      user: textOrNull,
      secret: textOrNull,
      tokenUrl: textOrNull,
      scope: textOrNull,
      audience: textOrNull,
    },
    ['user', 'secret', 'tokenUrl', 'scope', 'audience'],
  ),
);

/** Deliveries by id, or those to which everything else that is given applies. */
export const REPLAY_BODY = namedSchema(
  'ReplayBody',
  exactly(
    {
      deliveries: orNull(listOf(text)),
      failed: { enum: [true, null] },
      from: orNull(timestamp),
      to: orNull(timestamp),
      fromDelivery: textOrNull,
    },
    ['deliveries', 'failed', 'from', 'to', 'fromDelivery'],
  ),
);

/** `next` is the `fromDelivery` of the next call; null when there are no more. */
export const REPLAYED = namedSchema('Replayed', atLeast({ count, next: textOrNull }));

/** The last attempt, when it failed; without an answer, `status` is null. */
export const LAST_ERROR = orNull(
  atLeast({ attemptDate: timestamp, status: { type: ['integer', 'null'] }, message: textOrNull }),
);

/** The endpoints that an administrator should look at. */
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

const worker = { type: 'string', minLength: 1, maxLength: MAX_NAME };

export const FETCH_BODY = namedSchema(
  'FetchBody',
  exactly(
    {
      worker,
      limit: optional({ minimum: 1, maximum: MAX_DELIVERIES, default: 10 }),
      lease: optional({ minimum: 1, maximum: MAX_LEASE, default: 60 }),
      wait: optional({ minimum: 0, maximum: MAX_WAIT, default: 0 }),
    },
    ['limit', 'lease', 'wait'],
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

const work = { worker, deliveries: { ...listOf(text), minItems: 1, maxItems: MAX_DELIVERIES } };
export const WORK_BODY = namedSchema('WorkBody', exactly(work));
export const EXTEND_BODY = namedSchema(
  'ExtendBody',
  exactly({ ...work, lease: { type: 'integer', minimum: 1, maximum: MAX_LEASE } }),
);
export const REFUSE_BODY = namedSchema(
  'RefuseBody',
  exactly({ ...work, reason: { type: 'string', minLength: 1, maxLength: MAX_REASON } }),
);
export const FAIL_BODY = namedSchema(
  'FailBody',
  exactly(
    {
      ...work,
      retries: optional({ minimum: 0, maximum: MAX_RETRIES }),
      delay: optional({ minimum: 0, maximum: MAX_DELAY, default: 0 }),
      message: { type: ['string', 'null'], maxLength: MAX_MESSAGE },
    },
    ['retries', 'delay', 'message'],
  ),
);

/** A result for each delivery, in the order of the request. */
export const WORK_RESULTS = namedSchema(
  'WorkResults',
  atLeast({ results: listOf(atLeast({ id: text, done: flag })) }),
);

/** What `fetchAndLock` of Camunda 7 answers; only the parts that a worker needs are filled. */
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

/** A body that clients of Camunda 7 send: attributes that are not known are ignored. */
export const EXTERNAL_TASK_BODY = namedSchema('ExternalTaskBody', { type: 'object' });
