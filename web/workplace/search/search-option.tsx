import { ChevronDown } from 'lucide-react';
import type { SearchRecord } from '../../api-client/types.js';
import { Highlighted } from '../components/highlighted.js';
import { Photo } from '../../account/photo.js';
import { hasMore, SECTIONS, type SectionState } from './search-sections.js';

/** What the arrows can reach: a record, or the "more" of a section. */
export type Option = { section: string; record?: SearchRecord };

/** What sections show, in the order of the page. */
export const optionsOf = (sections: Record<string, SectionState>): Option[] =>
  SECTIONS.flatMap(({ id }) => {
    const state = sections[id];
    if (!state) return [];
    const records = state.records.slice(0, state.shown);
    return [
      ...records.map((record): Option => ({ section: id, record })),
      ...(hasMore(state) ? [{ section: id }] : []),
    ];
  });

interface OptionProps {
  id: string;
  isActive: boolean;
  onChoose: () => void;
}

/** A record that was found. */
export function Hit({
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

/** Shows more of a section. */
export function More({ id, isActive, onChoose, label }: OptionProps & { label: string }) {
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
