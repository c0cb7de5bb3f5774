import { Search } from 'lucide-react';
import type { ReactNode } from 'react';

/** What narrows a list: a field for a text, and choices beside it. */
export function Toolbar({
  label,
  text,
  changeText,
  children,
}: {
  label: string;
  text: string;
  changeText: (text: string) => void;
  children?: ReactNode;
}) {
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
      {children}
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
