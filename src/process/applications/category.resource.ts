import {
  boolean,
  count,
  dates,
  label,
  number,
  reference,
  text,
} from '../../resources/attributes/attributes.js';
import { translations } from '../../resources/attributes/translations-attribute.js';
import { resource } from '../../resources/resource.js';
import { applications } from './application.resource.js';
import { Category } from './category.entity.js';

export const categories = resource({
  name: 'categories',
  uri: '/navigation/categories',
  entity: Category,
  labelColumn: 'title',
  attributes: {
    reference: reference(),
    label: label('title'),
    title: text({ required: true, max: 200 }),
    position: number({ default: 0 }),
    active: boolean({ default: true, requiredInPut: true }),
    translations: translations({ title: 200 }),
    ...dates(),
    applicationCount: count((alias, viewer) => {
      const seen = applications.visible(viewer, 'a') ?? 'true';
      return `(SELECT count(*) FROM application_categories ac JOIN applications a ON a.id = ac.application_id WHERE ac.category_id = ${alias}.id AND ${seen})`;
    }),
  },
  visible: (_, alias) => `${alias}.active`,
});
