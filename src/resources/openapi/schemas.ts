import { OPERATION_NAMES, type OperationName } from '../../base/json-patch/parse-patch.js';
import { type Component, type Json, namedSchema, type Schema } from './component.js';

export const text: Json = { type: 'string' };
export const flag: Json = { type: 'boolean' };
export const count: Json = { type: 'integer', minimum: 0 };
export const textOrNull: Json = { type: ['string', 'null'] };
export const timestamp: Json = {
  type: 'string',
  format: 'date-time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
};
export const binary: Json = { type: 'string', contentEncoding: 'binary' };

export const listOf = (items: Schema): Json => ({ type: 'array', items });
export const orNull = (schema: Schema): Json => ({ anyOf: [schema, { type: 'null' }] });

/** An object of an answer, to which later versions may add attributes; each is required unless listed as optional. */
export const atLeast = (properties: Record<string, Schema>, optional: string[] = []): Json => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

/** An object of a body: the server refuses any other attribute. */
export const exactly = (properties: Record<string, Schema>, optional: string[] = []): Json => ({
  ...atLeast(properties, optional),
  additionalProperties: false,
});

/** Attributes that are plain texts. */
export const texts = (...names: string[]): Record<string, Json> =>
  Object.fromEntries(names.map((name) => [name, text]));

/** A link in an answer (docs/api-contract.md#ref). */
export const REF: Component = namedSchema('Ref', atLeast(texts('id', 'uri', 'reference', 'label')));

/** The object of a line of the audit trail (docs/api-contract.md#audit-trail). */
export const AUDIT_OBJECT: Component = namedSchema(
  'AuditObject',
  atLeast({ id: textOrNull, uri: text, reference: textOrNull, label: textOrNull }),
);

/** One item of `GET {resource}/attributes`. */
export const ATTRIBUTE_DESCRIPTION: Component = namedSchema(
  'AttributeDescription',
  atLeast({
    ...texts('name', 'type'),
    sortable: flag,
    operators: listOf(text),
    writable: flag,
    required: flag,
    maxLength: { type: ['integer', 'null'] },
    codes: { type: ['array', 'null'], items: { type: ['string', 'integer'] } },
    listed: flag,
    translates: { type: ['array', 'null'], items: text },
  }),
);

/** An operation of a patch. The server ignores members that RFC 6902 does not define. */
const operation = (op: OperationName, members: Record<string, Schema>): Component =>
  namedSchema(
    `${op[0]!.toUpperCase()}${op.slice(1)}Operation`,
    atLeast({ op: { const: op }, path: text, ...members }),
  );

const PATCH_OPERATIONS: Record<OperationName, Component> = {
  add: operation('add', { value: {} }),
  remove: operation('remove', {}),
  replace: operation('replace', { value: {} }),
  move: operation('move', { from: text }),
  copy: operation('copy', { from: text }),
  test: operation('test', { value: {} }),
};

/** The body of a PATCH (RFC 6902). */
export const JSON_PATCH: Component = namedSchema(
  'JsonPatch',
  listOf({
    oneOf: OPERATION_NAMES.map((op) => PATCH_OPERATIONS[op]),
    discriminator: {
      propertyName: 'op',
      mapping: Object.fromEntries(
        OPERATION_NAMES.map((op) => [op, `#/components/${PATCH_OPERATIONS[op].toJSON()}`]),
      ),
    },
  }),
);
