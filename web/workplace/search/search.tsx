import {
  ChevronDown,
  CircleAlert,
  LoaderCircle,
  Search as SearchIcon,
  SearchX,
} from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { ApiProblem } from '../../api-client/api.js';
import { useLanguage } from '../translations/i18n.js';
import type { SearchRecord } from '../../api-client/types.js';
import { toProblem } from '../use-load.js';
import { useDebounced } from '../use-debounced.js';
import { Empty } from '../components/empty.js';
import { Highlighted } from '../components/highlighted.js';
import { Photo } from '../components/photo.js';
import { pageOf, useRouter } from '../router.js';
import {
  FIRST_SHOWN,
  hasMore,
  searchPage,
  SECTIONS,
  type SectionState,
} from './search-sections.js';

/** Rest after a keystroke before the server is asked, in milliseconds. */
const PAUSE = 150;
const MAX_TEXT = 128;

/** What the arrows can reach: a record, or the "more" of a section. */
type Option = { section: string; record?: SearchRecord };

/** One field over the five searches: a combobox (WAI-ARIA) with a section for each. */
export function Search() {
  const { t, problem: explain } = useLanguage();
  const { go, path } = useRouter();
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const { sections, found, isBusy, more, problem, again } = useSearch(text.trim());
  /** Enter came before the answer. */
  const [isEager, setEager] = useState(false);
  const options: Option[] = SECTIONS.flatMap(({ id }) => {
    const state = sections[id];
    if (!state) return [];
    const records = state.records.slice(0, state.shown);
    return [
      ...records.map((record): Option => ({ section: id, record })),
      ...(hasMore(state) ? [{ section: id }] : []),
    ];
  });
  const isShown = isOpen && text.trim() !== '';
  const idOf = (at: number) => `${list}-${at}`;

  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test((event.target as Element).tagName);
      const isSlash = event.key === '/' && !isTyping;
      const isControlK = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
      if (!isSlash && !isControlK) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  useEffect(() => setOpen(false), [path]);
  useEffect(() => setActive(0), [found]);
  useEffect(() => {
    if (isBusy || !isEager) return;
    setEager(false);
    if (options[0]?.record) choose(options[0]);
  }, [isBusy, isEager]);
  useEffect(() => {
    document.getElementById(idOf(active))?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const close = () => {
    setOpen(false);
    setText('');
  };
  const choose = ({ section, record }: Option) => {
    if (!record) return more(section);
    close();
    input.current?.blur();
    go(pageOf(record.HYPERLINK) ?? '');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = { ArrowDown: active + 1, ArrowUp: active - 1 };
    const move = moves[event.key];
    if (event.key === 'Escape') {
      if (isShown) close();
      else input.current?.blur();
    } else if (isShown && options.length > 0 && move !== undefined)
      setActive((move + options.length) % options.length);
    else if (isShown && event.key === 'Enter' && isBusy) setEager(true);
    else if (isShown && event.key === 'Enter' && options[active]) choose(options[active]);
    else return;
    event.preventDefault();
  };
  let at = -1;
  return (
    <div
      className="search"
      role="search"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      <div className="search-field">
        {isBusy ? <LoaderCircle className="spin" aria-hidden /> : <SearchIcon aria-hidden />}
        <input
          ref={input}
          role="combobox"
          aria-label={t('search.label')}
          aria-expanded={isShown}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={isShown && options.length > 0 ? idOf(active) : undefined}
          aria-keyshortcuts="/ Control+K"
          placeholder={t('search.placeholder')}
          autoComplete="off"
          spellCheck={false}
          maxLength={MAX_TEXT}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setEager(false);
            setOpen(true);
          }}
          onFocus={() => setOpen(true)}
          onKeyDown={onKeyDown}
        />
        <kbd aria-hidden>/</kbd>
      </div>
      <p className="unseen" role="status">
        {isShown &&
          (isBusy
            ? t('search.busy')
            : t('search.count', { count: options.filter(({ record }) => record).length }))}
      </p>
      {/* The focus stays in the field, whatever is clicked here. */}
      <div
        className="search-panel"
        hidden={!isShown}
        onMouseDown={(event) => event.preventDefault()}
      >
        <div id={list} role="listbox" aria-label={t('search.results')} tabIndex={-1}>
          {isShown &&
            SECTIONS.map(({ id, title, details }) => {
              const own = options.filter(({ section }) => section === id);
              if (own.length === 0) return null;
              return (
                <div key={id} role="group" aria-labelledby={`${list}-${id}`}>
                  <div id={`${list}-${id}`} role="presentation" className="search-section">
                    {t(title)}
                  </div>
                  {own.map((option) => {
                    at += 1;
                    const common = {
                      id: idOf(at),
                      isActive: at === active,
                      onChoose: () => choose(option),
                    };
                    return option.record ? (
                      <Hit
                        key={option.record.ID}
                        {...common}
                        record={option.record}
                        details={details}
                        query={found}
                      />
                    ) : (
                      <More
                        key="more"
                        {...common}
                        label={t('search.more.of', { section: t(title) })}
                      />
                    );
                  })}
                </div>
              );
            })}
        </div>
        {isShown && problem && !isBusy && (
          <div role="alert" className="form-problem">
            <CircleAlert aria-hidden /> {explain(problem)}
            <button className="button small" onClick={again}>
              {t('retry')}
            </button>
          </div>
        )}
        {isShown && options.length === 0 && !problem && !isBusy && found !== '' && (
          <Empty
            icon={SearchX}
            title={t('search.none', { text: text.trim() })}
            hint={t('search.none.hint')}
          />
        )}
        {options.length > 0 && <p className="search-keys">{t('search.keys')}</p>}
      </div>
    </div>
  );
}

interface OptionProps {
  id: string;
  isActive: boolean;
  onChoose: () => void;
}

function Hit({
  id,
  isActive,
  onChoose,
  record,
  details,
  query,
}: OptionProps & { record: SearchRecord; details: string[]; query: string }) {
  const detail = details
    .map((name) => record[name])
    .filter((value) => typeof value === 'string' && value !== '')
    .join(' · ');
  return (
    <a
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      className="hit"
      href={record.HYPERLINK}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onChoose();
      }}
    >
      {'PHOTO' in record && <Photo id={record.ID} size={32} />}
      <span className="hit-text">
        <span>
          <Highlighted text={record.TITLE} query={query} />
        </span>
        {detail !== '' && (
          <small>
            <Highlighted text={detail} query={query} />
          </small>
        )}
      </span>
    </a>
  );
}

function More({ id, isActive, onChoose, label }: OptionProps & { label: string }) {
  return (
    <button
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      className="hit more"
      onClick={onChoose}
    >
      <ChevronDown aria-hidden /> {label}
    </button>
  );
}

/** Runs the five searches side by side, a moment after the last keystroke. */
function useSearch(text: string) {
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
