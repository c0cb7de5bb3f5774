import type { WaitingCounts } from '../../api-client/types.js';
import { MAX_FILTER_TEXT, startIn } from '../list-filter.js';

/** Rows of one page. */
export const PAGE_SIZE = 25;

/** The filters of the API that a choice stands for; the server computes the moment. */
export const DUE_FILTERS = { overdue: 'dueDate:lt:@now', week: 'dueDate:lt:@now+7d' } as const;
export const WHOM_FILTERS = { me: 'assignee:eq:@me', groups: 'group:eq:@mygroups' } as const;

/** What a person has chosen above and in a list of tasks. */
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

/** The choice in the query of an address; what the query does not hold is as at first. */
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

/** The query of an address that keeps a choice; blank for the first choice. */
export function writeChoice(choice: Choice): string {
  const chosen = Object.entries(choice).filter(
    ([name, value]) => value !== FIRST_CHOICE[name as keyof Choice],
  );
  const query = new URLSearchParams(chosen.map(([name, value]) => [name, String(value)]));
  return chosen.length === 0 ? '' : `?${query.toString()}`;
}

export const isFiltered = ({ text, due, whom, application }: Choice): boolean =>
  text !== '' || due !== 'any' || whom !== 'any' || application !== '';

/** An application to choose, and how many tasks of the list it has. */
export interface ApplicationChoice {
  /** Its id, or `title:` and the title where the person does not see the application: the API then names no id. */
  key: string;
  title: string;
  count: number;
}

const TITLE = 'title:';

/** What waits by application; hidden applications of the same title are one choice. */
export function applicationChoices(counts: WaitingCounts['applications']): ApplicationChoice[] {
  const choices = new Map<string, ApplicationChoice>();
  for (const { application, title, count } of counts) {
    const key = application?.id ?? TITLE + title;
    choices.set(key, { key, title, count: count + (choices.get(key)?.count ?? 0) });
  }
  return [...choices.values()];
}

/** The title that a key holds; undefined for an id. */
export const titleIn = (key: string): string | undefined =>
  key.startsWith(TITLE) ? key.slice(TITLE.length) : undefined;

/** The key of the application that filters demand; blank without one. */
export function applicationKeyIn(filters: string[]): string {
  const valueOf = (prefix: string) =>
    filters.find((one) => one.startsWith(prefix))?.slice(prefix.length);
  const id = valueOf('application:eq:');
  if (id !== undefined) return id;
  const title = valueOf('applicationTitle:eq:');
  return title === undefined ? '' : TITLE + title;
}

/** A hidden application is empty in a task, and its title is there all the same. */
function applicationFilters(key: string): string[] {
  const title = titleIn(key);
  if (title !== undefined) return ['application:isempty', `applicationTitle:eq:${title}`];
  return key === '' ? [] : [`application:eq:${key}`];
}

/** The filters of the API that a choice adds to the list's own. */
export const filtersOf = ({ text, due, whom, application }: Choice): string[] => [
  ...(text === '' ? [] : [`title:contains:${text.slice(0, MAX_FILTER_TEXT)}`]),
  ...(due === 'any' ? [] : [DUE_FILTERS[due]]),
  ...(whom === 'any' ? [] : [WHOM_FILTERS[whom]]),
  ...applicationFilters(application),
];
