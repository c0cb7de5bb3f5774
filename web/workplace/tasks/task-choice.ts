/** Rows of one page. */
export const PAGE_SIZE = 25;

const MAX_TEXT = 128;
const MINUTE = 60_000;
const WEEK = 7 * 86_400_000;

/** What a person has chosen above and in a list of tasks. */
export interface Choice {
  text: string;
  due: 'any' | 'overdue' | 'week';
  whom: 'any' | 'me' | 'groups';
  /** The title of an application; blank for all of them. */
  application: string;
  /** Blank for the order of the list. */
  sorter: string;
  start: number;
}

export const NO_FILTERS = { text: '', due: 'any', whom: 'any', application: '' } as const;

export const FIRST_CHOICE: Choice = { ...NO_FILTERS, sorter: '', start: 0 };

const DUE: readonly string[] = ['any', 'overdue', 'week'] satisfies Choice['due'][];
const WHOM: readonly string[] = ['any', 'me', 'groups'] satisfies Choice['whom'][];

/** The choice in the query of an address; what the query does not hold is as at first. */
export function readChoice(search: string): Choice {
  const query = new URLSearchParams(search);
  const oneOf = <T>(name: string, values: readonly string[]): T =>
    (values.includes(query.get(name) ?? '') ? query.get(name) : values[0]) as T;
  const start = query.get('start') ?? '';
  return {
    text: query.get('text') ?? '',
    due: oneOf('due', DUE),
    whom: oneOf('whom', WHOM),
    application: query.get('application') ?? '',
    sorter: query.get('sorter') ?? '',
    start: /^\d{1,6}$/.test(start) ? Number(start) : 0,
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

/** A title of applications to choose, and how many tasks of the list have it. */
export interface TitleCount {
  title: string;
  count: number;
}

/** Each title once: the choice finds the tasks of every application of that title. */
export function countByTitle(applications: TitleCount[]): TitleCount[] {
  const counts = new Map<string, number>();
  for (const { title, count } of applications) counts.set(title, (counts.get(title) ?? 0) + count);
  return [...counts].map(([title, count]) => ({ title, count }));
}

/** The filters of the API that a choice adds to the list's own. */
export function filtersOf({ text, due, whom, application }: Choice, userId: string): string[] {
  const before = (time: number) => `dueDate:lt:${new Date(time).toISOString()}`;
  // To the minute, or each rendering would be another address.
  const now = Math.floor(Date.now() / MINUTE) * MINUTE;
  return [
    ...(text === '' ? [] : [`title:contains:${text.slice(0, MAX_TEXT)}`]),
    ...(due === 'any' ? [] : [before(due === 'week' ? now + WEEK : now)]),
    ...(whom === 'any' ? [] : [whom === 'me' ? `assignee:eq:${userId}` : 'group:isnotempty']),
    ...(application === '' ? [] : [`applicationTitle:eq:${application}`]),
  ];
}
