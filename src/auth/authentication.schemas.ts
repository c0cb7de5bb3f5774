import { namedSchema } from '../openapi/component.js';
import { exactly, flag, REF, text, texts } from '../openapi/schemas.js';

export const CREDENTIALS = namedSchema('Credentials', exactly(texts('login', 'password')));

export const CONFIRMATION = namedSchema('Confirmation', exactly(texts('password')));

export const TOKEN = namedSchema(
  'Token',
  exactly({
    token: text,
    expiration: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$' },
  }),
);

export const CALLER_SESSION = namedSchema(
  'CallerSession',
  exactly({ id: text, user: REF, expiration: text, administrator: flag }),
);
