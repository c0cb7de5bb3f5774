import type { Bind } from '../database/bindings.js';
import type { Listable, ListAttribute } from '../resources/list/list-attribute.js';
import { type InvalidField, ApiError } from '../errors/api-errors.js';
import { type Filter, MAX_FILTERS, parseFilter } from '../resources/list/filters.js';
import { parseSorter, type SortKey } from '../resources/list/sorter.js';

/** A view as it is stored (docs/api-contract.md#tasks-and-views). */
export interface StoredView {
  applicationId: string;
  filters: string[];
  filterMode: 'and' | 'or';
  sorter: string | null;
}

/** What a view means for one caller. */
export interface ParsedView {
  filters: Filter[];
  filterMode: 'and' | 'or';
  sorter: SortKey[];
}

/** What stands for the caller in a view's filters. */
const ME = '@me';
const MY_GROUPS = '@mygroups';

/**
 * Reads a view for a caller.
 * @throws UnreadableView naming every filter or sorter that no longer parses
 */
export function parseView(view: StoredView, userId: string, listable: Listable): ParsedView {
  const filters = view.filters.map((text) => parseViewFilter(text, userId, listable));
  const sorter = view.sorter ? parseSorter(view.sorter, listable) : [];
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
  { filters, sorter }: Pick<StoredView, 'filters' | 'sorter'>,
  listable: Listable,
): InvalidField[] {
  const faults: InvalidField[] = [];
  for (const text of filters) {
    const parsed = parseViewFilter(text, '0', listable);
    if (typeof parsed === 'string') faults.push({ name: 'filters', message: parsed });
  }
  const keys = sorter ? parseSorter(sorter, listable) : [];
  if (typeof keys === 'string') faults.push({ name: 'sorter', message: keys });
  if (filters.length > MAX_FILTERS)
    faults.push({ name: 'filters', message: `at most ${MAX_FILTERS} filters` });
  return faults;
}

/** A stored view whose filters or sorter cannot be read. */
export class UnreadableView extends ApiError {
  constructor(faults: string[]) {
    super(409, `The view cannot be executed: ${faults.join('; ')}`);
  }
}

function parseViewFilter(text: string, userId: string, listable: Listable): Filter | string {
  const match = /^(assignee|group):(eq|neq):(@me|@mygroups)$/.exec(text);
  if (!match) return parseFilter(text, listable);
  const [, name, operator, who] = match as unknown as [string, string, 'eq' | 'neq', string];
  if ((name === 'assignee') !== (who === ME))
    return `${name}: use assignee with ${ME}, group with ${MY_GROUPS}`;
  const attribute = who === ME ? listable.attribute('assignee')! : myGroups(userId);
  return { attribute, operator, value: userId };
}

/** `group:eq:@mygroups`: the task waits for a group of the caller. */
function myGroups(userId: string): ListAttribute {
  return {
    name: 'group',
    sortable: false,
    operators: ['eq', 'neq'],
    parseFilter: (text) => text,
    order: () => '',
    condition(alias: string, operator, _value, bind: Bind) {
      const mine = `${alias}.group_id = ANY (ARRAY(SELECT m.group_id FROM group_members m WHERE m.user_id = ${bind(userId)}::bigint))`;
      return operator === 'eq' ? mine : `(${mine}) IS NOT TRUE`;
    },
  };
}
