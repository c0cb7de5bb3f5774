import { IsOptional } from 'class-validator';
import { MAX_PASSWORD } from '../auth/credentials/password-rules.js';
import { filled, items, oneOf } from '../http/body-rules.js';
import { faultOfNamedLink, linkSchema } from '../resources/attributes/link-input.js';
import { users } from './user.resource.js';
import { DELIVERIES, type Delivery } from './invitees.js';

/** The password rules refuse an empty one like any other. */
const newPassword = filled(MAX_PASSWORD, () => false);

/** `PUT /directory/users/{id}/password`; an administrator may omit currentPassword for another user. */
export class PasswordChangeDto {
  @IsOptional()
  @filled(MAX_PASSWORD)
  currentPassword: string | null = null;

  @newPassword
  password!: string;
}

/** `POST /directory/invitations` */
export class InvitationUseDto {
  @filled(MAX_PASSWORD)
  code!: string;

  @newPassword
  password!: string;
}

/** `POST /directory/invitations/check` */
export class InvitationCheckDto {
  @filled(MAX_PASSWORD)
  code!: string;
}

/** Maximum number of users that one call invites. */
const MAX_INVITED = 500;

/** Maximum length of an e-mail address in characters (RFC 5321 section 4.5.3.1.3). */
const MAX_EMAIL = 254;

/** `POST /directory/users/invitations` */
export class InvitationOrderDto {
  /** Links as in every body (docs/api-contract.md#request-bodies), each of which gets a result. */
  @items(MAX_INVITED, 'links', faultOfNamedLink(users.ref.uri), linkSchema(['users']))
  users!: unknown[];

  @oneOf(DELIVERIES)
  delivery!: Delivery;
}

/** `POST /authentication/password-reset` */
export class PasswordResetDto {
  /** A login or an e-mail address. */
  @filled(MAX_EMAIL)
  login!: string;
}
