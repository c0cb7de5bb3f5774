import { IsOptional } from 'class-validator';
import { filled } from '../credentials/password-rules.js';

/** `PUT /directory/users/{id}/password`; an administrator omits currentPassword for another user. */
export class PasswordChangeDto {
  @IsOptional()
  @filled()
  currentPassword: string | null = null;

  @filled()
  password!: string;
}

/** `POST /directory/invitations` */
export class InvitationUseDto {
  @filled()
  code!: string;

  @filled()
  password!: string;
}

/** `POST /directory/invitations/check` */
export class InvitationCheckDto {
  @IsString()
  @filled()
  code!: string;
}
