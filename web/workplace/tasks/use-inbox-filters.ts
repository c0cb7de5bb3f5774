import { useMemo } from 'react';
import { conditional } from '../../api-client/api.js';
import type { InboxFilter } from '../../api-client/types.js';
import { useLoad } from '../../api-client/use-load.js';
import { useWorkplace } from '../workplace-context.js';

const PATH = '/api/v2/process/tasks/waiting/filters';

/** The saved filters that the inbox of a person offers. */
export interface OfferedFilters {
  filters: InboxFilter[];
  /** How many of the waiting tasks one matches: from the stream while there is one. */
  countOf: (filter: InboxFilter) => number | null | undefined;
  reload: () => void;
}

/** Reads the filters; again when the stream says that they are others, and without a stream when tasks may be others. */
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
