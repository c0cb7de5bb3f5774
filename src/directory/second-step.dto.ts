import { MAX_CODE } from '../auth/credentials.dto.js';
import { filled } from '../http/body-rules.js';

/** `POST /directory/users/{id}/second-steps/authenticator-app/confirmation` */
export class SecondStepCodeDto {
  /** The code that the app shows. */
  @filled(MAX_CODE)
  code!: string;
}
