import { Search, SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useLanguage } from '../translations/i18n.js';

/** The controls that narrow a list: a text field, and choices beside it. On a phone, a button opens them. */
export function Toolbar({
  label,
  text,
  changeText,
  chosen = 0,
  children,
}: {
  label: string;
  text: string;
  changeText: (text: string) => void;
  /** How many choices differ from their default. */
  chosen?: number;
  children?: ReactNode;
}) {
  const { t } = useLanguage();
  const [isOpen, setOpen] = useState(false);
  const choices = useId();
  return (
    <div className="toolbar" role="search" aria-label={label}>
      <div className="filter">
        <Search aria-hidden />
        <input
          type="search"
          value={text}
          aria-label={label}
          placeholder={label}
          onChange={({ target }) => changeText(target.value)}
        />
      </div>
      {children !== undefined && (
        <>
          <button
            className="button unfold"
            aria-expanded={isOpen}
            aria-controls={choices}
            onClick={() => setOpen(!isOpen)}
          >
            <SlidersHorizontal aria-hidden />{' '}
            {chosen === 0 ? t('toolbar.choices') : t('toolbar.chosen', { count: chosen })}
          </button>
          <div className="choices-of-list" id={choices} data-open={isOpen}>
            {children}
          </div>
        </>
      )}
    </div>
  );
}

/** A labelled choice of a toolbar; its children are the options. */
export function ToolbarSelect({
  label,
  value,
  choose,
  children,
}: {
  label: string;
  value: string;
  choose: (value: string) => void;
  children: ReactNode;
}) {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={({ target }) => choose(target.value)}>
        {children}
      </select>
    </label>
  );
}
