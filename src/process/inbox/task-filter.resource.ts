import {
  boolean,
  dates,
  enumeration,
  link,
  links,
  number,
  reference,
  text,
} from '../../resources/attributes/attributes.js';
import { textList } from '../../resources/attributes/text-list-attribute.js';
import { MAX_FILTERS } from '../../resources/list/filters.js';
import { resource } from '../../resources/resource.js';
import { groupsOf } from '../access/task-visibility.js';
import { displayFilter } from '../tasks/task-labels.js';
import { TaskFilter } from './task-filter.entity.js';
import { FILTER_MODES } from '../tiles/view.resource.js';

/** Most groups that a filter is shared with. */
const MAX_SHARED_WITH = 50;

/**
 * Most conditions of a shared filter on linked objects or inside texts. Each adds about 0.4 ms to every load of a
 * reader's inbox.
 */
export const MAX_SHARED_DEMAND = 5;

/** Largest place in the order of a person's filters. */
export const MAX_POSITION = 1_000_000;

/**
 * SQL of the ids of the filters that a person's inbox offers: the person's own and those shared with the person;
 * `userId` is SQL of the person's id. Each statement reads the memberships, so a person who leaves a group loses its
 * filters at once.
 */
export const filtersOffered = (userId: string): string =>
  `SELECT f.id FROM task_filters f WHERE f.owner_id = ${userId}::bigint
    UNION SELECT f.id FROM task_filters f WHERE f.shared_with_everyone
    UNION SELECT s.filter_id FROM task_filter_groups s WHERE s.group_id = ANY (${groupsOf(userId)})`;

const byOwner = { writableBy: 'owner' } as const;

/** Filters of the inbox that people save and share (docs/api-contract.md#saved-filters). */
export const taskFilters = resource({
  name: 'task-filters',
  schemaName: 'TaskFilter',
  noun: 'filter',
  uri: '/process/task-filters',
  table: 'task_filters',
  entity: TaskFilter,
  labelColumn: 'label',
  attributes: {
    reference: reference(),
    label: text({ required: true, max: 200, ...byOwner }),
    owner: link('users', { readOnly: true, neverEmpty: true, shownTo: () => true }),
    filters: textList({ max: MAX_FILTERS, noun: 'filters', display: displayFilter, ...byOwner }),
    filterMode: enumeration(FILTER_MODES, { default: 'and', unsorted: true, ...byOwner }),
    sorter: text({ unsorted: true, ...byOwner }),
    position: number({
      ...{ min: 0, max: MAX_POSITION, keptWhenBlank: true, neverEmpty: true },
      ...byOwner,
    }),
    sharedWithEveryone: boolean({ default: false, unsorted: true, ...byOwner }),
    sharedWith: links({
      targets: ['groups'],
      table: 'task_filter_groups',
      ownerColumn: 'filter_id',
      targetColumns: { groups: 'group_id' },
      idColumn: 'group_id',
      max: MAX_SHARED_WITH,
      ...byOwner,
    }),
    ...dates(),
  },
  isPersonal: true,
  // The array makes PostgreSQL find these few before it sorts. Administrators see whatever is shared.
  visible: ({ rights, idSql }, alias) =>
    `${alias}.id = ANY (ARRAY(${filtersOffered(idSql())}${rights.permits('task-filters:change') ? ' UNION SELECT s.filter_id FROM task_filter_groups s' : ''}))`,
});
