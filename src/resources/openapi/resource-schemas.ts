import type { Attribute } from '../attributes/attribute.js';
import type { Resource, Size } from '../resource.js';
import { type Component, type Json, namedSchema, type Schema } from './component.js';
import { atLeast } from './schemas.js';

/** The plural of a resource in PascalCase (`api-keys` to `ApiKeys`), for operations and tags. */
export const pluralOf = ({ name }: Resource): string =>
  name.replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase());

/** The attributes of a representation; each is always present, except for the optional ones. */
const attributesOf = (resource: Resource, size: Size) =>
  [...resource.attributes].filter(
    ([, { options }]) => size === 'detailed' || !options.detailedOnly,
  );

const optionalOf = (resource: Resource): string[] =>
  [...resource.attributes].flatMap(([name, { options }]) =>
    options.omittedWhenBlank ? [name] : [],
  );

/** The same schema without null. */
function notNull(schema: Json): Json {
  const { type, enum: codes, oneOf } = schema;
  if (Array.isArray(oneOf)) return (oneOf as Json[]).find((one) => one.type !== 'null')!;
  const types = Array.isArray(type) ? type.filter((name) => name !== 'null') : [];
  return {
    ...schema,
    ...(types.length > 0 && { type: types.length > 1 ? types : (types[0] as string) }),
    ...(Array.isArray(codes) && { enum: codes.filter((code) => code !== null) }),
  };
}

/** A schema that allows unknown attributes, as answers do. */
const opened = (schema: Json): Json =>
  JSON.parse(
    JSON.stringify(schema, (name, value: unknown) =>
      name === 'additionalProperties' && value === false ? undefined : value,
    ),
  ) as Json;

/** The schema of an attribute in an answer. */
const answered = (attribute: Attribute, schema: Json): Json =>
  attribute.isNeverNull ? notNull(opened(schema)) : opened(schema);

const representation = (resource: Resource, size: Size): Json =>
  atLeast(
    Object.fromEntries(
      attributesOf(resource, size).map(([name, attribute]) => [
        name,
        answered(attribute, attribute.schema() as Json),
      ]),
    ),
    optionalOf(resource),
  );

/** An item of a list, e.g. `User`. */
export const itemSchema = (resource: Resource): Component =>
  namedSchema(resource.schemaName, () => representation(resource, 'list'));

/** The object itself, e.g. `UserDetailed`. */
export const detailedSchema = (resource: Resource): Component =>
  namedSchema(`${resource.schemaName}Detailed`, () => representation(resource, 'detailed'));

/**
 * An item of a list with responseMode=user, e.g. `UserDisplayed`: texts instead of codes, links and timestamps. No
 * answer refers to it, since a client would get a union; the description of `responseMode` names it.
 */
export const displayedSchema = (resource: Resource): Component =>
  namedSchema(`${resource.schemaName}Displayed`, () =>
    atLeast(
      Object.fromEntries(
        attributesOf(resource, 'list').map(([name, attribute]) => [
          name,
          answered(attribute, attribute.displaySchema() as Json),
        ]),
      ),
      optionalOf(resource),
    ),
  );

/**
 * A body of POST and PUT, e.g. `UserBody`; null and omitted are blank.
 * @param part a differently named body without some attributes, or with other required ones
 */
export function bodySchema(
  resource: Resource,
  part: { name: string; without: string[]; required?: string[] } = {
    name: resource.schemaName,
    without: [],
  },
): Component {
  const writable = resource.writable.filter(([name]) => !part.without.includes(name));
  const required =
    part.required ?? writable.filter(([, { options }]) => options.required).map(([name]) => name);
  return namedSchema(`${part.name}Body`, {
    type: 'object',
    properties: Object.fromEntries(
      writable.map(([name, attribute]) => [
        name,
        attribute.options.required
          ? notNull(attribute.inputSchema() as Json)
          : (attribute.inputSchema() as Json),
      ]),
    ),
    ...(required.length > 0 && { required }),
  });
}

/** A body of PUT: that of a POST, where the attributes that decide who sees the object are required. */
export function putSchema(resource: Resource, body: Component): Schema {
  const required = resource.writable.flatMap(([name, { options }]) =>
    options.requiredInPut ? [name] : [],
  );
  return required.length > 0 ? { allOf: [body, { type: 'object', required }] } : body;
}
