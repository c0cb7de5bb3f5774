import { namedSchema } from '../resources/openapi/component.js';
import {
  count,
  atLeast,
  flag,
  orNull,
  text,
  textOrNull,
  texts,
  timestamp,
} from '../resources/openapi/schemas.js';
import { LOCALES } from './user.resource.js';
import { INVITATION_PROBLEMS } from './invitees.js';

export const PASSWORD_RULES = namedSchema(
  'PasswordRules',
  atLeast({
    length: count,
    lowercase: flag,
    uppercase: flag,
    number: flag,
    'special-char': flag,
    history: count,
  }),
);

export const INVITATION = namedSchema('Invitation', atLeast({ code: text, expiration: timestamp }));

export const CODE_HOLDER = namedSchema(
  'CodeHolder',
  atLeast({
    purpose: text,
    ...texts('login', 'title'),
    locale: { enum: Object.keys(LOCALES) },
    expiration: timestamp,
  }),
);

export const INVITATION_RESULT = namedSchema(
  'InvitationResult',
  atLeast({
    id: text,
    login: textOrNull,
    code: textOrNull,
    expiration: orNull(timestamp),
    mailedTo: textOrNull,
    problem: { enum: [...INVITATION_PROBLEMS, null] },
  }),
);

export const PASSWORD_RESET_REQUESTED = namedSchema(
  'PasswordResetRequested',
  atLeast({ minutes: count }),
);
