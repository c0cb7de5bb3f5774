import type { InvalidField } from '../../errors/api-errors.js';
import type { WriteHooks } from './pending-write.js';
import type { Attribute } from '../attributes/attribute.js';
import { LinkAttribute, LinksAttribute } from '../attributes/link-attributes.js';
import type { Resource } from '../resource.js';
import { TimestampAttribute } from '../attributes/scalar-attributes.js';

type Values = Record<string, unknown>;

/**
 * The values that differ from a representation; a change of nothing writes nothing.
 * @param bad the attributes whose values are wrong: each of them differs
 */
export function changedAttributes(
  resource: Resource,
  rules: WriteHooks,
  { before, values, bad }: { before: Values; values: Values; bad: InvalidField[] },
): Values {
  const wrong = new Set(bad.map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => {
      if (wrong.has(name)) return true;
      if (Object.hasOwn(rules.secret ?? {}, name)) return value !== null;
      const attribute = resource.attributes.get(name)!;
      return comparable(attribute, value) !== comparable(attribute, before[name]);
    }),
  );
}

/** One text for all ways of writing the same value. */
function comparable(attribute: Attribute, value: unknown): string {
  if (value === null || value === undefined)
    return attribute instanceof LinksAttribute ? '[]' : 'null';
  if (attribute instanceof LinksAttribute)
    return JSON.stringify(
      attribute
        .idsIn(value)
        .map(({ id }) => id)
        .sort(),
    );
  if (attribute instanceof LinkAttribute) return String(attribute.toStored(value));
  if (attribute instanceof TimestampAttribute)
    return new Date(attribute.toStored(value) as string).toISOString();
  return JSON.stringify(attribute.toStored(value));
}
