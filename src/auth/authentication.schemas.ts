import { namedSchema } from '../resources/openapi/component.js';
import { atLeast, flag, REF, text } from '../resources/openapi/schemas.js';

/** The end of a token, without fractions of a second. */
const expiration = {
  type: 'string',
  format: 'date-time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$',
  examples: ['2026-11-02T17:00:00Z'],
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
