import { faultsOfItems } from '../../base/validation/class-validation.js';
import { nameIn } from '../names.js';
import { idIn } from '../uri.js';
import { InvalidValue } from './filterable.js';
import { type Reason, reason } from '../../base/errors/reason.js';

/**
 * The JSON Schema of a link in a body (docs/api-contract.md#names): a text, or an object of which an id decides before a name.
 * @param targets the names of the resources that it can point to
 */
export function linkSchema(
  targets: readonly string[],
  { isOptional = false } = {},
): Record<string, unknown> {
  const names = [...(targets.includes('users') ? ['login'] : []), 'reference'];
  return {
    type: ['string', 'object', ...(isOptional ? ['null'] : [])],
    description: `a URI, an id, a name (${names.join(' or ')}), or an object with one of these`,
    properties: Object.fromEntries(
      ['id', 'uri', ...names].map((name) => [name, { type: ['string', 'null'] }]),
    ),
    // A link of an answer is sent back with its label.
    additionalProperties: true,
  };
}

/** A link in a body that is an object. */
interface Link {
  id?: unknown;
  uri?: unknown;
}

/** A name in a body that names no object visible to the caller. The lookup of the linked objects reports it. */
export class UnknownName {
  constructor(readonly fault: Reason) {}
}

/** The id that a link in a body names: by a URI, an id, or an object with `uri` or `id`. */
export function linkIdIn(value: unknown, prefixes: string[]): string | undefined {
  if (typeof value === 'string') return first(prefixes, (prefix) => idIn(value, prefix));
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, uri } = value as Link;
  const given = [id, uri].filter((part) => part !== undefined && part !== null);
  const ids = given.map((part) =>
    typeof part === 'string' ? first(prefixes, (prefix) => idIn(part, prefix)) : undefined,
  );
  // An id and a URI that disagree name two objects.
  return ids.length > 0 && ids.every((found) => found === ids[0]) ? ids[0] : undefined;
}

/** Whether a link in a body is given by a URI with this prefix. */
export function namesKind(value: unknown, prefix: string): boolean {
  const uri =
    typeof value === 'object' && value !== null ? (value as { uri?: unknown }).uri : value;
  return typeof uri === 'string' && uri.startsWith(`${prefix}/`);
}

function first<T, R>(items: T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The id that the value of a filter names.
 * @throws InvalidValue when the value is neither an id nor a URI with one of these prefixes
 */
export function parseLinkFilter(text: string, prefixes: string[]): string {
  const id = linkIdIn(text, prefixes);
  if (id === undefined) throw new InvalidValue(notALink(prefixes));
  return id;
}

/** Examples of URIs with these prefixes, for messages. */
export const urisLike = (prefixes: string[]): string =>
  prefixes.map((prefix) => `${prefix}/1`).join(' or ');

const notALink = (prefixes: string[]): Reason => reason('not-a-link', { uris: urisLike(prefixes) });

/** Makes a check that a value of a body is an id or a URI with one of these prefixes. */
export const validateLink =
  (prefixes: string[]) =>
  (value: unknown): Reason | undefined => {
    if (value instanceof UnknownName || linkIdIn(value, prefixes) !== undefined) return undefined;
    const { id, uri } = (typeof value === 'object' ? (value ?? {}) : { id: value }) as Link;
    if (typeof id === 'number') return reason('numeric-id', { uris: urisLike(prefixes), id });
    const ids = [id, uri].map((part) => linkIdIn(part, prefixes));
    return ids.includes(undefined) ? notALink(prefixes) : reason('two-objects');
  };

/** Makes a check that a value of a body is an array of such links. */
export const validateLinks =
  (prefixes: string[]) =>
  (value: unknown): Reason | Reason[] | undefined =>
    Array.isArray(value)
      ? faultsOfItems(value, validateLink(prefixes))
      : reason('not-an-array', { noun: 'links' });

/** The ids of objects that valid links name, by a URI with this prefix or by an id. */
export const linkIdsIn = (links: unknown[], prefix: string): string[] =>
  links.map((link) => linkIdIn(link, [prefix])!);

/** Makes a check that a value of a body is a link by URI, id or name, which `idsOfLinks` looks up. */
export const faultOfNamedLink = (prefix: string): ((link: unknown) => Reason | undefined) => {
  const validate = validateLink([prefix]);
  return (link) => (nameIn(link) === undefined ? validate(link) : undefined);
};
