import { MAX_PASSWORD } from './credentials/password-rules.js';
import { IsOptional } from 'class-validator';
import { filled, oneOf } from '../http/body-rules.js';

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

/** What a service account sends for a token of a person (RFC 8693 section 2.1). */
export const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** The type of a subject that is named by the login, without a token of the person's own. */
export const LOGIN_TYPE = 'urn:process-platform:token-type:login';

/** `POST /api/v2/authentication/token-exchange` */
export class TokenExchangeDto {
  @oneOf([GRANT_TYPE])
  grant_type!: string;

  /** The login of the person. */
  @filled(MAX_LOGIN)
  subject_token!: string;

  @oneOf([LOGIN_TYPE])
  subject_token_type!: string;
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
