import { count, dates, longText, reference, text } from '../resources/attributes/attributes.js';
import { AS_IS } from '../resources/name-rule.js';
import { resource } from '../resources/resource.js';
import { Group } from './group.entity.js';
import { MANAGED, managedBy } from './provider.resource.js';

export const groups = resource({
  name: 'groups',
  uri: '/directory/groups',
  entity: Group,
  labelColumn: 'label',
  managed: MANAGED.groups,
  attributes: {
    reference: reference(),
    label: text({ required: true, max: 200 }),
    description: longText({ max: 2000 }),
    externalId: text({ max: 100, identifying: true, identity: AS_IS }),
    ...dates(),
    managedBy: managedBy(),
    memberCount: count(
      (alias) => `(SELECT count(*) FROM group_members m WHERE m.group_id = ${alias}.id)`,
    ),
  },
});
