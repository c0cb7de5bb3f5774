import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { pageOf, useRouter } from '../router.js';
import { type Option, optionsOf } from './search-option.js';
import { useSearch } from './use-search.js';

/** The state of the search field and of its list, and what the keys do (WAI-ARIA, combobox). */
export function useCombobox() {
  const { go, path } = useRouter();
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  /** The page on which the list was opened; another page closes it. */
  const [openAt, setOpenAt] = useState<string>();
  const { sections, found, isBusy, more, problem, again } = useSearch(text.trim());
  /** Other results begin at the first again. */
  const [moved, setMoved] = useState({ found: '', to: 0 });
  const active = moved.found === found ? moved.to : 0;
  /** Enter came before the answer. */
  const [isEager, setEager] = useState(false);
  const options = optionsOf(sections);
  const isShown = openAt === path && text.trim() !== '';

  const open = () => setOpenAt(path);
  const hide = () => setOpenAt(undefined);
  const close = () => {
    hide();
    setText('');
  };
  const choose = ({ section, record }: Option) => {
    if (!record) return more(section);
    close();
    input.current?.blur();
    go(pageOf(record.HYPERLINK) ?? '');
  };
  const chooseFirst = useEffectEvent(() => {
    setEager(false);
    if (options[0]?.record) choose(options[0]);
  });
  useEffect(() => {
    if (!isBusy && isEager) chooseFirst();
  }, [isBusy, isEager]);
  useEffect(() => {
    document.getElementById(`${list}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [list, active]);

  const type = (next: string) => {
    setText(next);
    setEager(false);
    open();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = { ArrowDown: active + 1, ArrowUp: active - 1 };
    const move = moves[event.key];
    if (event.key === 'Escape') {
      if (isShown) close();
      else input.current?.blur();
    } else if (isShown && options.length > 0 && move !== undefined)
      setMoved({ found, to: (move + options.length) % options.length });
    else if (isShown && event.key === 'Enter' && isBusy) setEager(true);
    else if (isShown && event.key === 'Enter' && options[active]) choose(options[active]);
    else return;
    event.preventDefault();
  };
  const actions = { type, open, hide, choose, onKeyDown, again };
  return { list, input, text, found, options, active, isShown, isBusy, problem, ...actions };
}
