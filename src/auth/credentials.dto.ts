import { MAX_PASSWORD } from './credentials/password-rules.js';
import { IsOptional } from 'class-validator';
import { filled } from '../http/body-rules.js';

/** Maximum length of a login in characters; a longer one is rejected before any look-up. */
const MAX_LOGIN = 250;

/** Maximum length of the code of a second step, with the blanks that people type. */
export const MAX_CODE = 64;

/** The payload of variants A and B (docs/api-contract.md#sign-in). */
export class CredentialsDto {
  @filled(MAX_LOGIN)
  login!: string;

  /** A password, or an API key. */
  @filled(MAX_PASSWORD)
  password!: string;

  /** The code of a second step, for people who have one. */
  @IsOptional()
  @filled(MAX_CODE)
  code: string | null = null;
}

/** `POST /api/v2/authentication/confirmation` */
export class ConfirmationDto {
  /** The caller's own password. */
  @filled(MAX_PASSWORD)
  password!: string;

  /** The code of a second step, for callers who have one. */
  @IsOptional()
  @filled(MAX_CODE)
  code: string | null = null;
}
