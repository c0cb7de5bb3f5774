import { coded, dates, link, reference, text } from '../resources/attributes.js';
import { textList } from '../resources/text-list-attribute.js';
import { resource } from '../resources/resource.js';
import { visibleInWorkplace } from './application.resource.js';
import { View } from './view.entity.js';

const FILTER_MODES = { and: { en: 'all', fr: 'tous' }, or: { en: 'any', fr: 'au moins un' } };

export const views = resource({
  name: 'views',
  uri: '/process/views',
  entity: View,
  labelColumn: 'label',
  attributes: {
    reference: reference(),
    label: text({ required: true, max: 200 }),
    application: link('applications', { required: true }),
    columns: textList(),
    filters: textList(),
    filterMode: coded(FILTER_MODES, { default: 'and' }),
    sorter: text(),
    ...dates(),
  },
  visible: (caller, alias, bind) =>
    caller.administrator
      ? undefined
      : `EXISTS (SELECT 1 FROM applications a WHERE a.id = ${alias}.application_id AND ${visibleInWorkplace(caller, 'a', bind) ?? 'true'})`,
});
