import { useMemo } from 'react';
import { conditional } from '../../api-client/api.js';
import type { InboxFilter } from '../../api-client/types.js';
import { useLoad } from '../../api-client/use-load.js';
import { useWorkplace } from '../workplace-context.js';

const PATH = '/api/v2/process/tasks/waiting/filters';

/** The saved filters that the inbox of a person offers. */
export interface OfferedFilters {
  filters: InboxFilter[];
  /** How many of the waiting tasks a filter matches, from the stream while it is live. */
  countOf: (filter: InboxFilter) => number | null | undefined;
  reload: () => void;
}

/**
 * Loads the filters, and reloads them when the stream announces changed filters, or without a stream when tasks may
 * have changed.
 */
export function useInboxFilters(): OfferedFilters {
  const { streamedFilters, tasksRound } = useWorkplace();
  const read = useMemo(() => conditional<InboxFilter[]>(PATH), []);
  const key = streamedFilters ? `set ${streamedFilters.set}` : `round ${tasksRound}`;
  const { value, reload } = useLoad(key, () => read());
  return {
    filters: value?.value ?? [],
    countOf: ({ uri, count }) => streamedFilters?.counts[uri] ?? count,
    reload,
  };
}
