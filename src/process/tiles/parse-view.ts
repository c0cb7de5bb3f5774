import { type InvalidField, ApiError } from '../../base/errors/api-errors.js';
import { LinkAttribute } from '../../resources/attributes/link-attribute.js';
import { type Operator, VALUELESS_OPERATORS } from '../../resources/attributes/operators.js';
import {
  type Filter,
  type FilterMode,
  type FilterTerm,
  isSubstringOperator,
  parseFilter,
  resolveFilter,
} from '../../resources/list/filters.js';
import { parseSorter, resolveSorter, type SortKey } from '../../resources/list/sorter.js';
import { idIn } from '../../resources/uri.js';
import type { RightsHolder } from '../../resources/visibility.js';
import type { Viewer } from '../../security/caller.js';
import { isPlaceholder } from '../tasks/caller-filter.js';
import { namesMoment } from '../tasks/moment-filter.js';
import { namesNobody } from '../tasks/nobody-filter.js';
import { tasks } from '../tasks/task.resource.js';
import { Reason, reason } from '../../base/errors/reason.js';

/** A view as it is stored (docs/api-contract.md#tasks-and-views). */
export interface StoredView {
  applicationId: string;
  filters: string[];
  filterMode: FilterMode;
  sorter: string | null;
}

/** What a view has in common with a saved filter of the inbox. */
export type StoredFilters = Omit<StoredView, 'applicationId'>;

/** What a view means for one caller. */
export interface ParsedView {
  filters: Filter[];
  filterMode: FilterMode;
  sorter: SortKey[];
}

/**
 * Reads a view for a caller.
 * @throws UnreadableView naming every filter or sorter that no longer parses
 */
export function parseView(view: StoredFilters, viewer: Viewer): ParsedView {
  const filters = view.filters.map((text) => parseViewFilter(text, viewer));
  const sorter = resolveViewSorter(view.sorter, viewer);
  const faults = [...filters, sorter].filter((parsed) => parsed instanceof Reason);
  if (faults.length > 0) throw new UnreadableView(faults);
  return {
    filters: filters as Filter[],
    filterMode: view.filterMode,
    sorter: sorter as SortKey[],
  };
}

/** The faults of a view before it is stored, by attribute. */
export function validateView(
  { columns, filters, sorter }: { columns: string[]; filters: string[]; sorter: string | null },
  holder: RightsHolder,
): InvalidField[] {
  const faults: InvalidField[] = [];
  const unknown = columns.filter((name) => !tasks.attributes.has(name));
  if (unknown.length > 0) {
    const known = [...tasks.attributes.keys()].join(', ');
    faults.push({
      name: 'columns',
      reason: reason('unknown-attributes', { names: unknown, known }),
    });
  }
  // The navigation caches its answers until a task changes (docs/decisions/0046).
  for (const text of filters.filter((one) => namesMoment(one, tasks, holder)))
    faults.push({ name: 'filters', reason: reason('moment-in-view').at({ filter: text }) });
  return [...faults, ...validateFilters({ filters, sorter }, holder)];
}

/** The faults of filters and a sorter before they are stored. */
export function validateFilters(
  { filters, sorter }: { filters: string[]; sorter: string | null },
  holder: RightsHolder,
): InvalidField[] {
  const faults: InvalidField[] = [];
  for (const text of filters) {
    // The counters of tiles and saved filters hear only of changes of tasks.
    const parsed = namesNobody(parseFilter(text))
      ? reason('misplaced-nobody').at({ filter: text })
      : parseViewFilter(text, { ...holder, id: '0' });
    if (parsed instanceof Reason) faults.push({ name: 'filters', reason: parsed });
  }
  const keys = resolveViewSorter(sorter, holder);
  if (keys instanceof Reason) faults.push({ name: 'sorter', reason: keys });
  return faults;
}

/** Whether the rows of a view depend only on the tasks themselves, not on linked objects. */
export const dependsOnTasksAlone = ({ filters }: Pick<StoredView, 'filters'>): boolean =>
  filters.map(parseFilter).every((term) => !readsLinked(term) && !/^application/.test(term.name));

/**
 * How many conditions are demanding: those on linked objects, which PostgreSQL plans as subqueries, and those that
 * search inside texts.
 */
export const demandOf = ({ filters }: Pick<StoredView, 'filters'>): number =>
  filters.map(parseFilter).filter((term) => readsLinked(term) || isSubstringOperator(term.operator))
    .length;

/** Whether a filter reads linked objects: their attributes, or their names to find their ids. */
function readsLinked({ name, operator, value = '' }: FilterTerm): boolean {
  if (name.includes('.')) return true;
  const attribute = tasks.attributes.get(name);
  if (!(attribute instanceof LinkAttribute) || VALUELESS_OPERATORS.includes(operator as Operator))
    return false;
  const { uri } = attribute.target.ref;
  return value.split(',').some((one) => !isPlaceholder(one) && idIn(one, uri) === undefined);
}

/** A stored view whose filters or sorter cannot be read. */
export class UnreadableView extends ApiError {
  constructor(readonly faults: Reason[]) {
    super(409, reason('view-not-executable', { fault: faults[0]! }));
  }
}

const resolveViewSorter = (sorter: string | null, holder: RightsHolder): SortKey[] | Reason =>
  sorter ? resolveSorter(parseSorter(sorter), tasks, holder) : [];

const parseViewFilter = (text: string, viewer: Viewer): Filter | Reason =>
  resolveFilter(parseFilter(text), tasks, viewer);
