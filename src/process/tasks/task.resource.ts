import {
  computed,
  computedLink,
  enumeration,
  byBeginning,
  dates,
  label,
  link,
  linkedText,
  links,
  longText,
  number,
  reference,
  text,
  timestamp,
} from '../../resources/attributes/attributes.js';
import type { Bind } from '../../database/bindings.js';
import { AS_IS } from '../../resources/name-rule.js';
import { LISTED, resource } from '../../resources/resource.js';
import { BEGINNING } from '../../resources/attributes/operators.js';
import { validateWebAddress } from '../../resources/attributes/web-address.js';
import { users } from '../../directory/user.resource.js';
import { callerFilter } from './caller-filter.js';
import { momentFilter } from './moment-filter.js';
import { nobodyFilter } from './nobody-filter.js';
import { MAX_OUTCOME_NAME, outcomes } from './outcomes.js';
import { taskPage } from './task-page.js';
import { substituteOf } from '../access/substitution.js';
import { Task } from './task.entity.js';
import { ownTasks, taskVisibility } from '../access/task-visibility.js';
import { variables } from './variables.js';

/** Maximum length in characters of the id that a source gives a task. */
export const MAX_EXTERNAL_ID = 200;

/** Most candidates of a task. */
export const MAX_CANDIDATES = 100;

/** Maximum length in characters of the comment on the end of a task. */
const MAX_COMMENT = 2_000;

export const TASK_STATUS = {
  open: { en: 'open', fr: 'ouverte', de: 'offen' },
  done: { en: 'done', fr: 'terminée', de: 'erledigt' },
  cancelled: { en: 'cancelled', fr: 'annulée', de: 'abgebrochen' },
};

/** The states of a decision's confirmation by the engine (docs/api-contract.md#confirmed-decisions). */
const CONFIRMATIONS = {
  pending: { en: 'waits for the engine', fr: 'en attente du moteur', de: 'wartet auf die Engine' },
  confirmed: { en: 'confirmed', fr: 'confirmée', de: 'bestätigt' },
  refused: { en: 'refused', fr: 'refusée', de: 'abgelehnt' },
};

/** The status of tasks that wait for a decision. */
export const OPEN = 'open';

export const isOpen = (alias: string): string => `${alias}.status = '${OPEN}'`;

/**
 * Tasks that wait for a person: the definition behind the inbox and its counts, which streams of counters and the
 * recipients of digests repeat for many people at once (docs/decisions/0028); `userId` is SQL of the person's id.
 */
export const waitingTasks = (alias: string, userId: string): string =>
  `${isOpen(alias)} AND ${ownTasks(alias, userId)}`;

/** `ERP:order-4711`: the source, and its id of the task. */
function byExternalId(name: string, bind: Bind): string | undefined {
  const at = name.indexOf(':');
  if (at < 0) return undefined;
  const source = AS_IS.compare('s.reference', 'eq', bind(name.slice(0, at)));
  return `${LISTED}.source_id = (SELECT s.id FROM sources s WHERE ${source})
    AND ${LISTED}.external_id = ${bind(name.slice(at + 1))}`;
}

export const tasks = resource({
  name: 'tasks',
  uri: '/process/tasks',
  entity: Task,
  labelColumn: 'title',
  takesIdempotencyKey: true,
  namedBy: byExternalId,
  attributes: {
    reference: reference({ reserved: ['bulk', 'waiting'] }),
    label: label('title'),
    title: text({ required: true, max: 200 }),
    description: longText({ operators: BEGINNING }),
    application: link('applications', {
      required: true,
      // Process engines create and read the tasks of every application, but are in few audiences.
      shownTo: (rights) => rights.permits('tasks:read'),
    }),
    applicationTitle: linkedText({
      table: 'applications',
      linkColumn: 'application_id',
      textColumn: 'title',
      max: 200,
    }),
    assignee: link('users'),
    group: link('groups'),
    candidates: links({
      targets: ['users', 'groups'],
      table: 'task_candidates',
      ownerColumn: 'task_id',
      targetColumns: { users: 'user_id', groups: 'group_id' },
      idColumn: 'principal_id',
      max: MAX_CANDIDATES,
      detailedOnly: true,
    }),
    status: enumeration(TASK_STATUS, { default: 'open', writableBy: 'owner' }),
    priority: number({ default: 0 }),
    dueDate: timestamp(),
    link: byBeginning({ max: 2000, fault: validateWebAddress }),
    href: computed({
      make: (_, id, basePath) => taskPage(id, basePath),
      schema: { type: 'string', format: 'uri-reference' },
    }),
    ...dates(),
    completionDate: timestamp({ readOnly: true }),
    followUpDate: timestamp(),
    // Every user who sees a task may know its source, although few may read the source itself.
    source: link('sources', { unsorted: true, shownTo: () => true }),
    externalId: byBeginning({
      max: MAX_EXTERNAL_ID,
      unsorted: true,
      identifying: true,
      identity: AS_IS,
    }),
    outcome: text({
      max: MAX_OUTCOME_NAME,
      unsorted: true,
      indexed: true,
      writableBy: 'owner',
    }),
    closedBy: link('users', { readOnly: true, unsorted: true }),
    confirmation: enumeration(CONFIRMATIONS, { readOnly: true, unsorted: true }),
    // The person whose substitute closed it.
    closedFor: link('users', { readOnly: true, unsorted: true }),
    // The present substitute of the assignee, which changes without a write of the task.
    substitute: computedLink({ uri: users.ref.uri, sql: substituteOf }),
    sourceVersion: number({ min: 0, max: Number.MAX_SAFE_INTEGER, detailedOnly: true }),
    correlationId: text({ max: 200, detailedOnly: true }),
    variables: variables(),
    outcomes: outcomes(),
    comment: text({ max: MAX_COMMENT, detailedOnly: true, writableBy: 'owner' }),
    refusalReason: text({ readOnly: true, detailedOnly: true }),
  },
  warning:
    'the task is open and its assignee, a user among its candidates or a member of its group does not see its application: `/navigation/applications/13 is hidden from /directory/users/3`, or `… is hidden from a member of /directory/groups/7`, separated by `; `; only for administrators and process engines',
  ...taskVisibility,
  callerFilter: (term, resource, caller) =>
    callerFilter(term, resource, caller) ??
    nobodyFilter(term) ??
    momentFilter(term, resource, caller),
});
