import { LinkAttribute } from './attributes/link-attribute.js';
import { LinksAttribute } from './attributes/links-attribute.js';
import type { Resource } from './resource.js';

/**
 * Gives every link of these resources the resources that it names. Applications of one process share the
 * descriptions, so connecting them again changes nothing.
 * @param unused resources that the caller lacks: links to them cannot be used
 * @throws Error when a link names a resource that is not among them
 */
export function connectLinks(resources: Resource[], unused: readonly string[] = []): void {
  const byName = new Map(resources.map((resource) => [resource.name, resource]));
  for (const { name, attributes, writeOnly } of resources)
    for (const attribute of [...attributes.values(), ...writeOnly.values()]) {
      if (!(attribute instanceof LinkAttribute || attribute instanceof LinksAttribute)) continue;
      if (attribute.linked.names.some((target) => unused.includes(target))) continue;
      const targets = attribute.linked.names.map((target) => {
        const found = byName.get(target);
        if (found) return found;
        throw new Error(
          `the link ${name}.${attribute.name} names the resource ${target}, which is none of ${[...byName.keys()].join(', ')}`,
        );
      });
      attribute.linked.connect(targets);
    }
}
