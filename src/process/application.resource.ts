import { audience, audienceCondition } from '../audience/audience-condition.js';
import {
  boolean,
  enumeration,
  count,
  dates,
  label,
  link,
  links,
  number,
  reference,
  text,
} from '../resources/attributes/attributes.js';
import type { Bind } from '../database/bindings.js';
import { resource } from '../resources/resource.js';
import { validateWebAddress } from '../resources/attributes/web-address.js';
import type { Viewer } from '../security/caller.js';
import { Application } from './application.entity.js';
import { tasks } from './task.resource.js';
import { TILE_COLORS, TILE_ICONS } from './tile-appearance.js';

/** Kinds of application (docs/api-contract.md#application-entry). */
export const APPLICATION_TYPES = {
  PROCESS: { en: 'process', fr: 'processus' },
  LINK: { en: 'link', fr: 'lien' },
};

/** The applications that a person sees in the workplace; for administrators too, their audience decides. */
export const visibleInWorkplace = ({ id }: Viewer, alias: string, bind: Bind): string =>
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
    tileColor: enumeration(TILE_COLORS),
    type: enumeration(APPLICATION_TYPES, { required: true }),
    link: text({ max: 2000, fault: validateWebAddress }),
    icon: enumeration(TILE_ICONS),
    targetBlank: boolean({ default: false }),
    helpLinkJS: text({ max: 2000, fault: validateWebAddress }),
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
    taskCount: count((alias, { caller, bind }) => {
      const seen = tasks.definition.visible?.(caller, 'k', bind) ?? 'true';
      return `(SELECT count(*) FROM tasks k WHERE k.application_id = ${alias}.id AND ${seen})`;
    }),
  },
  visible: (caller, alias, bind) =>
    caller.administrator ? undefined : visibleInWorkplace(caller, alias, bind),
});
