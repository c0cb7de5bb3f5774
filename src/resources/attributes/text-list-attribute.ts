import { ArrayMaxSize, IsArray, IsString, MaxLength } from 'class-validator';
import type { Row } from '../../database/database.js';
import { Attribute, type AttributeOptions, type AttributeType, UTF8_BYTES } from './attribute.js';
import { InvalidValue } from './filterable.js';

/** Maximum number of texts in a list, and maximum length of each in characters. */
const MAX_TEXTS = 50;
const MAX_LENGTH = 400;

/** A list of texts; neither sorted nor filtered. */
export class TextListAttribute extends Attribute {
  override readonly type: AttributeType = 'object';

  override present(row: Row, at: number): unknown {
    return row[at] ?? [];
  }

  override display(row: Row, at: number): unknown {
    return this.present(row, at);
  }

  override parseFilter(): unknown {
    throw new InvalidValue('cannot be filtered by');
  }

  override condition(): string {
    throw new Error(`${this.name} cannot be filtered by`);
  }

  override rules(): PropertyDecorator[] {
    const each = { each: true };
    return [IsArray(), ArrayMaxSize(MAX_TEXTS), IsString(each), MaxLength(MAX_LENGTH, each)];
  }

  override get maxBytes(): number {
    return MAX_TEXTS * MAX_LENGTH * UTF8_BYTES;
  }

  override schema(): Record<string, unknown> {
    return { type: 'array', items: { type: 'string', maxLength: MAX_LENGTH } };
  }
}

export const textList = (options: AttributeOptions = {}) =>
  new TextListAttribute({ default: [], ...options });
