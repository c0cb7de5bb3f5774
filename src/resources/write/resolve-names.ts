import type { Reader, Transaction } from '../../database/database.js';
import type { Caller } from '../../security/caller.js';
import { UnknownName } from '../attributes/link-input.js';
import { LinkAttribute } from '../attributes/link-attribute.js';
import { LinksAttribute } from '../attributes/links-attribute.js';
import { type GivenName, idsByName, nameIn, takesName } from '../names.js';
import type { Resource } from '../resource.js';
import { uriOf } from '../uri.js';
import type { Visibility } from '../visibility.js';
import type { Values } from './pending-write.js';
import { reason } from '../../base/errors/reason.js';

/**
 * Replaces the names in the links of a body by URIs: ids differ from one installation to the next
 * (docs/api-contract.md#names). A name of no object that the caller sees becomes an UnknownName, which `resolveLinks`
 * rejects.
 */
export async function resolveNames(
  resource: Resource,
  body: unknown,
  caller: Caller,
  transaction: Transaction,
): Promise<unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const given = { ...(body as Values) };
  for (const [name, attribute] of resource.writable) {
    if (!Object.hasOwn(given, name)) continue;
    const value = given[name];
    if (attribute instanceof LinkAttribute) {
      const seen: Visibility = (viewer, alias) => attribute.seenBy(viewer, alias);
      const { target } = attribute;
      [given[name]] = await urisOf([value], [{ target, seen }], caller, transaction);
    } else if (attribute instanceof LinksAttribute && Array.isArray(value)) {
      const among = attribute.targets.map((target) => ({
        target,
        seen: target.visible,
      }));
      given[name] = await urisOf(value, among, caller, transaction);
    }
  }
  return given;
}

/** A resource that a link can point to, and which of its objects the caller sees. */
interface Target {
  target: Resource;
  seen: Visibility | undefined;
}

/** Replaces names in links by URIs; other values stay. One statement looks up all names of a resource. */
export async function urisOf(
  links: unknown[],
  among: Target[],
  caller: Caller,
  reader: Reader,
): Promise<unknown[]> {
  const names = links.map((link) => {
    const name = nameIn(link);
    return name && among.some(({ target }) => takesName(target, name)) ? name : undefined;
  });
  if (names.every((name) => name === undefined)) return links;
  const found: Found[] = [];
  for (const { target, seen } of among) {
    const wanted = names.flatMap((name) => (name && takesName(target, name) ? [name.name] : []));
    const ids = await idsByName(target, wanted, { caller, reader, seen });
    found.push({ target, ids });
  }
  return links.map((link, at) => {
    const name = names[at];
    return name ? uriOfName(name, found) : link;
  });
}

/** The ids of the objects of one resource, by name. */
interface Found {
  target: Resource;
  ids: Map<string, string>;
}

/** A name that matches objects of two resources names neither. */
function uriOfName(given: GivenName, found: Found[]): string | UnknownName {
  const { name } = given;
  const among = found.filter(({ target }) => takesName(target, given));
  const fitting = among.filter(({ ids }) => ids.has(name));
  const [one] = fitting;
  if (one && fitting.length === 1) return uriOf(one.target.ref.uri, one.ids.get(name));
  return new UnknownName(
    one
      ? reason('ambiguous-name', {
          value: name,
          nouns: fitting.map(({ target }) => target.nounWithArticle),
        })
      : reason('unknown-name', {
          noun: among.map(({ target }) => target.noun).join(' or '),
          value: name,
        }),
  );
}
