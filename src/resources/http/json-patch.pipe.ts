import { Injectable, type PipeTransform } from '@nestjs/common';
import { parsePatch, type PatchOperation } from '../../base/json-patch/parse-patch.js';

/**
 * Parses the body of a PATCH. Guards have checked earlier whether the caller may write at all.
 * @throws ApiError 400 naming the operation
 */
@Injectable()
export class JsonPatchPipe implements PipeTransform<unknown, PatchOperation[]> {
  transform(body: unknown): PatchOperation[] {
    return parsePatch(body);
  }
}
