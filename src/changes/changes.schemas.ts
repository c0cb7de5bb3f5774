import { namedSchema } from '../resources/openapi/component.js';
import { itemSchema } from '../resources/openapi/resource-schemas.js';
import { count, atLeast, flag, listOf, text, texts } from '../resources/openapi/schemas.js';
import { KINDS } from './kinds.js';

const kind = { enum: KINDS.map(({ name }) => name) };

const CURRENT_OBJECT = namedSchema(
  'CurrentObject',
  atLeast({
    kind,
    ...texts('id', 'uri'),
    state: { const: 'current' },
    revision: count,
    object: { anyOf: KINDS.map(itemSchema) },
  }),
);

const TOMBSTONE = namedSchema(
  'Tombstone',
  atLeast({ kind, ...texts('id', 'uri'), state: { enum: ['deleted', 'out-of-sight'] } }),
);

const end = { next: text, upToDate: flag };

/** A page of the change feed (docs/api-contract.md#changes). */
export const CHANGES = namedSchema(
  'Changes',
  atLeast({ changes: listOf({ anyOf: [CURRENT_OBJECT, TOMBSTONE] }), ...end }),
);

/** A line of the change feed as NDJSON; the last one has the cursor. */
export const CHANGE_LINE = namedSchema('ChangeLine', {
  anyOf: [CURRENT_OBJECT, TOMBSTONE, atLeast(end)],
});
