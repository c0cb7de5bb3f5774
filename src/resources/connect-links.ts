import { LinkTargets } from './attributes/link-targets.js';
import type { Resource } from './resource.js';

/**
 * Resolves the names of linked resources in the definitions of these resources. A second call changes nothing, because
 * the applications of one process share the definitions.
 * @param unused resources that the caller lacks: links to them cannot be used
 * @throws Error when a link names a resource that is not among them
 */
export function connectLinks(resources: Resource[], unused: readonly string[] = []): void {
  const byName = new Map(resources.map((resource) => [resource.name, resource]));
  for (const { name, attributes, writeOnly } of resources)
    for (const attribute of [...attributes.values(), ...writeOnly.values()]) {
      const linked = 'linked' in attribute && attribute.linked;
      if (!(linked instanceof LinkTargets)) continue;
      if (linked.names.some((target) => unused.includes(target))) continue;
      const targets = linked.names.map((target) => {
        const found = byName.get(target);
        if (found) return found;
        throw new Error(
          `the link ${name}.${attribute.name} names the resource ${target}, which is none of ${[...byName.keys()].join(', ')}`,
        );
      });
      linked.connect(targets);
    }
}
