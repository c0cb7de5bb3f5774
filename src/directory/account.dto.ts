import { IsOptional, IsString } from 'class-validator';
import { filled } from '../credentials/password-rules.js';

/** `PUT /directory/users/{id}/password`; an administrator omits currentPassword for another user. */
export class PasswordChangeDto {
  @IsOptional()
  @IsString()
  @filled()
  currentPassword: string | null = null;

  @IsString()
  @filled()
  password!: string;
}

/** `POST /directory/invitations` */
export class InvitationUseDto {
  @IsString()
  @filled()
  code!: string;

  @IsString()
  @filled()
  password!: string;
}
