import { MAX_PASSWORD } from './credentials/password-rules.js';
import { filled } from '../http/body-rules.js';

/** Maximum length of a login in characters; a longer one is rejected before any look-up. */
const MAX_LOGIN = 250;

/** The payload of variants A and B (docs/api-contract.md#sign-in). */
export class CredentialsDto {
  @filled(MAX_LOGIN)
  login!: string;

  /** A password, or an API key. */
  @filled(MAX_PASSWORD)
  password!: string;
}

/** `POST /api/v2/authentication/confirmation` */
export class ConfirmationDto {
  /** The caller's own password. */
  @filled(MAX_PASSWORD)
  password!: string;
}
