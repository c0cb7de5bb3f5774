import { Injectable, type PipeTransform } from '@nestjs/common';
import { notFound } from '../errors/api-errors.js';
import { isId } from './uri.js';

/**
 * Lets only ids pass: a text that cannot be one names no object. Not for a PATCH, whose body is judged
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
