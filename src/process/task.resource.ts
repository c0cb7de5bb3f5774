import {
  enumeration,
  dates,
  label,
  link,
  longText,
  number,
  reference,
  text,
  timestamp,
} from '../resources/attributes/attributes.js';
import type { Bind } from '../database/bindings.js';
import { resource } from '../resources/resource.js';
import { validateWebAddress } from '../resources/attributes/web-address.js';
import type { Viewer } from '../security/caller.js';
import { Task } from './task.entity.js';

export const TASK_STATUS = {
  open: { en: 'open', fr: 'ouverte' },
  done: { en: 'done', fr: 'terminée' },
  cancelled: { en: 'cancelled', fr: 'annulée' },
};

/** Tasks of the caller or of the caller's groups. */
export const ownTasks = ({ id }: Viewer, alias: string, bind: Bind): string => {
  const user = `${bind(id)}::bigint`;
  return `(${alias}.assignee_id = ${user} OR ${alias}.group_id = ANY (ARRAY(SELECT m.group_id FROM group_members m WHERE m.user_id = ${user})))`;
};

export const tasks = resource({
  name: 'tasks',
  uri: '/process/tasks',
  entity: Task,
  labelColumn: 'title',
  attributes: {
    reference: reference(),
    label: label('title'),
    title: text({ required: true, max: 200 }),
    description: longText(),
    application: link('applications', {
      required: true,
      // Process engines create and read the tasks of every application, but are in few audiences.
      toldTo: ({ processEngine }) => processEngine,
    }),
    assignee: link('users'),
    group: link('groups'),
    status: enumeration(TASK_STATUS, { default: 'open', writableBy: 'owner' }),
    priority: number({ default: 0 }),
    dueDate: timestamp(),
    link: text({ max: 2000, fault: validateWebAddress }),
    ...dates(),
    completionDate: timestamp({ readOnly: true }),
  },
  visible: (caller, alias, bind) =>
    caller.administrator || caller.processEngine ? undefined : ownTasks(caller, alias, bind),
});
