import { INVALID_FIELD } from '../../resources/openapi/responses.js';
import { namedSchema } from '../../resources/openapi/component.js';
import { count, atLeast, flag, listOf, orNull, text } from '../../resources/openapi/schemas.js';
import { tasks } from '../tasks/task.resource.js';
import { NOT_IN_ITEMS } from './push-item.js';
import { MAX_ITEMS } from './push-request.js';
import { bodySchema } from '../../resources/openapi/resource-schemas.js';

/** What became of one task of a push, in the order of the request. */
const RESULT = namedSchema(
  'PushResult',
  atLeast({
    externalId: orNull(text),
    result: { enum: ['created', 'updated', 'unchanged', 'stale', 'refused'] },
    uri: orNull(text),
    fields: listOf(INVALID_FIELD),
    unknown: listOf(text),
    inactive: listOf(text),
    ignored: listOf(text),
  }),
);

const SUMS = {
  stored: flag,
  created: count,
  updated: count,
  unchanged: count,
  stale: count,
  refused: count,
  cancelled: count,
  unknown: listOf(text),
  inactive: listOf(text),
};

/** The answer to a push (docs/api-contract.md#pushing-tasks). */
export const PUSHED = namedSchema('Pushed', atLeast({ ...SUMS, results: listOf(RESULT) }));

/** A line of the answer to a stream: a result, or in the last line the sums or an error. */
export const PUSHED_LINE = {
  anyOf: [
    RESULT,
    namedSchema('PushedSums', atLeast(SUMS)),
    {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'integer' }, message: text },
    },
  ],
};

/** A task of a push, or a line of a stream. Omitted attributes keep their value; in a new task they are blank. */
export const PUSH_ITEM = bodySchema(tasks, {
  name: 'PushItem',
  without: NOT_IN_ITEMS,
  required: ['externalId'],
});

/** The body of a push. */
export const PUSH_BODY = { ...listOf(PUSH_ITEM), maxItems: MAX_ITEMS };
