import { query } from '../../api-client/api.js';
import { MAX_FILTER_TEXT, startIn } from '../list-filter.js';
import { type ContentKind, describeKind } from './content-kinds.js';

/** Items on one page of a list. */
export const CONTENT_PAGE = 20;

/** The filter and page that a person has chosen in a list of content. */
export interface ContentChoice {
  /** Part of a title. */
  text: string;
  start: number;
}

/** The choice in an address of the page, so that links and the way back keep it. */
export function contentChoiceIn(search: string): ContentChoice {
  const values = new URLSearchParams(search);
  return {
    text: values.get('text') ?? '',
    start: startIn(values),
  };
}

/** The query of the page's address for a choice, without defaults. */
export function searchOfContent({ text, start }: ContentChoice): string {
  if (text === '' && start === 0) return '';
  return query({
    text: text === '' ? undefined : text,
    start: start === 0 ? undefined : String(start),
  });
}

/** The address of the list in the API for a choice. Administrators see drafts only in the console. */
export function contentListOf(kind: ContentKind, { text, start }: ContentChoice): string {
  const filters = [
    ...(text === '' ? [] : [`label:contains:${text.slice(0, MAX_FILTER_TEXT)}`]),
    'status:eq:1',
  ];
  const { sorter } = describeKind(kind);
  return `/api/v2/content/${kind}${query({ range: `${start}-${CONTENT_PAGE}`, sorter, filters })}`;
}
