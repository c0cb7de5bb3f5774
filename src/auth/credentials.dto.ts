import { IsString } from 'class-validator';
import { filled } from '../credentials/password-rules.js';

/** Longest login in characters; longer ones are refused before anything is looked up. */
const MAX_LOGIN = 250;

/** The payload of variants A and B (docs/api-contract.md#sign-in). */
export class CredentialsDto {
  @IsString()
  @filled(MAX_LOGIN)
  login!: string;

  /** A password, or an API key. */
  @IsString()
  @filled()
  password!: string;
}

/** `POST /api/v2/authentication/confirmation` */
export class ConfirmationDto {
  /** The caller's own. */
  @IsString()
  @filled()
  password!: string;
}
