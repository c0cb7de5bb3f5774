import type { Organization } from '../../api-client/types.js';

/** An organization with its direct children. */
export interface Branch {
  organization: Organization;
  children: Branch[];
}

/** The tree of organizations. One whose parent is not listed is a root. */
export function branchesOf(all: Organization[]): Branch[] {
  const ids = new Set(all.map(({ id }) => id));
  const byParent = Map.groupBy(all, ({ parent }) =>
    parent !== null && ids.has(parent.id) ? parent.id : '',
  );
  const below = (id: string): Branch[] =>
    (byParent.get(id) ?? []).map((organization) => ({
      organization,
      children: below(organization.id),
    }));
  return below('');
}

/** The organizations from the root to one of them; empty for one outside the tree. */
export function pathTo(id: string, branches: Branch[]): Organization[] {
  for (const { organization, children } of branches) {
    if (organization.id === id) return [organization];
    const rest = pathTo(id, children);
    if (rest.length > 0) return [organization, ...rest];
  }
  return [];
}
