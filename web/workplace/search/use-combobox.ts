import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useRouter } from '../router.js';
import type { FoundSection } from './search-sections.js';
import { resultsOf, useSearchText } from './search-text.js';
import { useSearch } from './use-search.js';

/** Number of results per section; the results page shows the rest. */
const FIRST_SHOWN = 4;

/** Without a chosen option, Enter opens the results page. */
const NONE = -1;

const firstOf = (section: FoundSection): FoundSection => ({
  ...section,
  records: section.records.slice(0, FIRST_SHOWN),
});

/** The state of the search field and of its list, and the effects of keys (WAI-ARIA, combobox). */
export function useCombobox() {
  const { go, path, search } = useRouter();
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const { text, setText } = useSearchText();
  /** The page on which the list was opened; another page closes it. */
  const [openAt, setOpenAt] = useState<string>();
  const place = path + search;
  const isShown = openAt === place && text.trim() !== '';
  const { sections: all, found, isBusy, problem, again } = useSearch(isShown ? text.trim() : '');
  const sections = all.map(firstOf);
  const count = sections.reduce((sum, { records }) => sum + records.length, 0);
  /** New results start without a choice. */
  const [moved, setMoved] = useState({ found: '', to: NONE });
  const active = moved.found === found ? moved.to : NONE;

  const open = () => setOpenAt(place);
  const hide = () => setOpenAt(undefined);
  const leave = () => {
    hide();
    input.current?.blur();
  };
  useEffect(() => {
    document.getElementById(`${list}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [list, active]);

  const type = (next: string) => {
    setText(next);
    open();
  };
  /** Besides the results, the arrow keys reach the link to all of them and the field itself. */
  const move = (by: number) => {
    const places = count + 2;
    setMoved({ found, to: ((active + 1 + by + places) % places) - 1 });
  };
  const enter = () => {
    const option = document.getElementById(`${list}-${active}`);
    leave();
    if (option) option.click();
    else go(resultsOf(text.trim()));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    if (key === 'Escape') {
      if (isShown) hide();
      else if (text !== '') setText('');
      else input.current?.blur();
    } else if (key === 'Enter' && text.trim() !== '') enter();
    else if (isShown && count > 0 && key === 'ArrowDown') move(1);
    else if (isShown && count > 0 && key === 'ArrowUp') move(-1);
    else return;
    event.preventDefault();
  };
  const actions = { type, open, hide, leave, onKeyDown, again };
  return {
    list,
    input,
    text,
    found,
    sections,
    count,
    active,
    isShown,
    isBusy,
    problem,
    ...actions,
  };
}
