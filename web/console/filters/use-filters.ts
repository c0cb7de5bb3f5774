import { useEffect, useRef } from 'react';
import { useListContext } from 'react-admin';
import type { Filters } from '../api/data-provider.js';

/**
 * The filters of the list around, and what changes them: `set` takes a key (`attribute@operator`) and a value, an empty
 * one to remove the filter. Two changes in quick succession both count, even where the page is not drawn in between.
 */
export function useFilters(): {
  filters: Filters;
  set: (key: string, value: string) => void;
  clear: () => void;
} {
  const list = useListContext();
  const { setFilters } = list;
  const filters = list.filterValues as Filters;
  const latest = useRef(filters);
  useEffect(() => {
    latest.current = filters;
  }, [filters]);
  const replace = (next: Filters) => {
    latest.current = next;
    setFilters(next, [], false);
  };
  const set = (key: string, value: string) => {
    const { [key]: _, ...others } = latest.current;
    replace(value === '' ? others : { ...others, [key]: value });
  };
  return { filters, set, clear: () => replace({}) };
}
