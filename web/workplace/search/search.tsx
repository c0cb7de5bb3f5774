import { LoaderCircle, Search as SearchIcon } from 'lucide-react';
import { useLanguage } from '../translations/i18n.js';
import { SearchNotices, SearchResults } from './search-panel.js';
import { useCombobox } from './use-combobox.js';
import { useSearchShortcut } from './use-search-shortcut.js';

/** Longest text of a search. */
const MAX_TEXT = 128;

/** One field for everything: a combobox (WAI-ARIA) with the first results of each section. Enter opens the results page. */
export function Search() {
  const { t } = useLanguage();
  const box = useCombobox();
  const { list, input, text, found, sections, count, active, isShown, isBusy, problem } = box;
  useSearchShortcut(input);
  return (
    <div
      className="search"
      role="search"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) box.hide();
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
          aria-activedescendant={isShown && active >= 0 ? `${list}-${active}` : undefined}
          aria-keyshortcuts="/ Control+K"
          placeholder={t('search.placeholder')}
          autoComplete="off"
          spellCheck={false}
          maxLength={MAX_TEXT}
          value={text}
          onChange={({ target }) => box.type(target.value)}
          onFocus={box.open}
          onKeyDown={box.onKeyDown}
        />
        <kbd aria-hidden>/</kbd>
      </div>
      <p className="unseen" role="status">
        {isShown && (isBusy ? t('search.busy') : t('search.count', { smart_count: count }))}
      </p>
      {/* The focus stays in the field, whatever is clicked here. */}
      <div
        className="search-panel"
        hidden={!isShown}
        onMouseDown={(event) => event.preventDefault()}
      >
        <div id={list} role="listbox" aria-label={t('search.results')} tabIndex={-1}>
          {isShown && (
            <SearchResults
              list={list}
              sections={sections}
              active={active}
              found={found}
              onFollow={box.leave}
            />
          )}
        </div>
        {isShown && !isBusy && (
          <SearchNotices
            text={text.trim()}
            problem={problem}
            isEmpty={count === 0 && found !== ''}
            onRetry={box.again}
            onFollow={box.leave}
          />
        )}
        {count > 0 && <p className="search-keys">{t('search.keys')}</p>}
      </div>
    </div>
  );
}
