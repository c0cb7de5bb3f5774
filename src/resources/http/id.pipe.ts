import { Injectable, type PipeTransform } from '@nestjs/common';
import { notFound } from '../../base/errors/api-errors.js';
import { isId } from '../uri.js';

/**
 * Accepts only ids, because no other text names an object. A PATCH does not use it: the server checks its body before
 * it looks up the row.
 * @throws ApiError 404
 */
@Injectable()
export class IdPipe implements PipeTransform<string, string> {
  transform(text: string): string {
    if (!isId(text)) throw notFound();
    return text;
  }
}
