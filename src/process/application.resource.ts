import { audience, audienceCondition } from '../audience/audience-condition.js';
import {
  boolean,
  coded,
  count,
  dates,
  label,
  link,
  links,
  number,
  reference,
  text,
} from '../resources/attributes.js';
import { resource, type Visibility } from '../resources/resource.js';
import { addressFault } from '../resources/web-address.js';
import { Application } from './application.entity.js';

/** Kinds of application (interface: Application entry). */
export const APPLICATION_TYPES = {
  PROCESS: { en: 'process', fr: 'processus' },
  LINK: { en: 'link', fr: 'lien' },
};

/** What a person sees in the workplace: administrators' own audience counts like anyone's. */
export const visibleInWorkplace: Visibility = ({ id }, alias, bind) =>
  `${alias}.active AND ${audienceCondition(alias, id, bind)}`;

export const applications = resource({
  name: 'applications',
  uri: '/navigation/applications',
  entity: Application,
  labelColumn: 'title',
  attributes: {
    reference: reference(),
    label: label('title'),
    title: text({ required: true, max: 200 }),
    tileColor: text({ max: 50 }),
    type: coded(APPLICATION_TYPES, { required: true }),
    link: text({ max: 2000, fault: addressFault }),
    icon: text({ max: 50 }),
    targetBlank: boolean({ default: false }),
    helpLinkJS: text({ max: 2000, fault: addressFault }),
    keywords: text({ max: 500 }),
    position: number({ default: 0 }),
    active: boolean({ default: true }),
    categories: links({
      targets: ['categories'],
      table: 'application_categories',
      ownerColumn: 'application_id',
      targetColumns: { categories: 'category_id' },
      idColumn: 'category_id',
    }),
    view: link('views'),
    audience: audience('application'),
    ...dates(),
    taskCount: count(
      (alias) => `(SELECT count(*) FROM tasks k WHERE k.application_id = ${alias}.id)`,
    ),
  },
  visible: (caller, alias, bind) =>
    caller.administrator ? undefined : visibleInWorkplace(caller, alias, bind),
});
