import { dates, link, number, reference, text } from '../../src/resources/attributes/attributes.js';
import { resource } from '../../src/resources/resource.js';
import { Room } from './room.entity.js';

export const rooms = resource({
  name: 'rooms',
  uri: '/directory/rooms',
  entity: Room,
  labelColumn: 'label',
  attributes: {
    reference: reference(),
    label: text({ required: true, max: 200 }),
    seats: number({ min: 1, max: 1000 }),
    organization: link('organizations'),
    ...dates(),
  },
});
