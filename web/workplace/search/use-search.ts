import { useEffect, useState } from 'react';
import type { ApiProblem } from '../../api-client/api.js';
import { toProblem } from '../../api-client/use-load.js';
import { useDebounced } from '../use-debounced.js';
import { type FoundSection, searchEverything } from './search-sections.js';

/** Pause after a keystroke before the page calls the server, in milliseconds. */
const PAUSE = 150;

/** Searches everything, a moment after the last keystroke. */
export function useSearch(text: string) {
  const [{ sections, found, problem }, setState] = useState<{
    sections: FoundSection[];
    /** The text of the search. */
    found: string;
    problem?: ApiProblem;
  }>({ sections: [], found: '' });
  const [round, setRound] = useState(0);
  const wanted = useDebounced(text, PAUSE);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const done = (sections: FoundSection[], problem?: ApiProblem) =>
      signal.aborted || setState({ sections, found: wanted, problem });
    if (wanted === '') done([]);
    else
      searchEverything(wanted, signal).then(done, (error: unknown) =>
        signal.aborted ? undefined : done([], toProblem(error)),
      );
    return () => controller.abort();
  }, [wanted, round]);
  const again = () => setRound(round + 1);
  return { sections, found, isBusy: found !== text, problem, again };
}
