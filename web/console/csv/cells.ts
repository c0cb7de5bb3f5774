import type { Ref } from '../../api-client/types.js';
import { cellOfValue, writeMember } from '../../../src/base/csv/cells.js';
import { type Attribute, descriptionOf } from '../api/description.js';
import { targetsOf } from '../resources.js';

/** The attribute that identifies the records of a resource in a file. */
export const keyOf = (resource: string): string => (resource === 'users' ? 'login' : 'reference');

/** The memberships of a user are written through the groups, so they are not a writable attribute. */
export const isMemberships = (resource: string, { name }: Attribute): boolean =>
  resource === 'users' && name === 'groups';

/** The attributes that a file of a resource can have as columns. */
export const fileAttributes = (resource: string): Attribute[] =>
  descriptionOf(resource).attributes.filter((attribute) =>
    resource === 'audit'
      ? attribute.listed
      : attribute.writable ||
        attribute.name === keyOf(resource) ||
        isMemberships(resource, attribute),
  );

/** An audience links to several resources, so the resource stands before the reference. */
const isMixed = (attribute: Attribute): boolean => targetsOf(attribute.name).length > 1;

/** A value of the API as a cell of a file. */
export function writeCellOf(attribute: Attribute, value: unknown): string {
  const write = ({ uri, reference }: Ref): string => {
    // Only the URI identifies the object of a line of the audit trail.
    if (targetsOf(attribute.name).length === 0) return uri;
    return isMixed(attribute) ? writeMember(uri.split('/')[2]!, reference) : reference;
  };
  if (attribute.type === 'link') return cellOfValue(value && write(value as Ref));
  if (attribute.type === 'links') return cellOfValue((value as Ref[] | undefined)?.map(write));
  return cellOfValue(value);
}
