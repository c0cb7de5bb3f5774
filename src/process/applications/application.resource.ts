import { audience, audienceCondition } from '../../directory/audience-condition.js';
import {
  boolean,
  computed,
  enumeration,
  count,
  dates,
  label,
  link,
  links,
  number,
  reference,
  text,
} from '../../resources/attributes/attributes.js';
import { translations } from '../../resources/attributes/translations-attribute.js';
import { resource } from '../../resources/resource.js';
import { validateWebAddress } from '../../resources/attributes/web-address.js';
import { Application } from './application.entity.js';
import { addressFrom, tileAddress } from './tile-address.js';
import { seenTasks } from '../access/task-visibility.js';
import { TILE_COLORS, TILE_ICONS } from './tile-appearance.js';

/** Kinds of application (docs/api-contract.md#application-entry). */
export const APPLICATION_TYPES = {
  PROCESS: { en: 'process', fr: 'processus', de: 'Prozess' },
  LINK: { en: 'link', fr: 'lien', de: 'Link' },
};

/**
 * The applications that a person sees in the workplace; for administrators too, their audience decides.
 * @param userId SQL of the person's id
 */
export const visibleInWorkplace = (alias: string, userId: string): string =>
  `${alias}.active AND ${audienceCondition(alias, userId)}`;

export const applications = resource({
  name: 'applications',
  uri: '/navigation/applications',
  reach: { application: (alias, ids) => `${alias}.id = ANY (${ids})` },
  entity: Application,
  labelColumn: 'title',
  attributes: {
    reference: reference(),
    label: label('title'),
    title: text({ required: true, max: 200 }),
    tileColor: enumeration(TILE_COLORS),
    type: enumeration(APPLICATION_TYPES, { required: true }),
    link: text({ max: 2000, fault: validateWebAddress }),
    href: computed({
      sql: tileAddress,
      make: (address, _, basePath) => address && addressFrom(address, basePath),
      schema: { type: ['string', 'null'], format: 'uri-reference' },
    }),
    icon: enumeration(TILE_ICONS),
    targetBlank: boolean({ default: false }),
    helpLinkJS: text({ max: 2000, fault: validateWebAddress }),
    keywords: text({ max: 500 }),
    position: number({ default: 0 }),
    active: boolean({ default: true, requiredInPut: true }),
    categories: links({
      targets: ['categories'],
      table: 'application_categories',
      ownerColumn: 'application_id',
      targetColumns: { categories: 'category_id' },
      idColumn: 'category_id',
    }),
    view: link('views'),
    audience: audience('application'),
    translations: translations({ title: 200, keywords: 500 }),
    ...dates(),
    taskCount: count((alias, viewer) => {
      const seen = seenTasks(viewer, 'k');
      return `(SELECT count(*) FROM tasks k WHERE k.application_id = ${alias}.id AND ${seen})`;
    }),
  },
  visible: ({ idSql }, alias) => visibleInWorkplace(alias, idSql()),
});
