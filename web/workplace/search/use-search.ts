import { useEffect, useRef, useState } from 'react';
import type { ApiProblem } from '../../api-client/api.js';
import { useDebounced } from '../use-debounced.js';
import { toProblem } from '../../api-client/use-load.js';
import { FIRST_SHOWN, searchPage, SECTIONS, type SectionState } from './search-sections.js';

/** Rest after a keystroke before the server is asked, in milliseconds. */
const PAUSE = 150;

/** Runs the five searches side by side, a moment after the last keystroke. */
export function useSearch(text: string) {
  const [sections, setSections] = useState<Record<string, SectionState>>({});
  const [found, setFound] = useState('');
  /** Why one of the searches found nothing; the others stand. */
  const [problem, setProblem] = useState<ApiProblem>();
  const [round, setRound] = useState(0);
  const controller = useRef(new AbortController());
  const wanted = useDebounced(text, PAUSE);
  useEffect(() => {
    const own = new AbortController();
    controller.current = own;
    const run = async () => {
      let failure: unknown;
      const pages = await Promise.all(
        SECTIONS.map(async ({ id, searchName }): Promise<[string, SectionState]> => {
          const empty: SectionState = { records: [], shown: FIRST_SHOWN };
          if (wanted === '') return [id, empty];
          // A search that fails leaves its section empty, and the others alone.
          const found = await searchPage(searchName, wanted, own.signal).catch((error: unknown) => {
            failure = error;
            return empty;
          });
          return [id, { ...empty, ...found }];
        }),
      );
      if (own.signal.aborted) return;
      setSections(Object.fromEntries(pages));
      setProblem(failure === undefined ? undefined : toProblem(failure));
      setFound(wanted);
    };
    void run();
    return () => own.abort();
  }, [wanted, round]);

  /** First the rest of what was answered, then the next page by its marker. */
  const more = (id: string) => {
    const state = sections[id];
    const { searchName } = SECTIONS.find((one) => one.id === id)!;
    if (!state) return;
    const { records, shown, next } = state;
    if (shown < records.length) return show(id, next, { ...state, shown: records.length });
    searchPage(searchName, found, controller.current.signal, next).then(
      (page) => {
        const all = [...records, ...page.records];
        show(id, next, { records: all, shown: all.length, next: page.next });
      },
      (error: unknown) => controller.current.signal.aborted || setProblem(toProblem(error)),
    );
  };
  /** Unless another answer came first: no page is shown twice, nor one of another text. */
  const show = (id: string, marker: string | undefined, state: SectionState) =>
    setSections((all) => (all[id]?.next === marker ? { ...all, [id]: state } : all));
  const again = () => setRound(round + 1);
  return { sections, found, isBusy: found !== text, more, problem, again };
}
