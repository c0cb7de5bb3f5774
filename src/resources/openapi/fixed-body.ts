import type { Type } from '@nestjs/common';
import { attributesOf } from '../../base/validation/class-validation.js';
import { Component, type Json, namedSchema, type Schema } from './component.js';
import { exactly } from './schemas.js';

/**
 * The schema of a body of fixed shape, from the decorators of its class (`*.dto.ts`) and the values of a new instance
 * (docs/decisions/0048): `FetchDto` becomes `FetchBody`.
 */
export function fixedBody(type: Type): Component {
  const attributes = attributesOf(type);
  const defaults = new type() as Record<string, unknown>;
  const schemaOf = ({ name, schema, isOptional }: (typeof attributes)[number]): Schema => {
    if (schema instanceof Component || !isOptional) return schema as Schema;
    const value = defaults[name] ?? null;
    return { ...blankable(schema as Json), ...(value !== null && { default: value }) };
  };
  return namedSchema(
    type.name.replace(/Dto$/, 'Body'),
    exactly(
      Object.fromEntries(attributes.map((attribute) => [attribute.name, schemaOf(attribute)])),
      attributes.filter(({ isOptional }) => isOptional).map(({ name }) => name),
    ),
  );
}

/** The same schema with null, which means the default. */
const blankable = ({ type, enum: choices, ...limits }: Json): Json =>
  Array.isArray(choices)
    ? { ...limits, enum: [...(choices as unknown[]), null] }
    : { ...limits, type: [type, 'null'].flat() };
