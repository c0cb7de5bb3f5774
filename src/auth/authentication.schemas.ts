import { namedSchema } from '../openapi/component.js';
import { atLeast, exactly, flag, REF, text, texts } from '../openapi/schemas.js';

export const CREDENTIALS = namedSchema('Credentials', exactly(texts('login', 'password')));

export const CONFIRMATION = namedSchema('Confirmation', exactly(texts('password')));

/** The end of a token, without fractions of a second. */
const expiration = {
  type: 'string',
  format: 'date-time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$',
};

export const TOKEN = namedSchema(
  'Token',
  atLeast({
    token: text,
    expiration,
  }),
);

export const CALLER_SESSION = namedSchema(
  'CallerSession',
  atLeast({ id: text, user: REF, expiration, administrator: flag }),
);
