import type { WaitingCounts } from '../../api-client/types.js';
import { MAX_FILTER_TEXT, startIn } from '../list-filter.js';

/** Rows of one page. */
export const PAGE_SIZE = 25;

/** The API's filters for a choice of due dates; the server computes the moment. */
export const DUE_FILTERS = { overdue: 'dueDate:lt:@now', week: 'dueDate:lt:@now+7d' } as const;
export const WHOM_FILTERS = { me: 'assignee:eq:@me', groups: 'group:eq:@mygroups' } as const;

/** The choices of a person above and in a list of tasks. */
export interface Choice {
  text: string;
  due: 'any' | 'overdue' | 'week';
  whom: 'any' | 'me' | 'groups';
  /** The key of an application (`ApplicationChoice`); blank for all of them. */
  application: string;
  /** URI of the saved filter from which the choice was made; blank without one. */
  saved: string;
  /** Blank for the order of the list. */
  sorter: string;
  start: number;
}

export const NO_FILTERS = { text: '', due: 'any', whom: 'any', application: '' } as const;

export const FIRST_CHOICE: Choice = { ...NO_FILTERS, saved: '', sorter: '', start: 0 };

const DUE: readonly string[] = ['any', 'overdue', 'week'] satisfies Choice['due'][];
const WHOM: readonly string[] = ['any', 'me', 'groups'] satisfies Choice['whom'][];

/** The choice in the query of an address, with defaults for missing parts. */
export function readChoice(search: string): Choice {
  const query = new URLSearchParams(search);
  const oneOf = <T>(name: string, values: readonly string[]): T =>
    (values.includes(query.get(name) ?? '') ? query.get(name) : values[0]) as T;
  return {
    text: query.get('text') ?? '',
    due: oneOf('due', DUE),
    whom: oneOf('whom', WHOM),
    application: query.get('application') ?? '',
    saved: query.get('saved') ?? '',
    sorter: query.get('sorter') ?? '',
    start: startIn(query),
  };
}

/** The query of an address for a choice; blank for the default. */
export function writeChoice(choice: Choice): string {
  const chosen = Object.entries(choice).filter(
    ([name, value]) => value !== FIRST_CHOICE[name as keyof Choice],
  );
  const query = new URLSearchParams(chosen.map(([name, value]) => [name, String(value)]));
  return chosen.length === 0 ? '' : `?${query.toString()}`;
}

export const isFiltered = ({ text, due, whom, application }: Choice): boolean =>
  text !== '' || due !== 'any' || whom !== 'any' || application !== '';

/** An application to choose, and its number of tasks in the list. */
export interface ApplicationChoice {
  /**
   * Its id, or `title:` and the title if the person does not see the application, because the API then omits the id.
   */
  key: string;
  title: string;
  count: number;
}

const TITLE = 'title:';

/** The waiting tasks by application; hidden applications with the same title are one choice. */
export function applicationChoices(counts: WaitingCounts['applications']): ApplicationChoice[] {
  const choices = new Map<string, ApplicationChoice>();
  for (const { application, title, count } of counts) {
    const key = application?.id ?? TITLE + title;
    choices.set(key, { key, title, count: count + (choices.get(key)?.count ?? 0) });
  }
  return [...choices.values()];
}

/** The title in a key; undefined for an id. */
export const titleIn = (key: string): string | undefined =>
  key.startsWith(TITLE) ? key.slice(TITLE.length) : undefined;

/** The key of the application in filters; blank without one. */
export function applicationKeyIn(filters: string[]): string {
  const valueOf = (prefix: string) =>
    filters.find((one) => one.startsWith(prefix))?.slice(prefix.length);
  const id = valueOf('application:eq:');
  if (id !== undefined) return id;
  const title = valueOf('applicationTitle:eq:');
  return title === undefined ? '' : TITLE + title;
}

/** The link to a hidden application is empty in a task, but its title is present. */
function applicationFilters(key: string): string[] {
  const title = titleIn(key);
  if (title !== undefined) return ['application:isempty', `applicationTitle:eq:${title}`];
  return key === '' ? [] : [`application:eq:${key}`];
}

/** The API's filters that a choice adds to those of the list. */
export const filtersOf = ({ text, due, whom, application }: Choice): string[] => [
  ...(text === '' ? [] : [`title:contains:${text.slice(0, MAX_FILTER_TEXT)}`]),
  ...(due === 'any' ? [] : [DUE_FILTERS[due]]),
  ...(whom === 'any' ? [] : [WHOM_FILTERS[whom]]),
  ...applicationFilters(application),
];
