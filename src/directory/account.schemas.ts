import { namedSchema } from '../openapi/component.js';
import {
  count,
  atLeast,
  exactly,
  flag,
  listOf,
  orNull,
  text,
  textOrNull,
  texts,
  timestamp,
} from '../openapi/schemas.js';
import { linkSchema } from '../resources/attributes/link-input.js';
import { DELIVERIES, INVITATION_PROBLEMS } from './invitees.js';

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

export const PASSWORD_CHANGE = namedSchema(
  'PasswordChange',
  exactly({ currentPassword: textOrNull, password: text }, ['currentPassword']),
);

export const INVITATION = namedSchema('Invitation', atLeast({ code: text, expiration: timestamp }));

export const INVITATION_USE = namedSchema('InvitationUse', exactly(texts('code', 'password')));

export const INVITATION_CHECK = namedSchema('InvitationCheck', exactly(texts('code')));

export const CODE_HOLDER = namedSchema(
  'CodeHolder',
  atLeast({ purpose: text, ...texts('login', 'title', 'locale'), expiration: timestamp }),
);

const LINK = linkSchema(['users']);

export const INVITATION_ORDER = namedSchema(
  'InvitationOrder',
  exactly({ users: listOf(LINK), delivery: { enum: [...DELIVERIES] } }),
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

export const PASSWORD_RESET = namedSchema('PasswordReset', exactly(texts('login')));

export const PASSWORD_RESET_REQUESTED = namedSchema(
  'PasswordResetRequested',
  atLeast({ minutes: count }),
);
