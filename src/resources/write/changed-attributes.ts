import type { PendingWrite } from './pending-write.js';
import type { Attribute } from '../attributes/attribute.js';
import { LinkAttribute } from '../attributes/link-attribute.js';
import { LinksAttribute } from '../attributes/links-attribute.js';
import { TimestampAttribute } from '../attributes/timestamp-attribute.js';

/**
 * The names of the values that differ from the representation before the change; without any, nothing is
 * written. An invalid value counts as different, and so does every value of a write-only attribute.
 */
export function changedAttributes({ change, before = {}, values, faults }: PendingWrite): string[] {
  const { attributes, writeOnly } = change.resource;
  const invalid = new Set(faults.map(({ name }) => name));
  return Object.keys(values).filter((name) => {
    if (invalid.has(name)) return true;
    if (writeOnly.has(name)) return values[name] !== null;
    const attribute = attributes.get(name)!;
    return comparable(attribute, values[name]) !== comparable(attribute, before[name]);
  });
}

/** The canonical text of a value: equal for every way to write the same value. */
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
