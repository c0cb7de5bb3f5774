import type { InboxFilter } from '../../api-client/types.js';
import {
  applicationKeyIn,
  type Choice,
  DUE_FILTERS,
  filtersOf,
  FIRST_CHOICE,
  WHOM_FILTERS,
} from './task-choice.js';

const TEXT = 'title:contains:';

/** The choice equivalent to a saved filter, for the controls of the page; undefined if they cannot show it. */
export function choiceIn({
  filters,
  filterMode,
}: Pick<InboxFilter, 'filters' | 'filterMode'>): Partial<Choice> | undefined {
  if (filterMode === 'or' && filters.length > 1) return undefined;
  const text = filters.find((one) => one.startsWith(TEXT))?.slice(TEXT.length) ?? '';
  const choice: Choice = {
    ...FIRST_CHOICE,
    text,
    due: keyOf(DUE_FILTERS, filters) ?? 'any',
    whom: keyOf(WHOM_FILTERS, filters) ?? 'any',
    application: applicationKeyIn(filters),
  };
  const shown = [...filtersOf(choice)].sort().join('\n');
  return shown === [...filters].sort().join('\n') ? choice : undefined;
}

/** The key whose filter is among these. */
const keyOf = <K extends string>(known: Record<K, string>, filters: string[]): K | undefined =>
  (Object.keys(known) as K[]).find((key) => filters.includes(known[key]));
