import { query } from '../../api-client/api.js';
import { MAX_FILTER_TEXT, startIn } from '../list-filter.js';
import { ACTIVE_PEOPLE } from './active-people.js';

/** People on one page of the directory. */
export const PEOPLE_PAGE = 24;

/** The orders of the directory, as sorters of the API. */
export const ORDERS = {
  lastName: 'lastName,firstName',
  firstName: 'firstName,lastName',
  userFunction: 'userFunction,lastName',
} as const;
export type Order = keyof typeof ORDERS;

/** The filters, order and page that a person has chosen in the directory. */
export interface PeopleChoice {
  /** Part of a name or of a function. */
  text: string;
  field: 'title' | 'userFunction';
  /** The id of an organization; blank for all. */
  organization: string;
  order: Order;
  start: number;
}

export const ALL_PEOPLE: PeopleChoice = {
  text: '',
  field: 'title',
  organization: '',
  order: 'lastName',
  start: 0,
};

export const isNarrowed = ({ text, organization }: PeopleChoice): boolean =>
  text !== '' || organization !== '';

/** The choice in an address of the page, so that links and the way back keep it. */
export function choiceIn(search: string): PeopleChoice {
  const values = new URLSearchParams(search);
  const order = values.get('order') ?? '';
  return {
    text: values.get('text') ?? '',
    field: values.get('field') === 'userFunction' ? 'userFunction' : 'title',
    organization: values.get('organization') ?? '',
    order: Object.hasOwn(ORDERS, order) ? (order as Order) : 'lastName',
    start: startIn(values),
  };
}

/** The query of the page's address for a choice, without defaults. */
export function searchOf(choice: PeopleChoice): string {
  const changed = Object.entries(choice).filter(
    ([name, value]) => value !== ALL_PEOPLE[name as keyof PeopleChoice],
  );
  if (changed.length === 0) return '';
  return query(Object.fromEntries(changed.map(([name, value]) => [name, String(value)])));
}

/**
 * The address of the list in the API for a choice. An organization includes the people of all organizations below it.
 */
export function listOf({ text, field, organization, order, start }: PeopleChoice): string {
  const filters = [
    ...(text === '' ? [] : [`${field}:contains:${text.slice(0, MAX_FILTER_TEXT)}`]),
    ...ACTIVE_PEOPLE,
  ];
  const range = `${start}-${PEOPLE_PAGE}`;
  const list =
    organization === '' ? 'users' : `organizations/${encodeURIComponent(organization)}/members`;
  return `/api/v2/directory/${list}${query({ range, sorter: ORDERS[order], filters })}`;
}
