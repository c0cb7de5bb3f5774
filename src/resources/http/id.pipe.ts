import { Injectable, type PipeTransform } from '@nestjs/common';
import { notFound } from '../../base/errors/api-errors.js';
import { isId } from '../uri.js';

/**
 * Lets only ids pass: any other text names no object. A PATCH does without it, because its body is checked
 * before its row is looked up.
 * @throws ApiError 404
 */
@Injectable()
export class IdPipe implements PipeTransform<string, string> {
  transform(text: string): string {
    if (!isId(text)) throw notFound();
    return text;
  }
}
