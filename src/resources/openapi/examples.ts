import { ATTRIBUTES, LINKED, OBJECTS } from './attribute-examples.js';

/** The keywords of JSON Schema that determine an example. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  minimum?: number;
  const?: unknown;
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  examples?: unknown[];
}

type Contents = Record<string, { schema: Schema; example?: object }>;

interface Operation {
  requestBody?: { content: Contents };
  responses: Record<string, { content?: Contents }>;
}

interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const JSON_TYPE = 'application/json';
const JSON_PATCH_TYPE = 'application/json-patch+json';
const MOMENT = '2026-11-02T09:00:00.000Z';

/**
 * Adds an example to each body and each successful answer in JSON, and to the schemas of responseMode=user: composed by the
 * schema from the examples that it states itself, those of attributes (attribute-examples.ts) and those of types.
 */
export function addExamples({ paths, components: { schemas } }: Description): void {
  const compose = composer(schemas);
  for (const [name, schema] of Object.entries(schemas))
    if (name.endsWith('Displayed')) schema.examples = [compose(schema, '', kindOf(name))];
  for (const operations of Object.values(paths)) {
    for (const { requestBody, responses } of Object.values(operations))
      for (const content of [requestBody?.content, Object.values(responses)[0]?.content])
        if (content?.[JSON_TYPE])
          content[JSON_TYPE].example = compose(content[JSON_TYPE].schema) as object;
    const { put, patch } = operations;
    const replaced = put?.requestBody?.content[JSON_TYPE]?.example ?? {};
    const patches = patch?.requestBody?.content ?? {};
    if (JSON_PATCH_TYPE in patches)
      for (const content of Object.values(patches)) content.example = patchOf(replaced);
  }
}

/** A patch of the last text that a PUT with this body writes. */
const patchOf = (replaced: object): object[] =>
  Object.entries(replaced as Record<string, unknown>)
    .filter(([, value]) => typeof value === 'string')
    .slice(-1)
    .map(([name, value]) => ({ op: 'replace', path: `/${name}`, value }));

/** `User`, for the schemas `User`, `UserDetailed`, `UserDisplayed`, `UserBody` and `UserRecord`. */
const kindOf = (component: string): string =>
  component.replace(/(Detailed|Displayed|Body|Record)$/, '');

/** A function that composes the example of a schema, of an attribute with this name of this kind of object. */
function composer(schemas: Record<string, Schema>) {
  const componentOf = ({ $ref = '' }: Schema): string => $ref.split('/').at(-1)!;

  function compose(schema: Schema, name = '', kind = ''): unknown {
    const own = [OBJECTS[kind]?.[name], ATTRIBUTES[name]].find(
      (value) => value !== undefined && fits(schema, value),
    );
    if (own !== undefined) return own;
    if (schema.examples) return schema.examples[0];
    const { $ref, anyOf, oneOf = anyOf, allOf, enum: choices, type, items = {} } = schema;
    if ($ref !== undefined)
      return compose(schemas[componentOf(schema)]!, name, kindIn(schema, name));
    if (oneOf)
      return compose(
        oneOf.find((one) => one.type !== 'null')!,
        name,
        kind,
      );
    if (allOf) return compose(merged(allOf), name, kindIn(allOf[0]!, name));
    if ('const' in schema) return schema.const;
    if (choices) return choices.find((choice) => choice !== null);
    const types = [type].flat();
    const linked = OBJECTS[LINKED[name] ?? ''];
    if (types.includes('string')) {
      if (schema.format === 'date-time') return MOMENT;
      return types.includes('object') ? linked?.uri : linked?.label;
    }
    if (types.includes('array')) return [compose(items, name, kind)];
    if (types.includes('object')) return object(schema, kind);
    if (types.includes('integer')) return Math.max(1, schema.minimum ?? 1);
    return types.includes('boolean') ? false : undefined;
  }

  /** The required attributes, and those of the example object of this kind. */
  function object({ properties = {}, required = [] }: Schema, kind: string): object {
    const shown = Object.entries(properties).filter(
      ([name]) => required.includes(name) || (OBJECTS[kind]?.[name] ?? null) !== null,
    );
    return Object.fromEntries(shown.map(([name, schema]) => [name, compose(schema, name, kind)]));
  }

  /** The kind of a component; that of a link follows from its name. */
  function kindIn(schema: Schema, name: string): string {
    const component = componentOf(schema);
    return /^(Ref|AuditObject)$/.test(component) ? (LINKED[name] ?? 'User') : kindOf(component);
  }

  function merged(parts: Schema[]): Schema {
    const whole = parts.map((part) => schemas[componentOf(part)] ?? part);
    return {
      type: 'object',
      properties: Object.assign(
        {},
        ...whole.map(({ properties }) => properties),
      ) as Schema['properties'] & object,
      required: whole.flatMap(({ required = [] }) => required),
    };
  }

  /** Whether a value has the type, or is one of the choices, of a schema. */
  function fits(schema: Schema, value: unknown): boolean {
    const { $ref, anyOf, oneOf = anyOf, enum: choices, type, format, items } = schema;
    if ($ref !== undefined) return fits(schemas[componentOf(schema)]!, value);
    if (oneOf) return oneOf.some((one) => fits(one, value));
    if ('const' in schema) return schema.const === value;
    if (choices) return choices.includes(value);
    if (Array.isArray(value) && items && !value.every((item) => fits(items, item))) return false;
    if (format === 'date-time' && typeof value === 'string') return /^\d{4}-/.test(value);
    return type === undefined || [type].flat().includes(typeOf(value));
  }

  return compose;
}

/** The type of a value in JSON Schema. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' ? 'integer' : typeof value;
}
