import { filled } from '../../http/body-rules.js';
import { isBlank } from '../../base/validation/class-validation.js';

/** Maximum length of a comment in characters. */
export const MAX_COMMENT = 2_000;

/** `POST /process/tasks/{id}/comments` */
export class TaskCommentDto {
  @filled(MAX_COMMENT, isBlank)
  text!: string;
}
