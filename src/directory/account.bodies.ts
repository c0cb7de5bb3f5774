import { IsOptional, IsString } from 'class-validator';
import { MAX_PASSWORD } from '../credentials/password-rules.js';
import { satisfies } from '../negotiation/validate-body.js';

const filled = () =>
  satisfies<unknown>((value) => {
    if (typeof value !== 'string' || value === '') return 'must not be blank';
    return [...value].length > MAX_PASSWORD
      ? `must have at most ${MAX_PASSWORD} characters`
      : undefined;
  });

/** `PUT /directory/users/{id}/password`; administrators leave currentPassword null for others. */
export class PasswordChange {
  @IsOptional()
  @IsString()
  @filled()
  currentPassword: string | null = null;

  @IsString()
  @filled()
  password!: string;
}

/** `POST /directory/invitations` */
export class InvitationUse {
  @IsString()
  @filled()
  code!: string;

  @IsString()
  @filled()
  password!: string;
}
