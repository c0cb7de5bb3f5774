import { namedSchema } from '../resources/openapi/component.js';
import {
  atLeast,
  orNull,
  text,
  textOrNull,
  texts,
  timestamp,
} from '../resources/openapi/schemas.js';

export const NEW_API_KEY = namedSchema(
  'NewApiKey',
  atLeast({
    ...texts('id', 'name', 'prefix'),
    expiration: orNull(timestamp),
    addresses: textOrNull,
    permissions: orNull({ type: 'array', items: text }),
    creationDate: timestamp,
    lastUseDate: orNull(timestamp),
    lastUseAddress: textOrNull,
    key: text,
  }),
);
