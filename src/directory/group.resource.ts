import { count, dates, longText, reference, text } from '../resources/attributes/attributes.js';
import { AS_IS } from '../resources/name-rule.js';
import { resource } from '../resources/resource.js';
import { Group } from './group.entity.js';

export const groups = resource({
  name: 'groups',
  uri: '/directory/groups',
  entity: Group,
  labelColumn: 'label',
  attributes: {
    reference: reference(),
    label: text({ required: true, max: 200 }),
    description: longText({ max: 2000 }),
    externalId: text({ max: 100, identifying: true, identity: AS_IS }),
    ...dates(),
    memberCount: count(
      (alias) => `(SELECT count(*) FROM group_members m WHERE m.group_id = ${alias}.id)`,
    ),
  },
});
