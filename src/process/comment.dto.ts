import { faultOfText, isBlank, satisfies } from '../http/class-validation.js';
import { reason } from '../errors/reason.js';

/** Maximum length of a comment in characters. */
export const MAX_COMMENT = 2_000;

/** `POST /process/tasks/{id}/comments` */
export class CommentDto {
  @satisfies((value) => {
    if (value === undefined || value === null) return reason('required');
    if (typeof value === 'string' && isBlank(value)) return reason('blank');
    return faultOfText(value, MAX_COMMENT);
  })
  text!: string;
}
