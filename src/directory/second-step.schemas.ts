import { namedSchema } from '../resources/openapi/component.js';
import { atLeast, orNull, text } from '../resources/openapi/schemas.js';

const codes = { type: 'array', items: text };

export const CODE_SECRET = namedSchema('CodeSecret', atLeast({ secret: text, uri: text }));

export const CONFIRMED_SECOND_STEP = namedSchema(
  'ConfirmedSecondStep',
  atLeast({ recoveryCodes: orNull(codes) }),
);

export const RECOVERY_CODES = namedSchema('RecoveryCodes', atLeast({ recoveryCodes: codes }));
