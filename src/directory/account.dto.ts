import { IsOptional } from 'class-validator';
import { satisfies } from '../http/class-validation.js';
import { filled, newPassword } from '../credentials/password-rules.js';
import { validateNamedLinks } from '../resources/attributes/link-input.js';
import { users } from './user.resource.js';
import { DELIVERIES, type Delivery } from './invitees.js';
import { reason } from '../errors/reason.js';

/** `PUT /directory/users/{id}/password`; an administrator may omit currentPassword for another user. */
export class PasswordChangeDto {
  @IsOptional()
  @filled()
  currentPassword: string | null = null;

  @newPassword()
  password!: string;
}

/** `POST /directory/invitations` */
export class InvitationUseDto {
  @filled()
  code!: string;

  @newPassword()
  password!: string;
}

/** `POST /directory/invitations/check` */
export class InvitationCheckDto {
  @filled()
  code!: string;
}

/** Maximum number of users that one call invites. */
const MAX_INVITED = 500;

/** Maximum length of an e-mail address in characters (RFC 5321 section 4.5.3.1.3). */
const MAX_EMAIL = 254;

/** `POST /directory/users/invitations` */
export class InvitationOrderDto {
  /** Links as in every body (docs/api-contract.md#request-bodies), each of which gets a result. */
  @satisfies((value) =>
    Array.isArray(value) && value.length >= 1 && value.length <= MAX_INVITED
      ? validateNamedLinks(users.ref.uri)(value)
      : reason('bad-item-count', { max: MAX_INVITED, noun: 'links' }),
  )
  users!: unknown[];

  @satisfies((value) =>
    DELIVERIES.some((delivery) => delivery === value)
      ? undefined
      : reason('not-one-of', { choices: DELIVERIES }),
  )
  delivery!: Delivery;
}

/** `POST /authentication/password-reset` */
export class PasswordResetDto {
  /** A login or an e-mail address. */
  @filled(MAX_EMAIL)
  login!: string;
}
