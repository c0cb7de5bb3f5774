import { faultOfText, isBlank, satisfies } from '../http/class-validation.js';

/** Maximum length of a comment in characters. */
export const MAX_COMMENT = 2_000;

/** `POST /process/tasks/{id}/comments` */
export class CommentDto {
  @satisfies((value) => {
    if (value === undefined || value === null) return 'is required';
    if (typeof value === 'string' && isBlank(value)) return 'must not be blank';
    return faultOfText(value, MAX_COMMENT);
  })
  text!: string;
}
