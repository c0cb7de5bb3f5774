import { type InvalidField, ApiError } from '../errors/api-errors.js';
import type { Comparison, Filterable } from '../resources/attributes/filterable.js';
import {
  type Filter,
  type FilterMode,
  parseFilter,
  resolveFilter,
} from '../resources/list/filters.js';
import { parseSorter, quoted, resolveSorter, type SortKey } from '../resources/list/sorter.js';
import type { Role } from '../resources/visibility.js';
import type { Viewer } from '../security/caller.js';
import { groupsOf, tasks } from './task.resource.js';

/** A view as it is stored (docs/api-contract.md#tasks-and-views). */
export interface StoredView {
  applicationId: string;
  filters: string[];
  filterMode: FilterMode;
  sorter: string | null;
}

/** What a view means for one caller. */
export interface ParsedView {
  filters: Filter[];
  filterMode: FilterMode;
  sorter: SortKey[];
}

/** What stands for the caller in a view's filters. */
const ME = '@me';
const MY_GROUPS = '@mygroups';

/**
 * Reads a view for a caller.
 * @throws UnreadableView naming every filter or sorter that no longer parses
 */
export function parseView(view: StoredView, viewer: Viewer): ParsedView {
  const filters = view.filters.map((text) => parseViewFilter(text, viewer.id, viewer));
  const sorter = resolveViewSorter(view.sorter, viewer);
  const faults = [...filters, sorter].filter((parsed) => typeof parsed === 'string');
  if (faults.length > 0) throw new UnreadableView(faults);
  return {
    filters: filters as Filter[],
    filterMode: view.filterMode,
    sorter: sorter as SortKey[],
  };
}

/** What is wrong with a view that is about to be stored, by its attributes. */
export function validateView(
  { columns, filters, sorter }: { columns: string[]; filters: string[]; sorter: string | null },
  role: Role,
): InvalidField[] {
  const faults: InvalidField[] = [];
  const unknown = columns.filter((name) => !tasks.attributes.has(name));
  if (unknown.length > 0) {
    const known = [...tasks.attributes.keys()].join(', ');
    faults.push({
      name: 'columns',
      message: `unknown attribute ${quoted(unknown)}; known: ${known}`,
    });
  }
  for (const text of filters) {
    const parsed = parseViewFilter(text, '0', role);
    if (typeof parsed === 'string') faults.push({ name: 'filters', message: parsed });
  }
  const keys = resolveViewSorter(sorter, role);
  if (typeof keys === 'string') faults.push({ name: 'sorter', message: keys });
  return faults;
}

/** A stored view whose filters or sorter cannot be read. */
export class UnreadableView extends ApiError {
  constructor(faults: string[]) {
    super(409, `The view cannot be executed: ${faults.join('; ')}`);
  }
}

const resolveViewSorter = (sorter: string | null, role: Role): SortKey[] | string =>
  sorter ? resolveSorter(parseSorter(sorter), tasks, role) : [];

function parseViewFilter(text: string, userId: string, role: Role): Filter | string {
  const match = /^(assignee|group):(eq|neq):(@me|@mygroups)$/.exec(text);
  if (!match) return resolveFilter(parseFilter(text), tasks, role);
  const [, name, operator, who] = match as unknown as [string, string, 'eq' | 'neq', string];
  if ((name === 'assignee') !== (who === ME))
    return `${name}: use assignee with ${ME}, group with ${MY_GROUPS}`;
  const attribute = who === ME ? tasks.listAttribute('assignee', role)! : ANY_OF_GROUPS;
  return { attribute, operator, value: userId };
}

/** `group:eq:@mygroups`: the task waits for a group of the user whose id is compared. */
const ANY_OF_GROUPS: Filterable = {
  name: MY_GROUPS,
  operators: ['eq', 'neq'],
  parseFilter: (text) => text,
  variantOf: () => undefined,
  indexPrefilter: () => undefined,
  condition(alias: string, { operator, value }: Comparison) {
    const mine = `${alias}.group_id = ANY (${groupsOf(value)})`;
    return operator === 'eq' ? mine : `(${mine}) IS NOT TRUE`;
  },
};
