import { namedSchema } from '../openapi/component.js';
import { atLeast, orNull, text, textOrNull, texts, timestamp } from '../openapi/schemas.js';

export const NEW_API_KEY = namedSchema(
  'NewApiKey',
  atLeast({
    ...texts('id', 'name', 'prefix'),
    expiration: orNull(timestamp),
    addresses: textOrNull,
    creationDate: timestamp,
    lastUseDate: orNull(timestamp),
    lastUseAddress: textOrNull,
    key: text,
  }),
);
