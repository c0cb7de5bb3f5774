import { namedSchema } from '../openapi/component.js';
import {
  count,
  exactly,
  flag,
  orNull,
  text,
  textOrNull,
  texts,
  timestamp,
} from '../openapi/schemas.js';

export const PASSWORD_RULES = namedSchema(
  'PasswordRules',
  exactly({
    length: count,
    lowercase: flag,
    uppercase: flag,
    number: flag,
    specialCharacter: flag,
    history: count,
  }),
);

export const PASSWORD_CHANGE = namedSchema(
  'PasswordChange',
  exactly({ currentPassword: textOrNull, password: text }, ['currentPassword']),
);

export const INVITATION = namedSchema('Invitation', exactly({ code: text, expiration: timestamp }));

export const INVITATION_USE = namedSchema('InvitationUse', exactly(texts('code', 'password')));

export const API_KEY_BODY = namedSchema(
  'ApiKeyBody',
  exactly({ name: text, expiration: textOrNull, addresses: textOrNull }, [
    'expiration',
    'addresses',
  ]),
);

export const NEW_API_KEY = namedSchema(
  'NewApiKey',
  exactly({
    ...texts('id', 'name', 'prefix'),
    expiration: orNull(timestamp),
    addresses: textOrNull,
    creationDate: timestamp,
    lastUseDate: { type: 'null' },
    lastUseAddress: { type: 'null' },
    key: text,
  }),
);
