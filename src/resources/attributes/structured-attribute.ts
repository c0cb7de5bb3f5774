import type { Row } from '../../database/database.js';
import { satisfies } from '../../http/class-validation.js';
import { Attribute, type AttributeType } from './attribute.js';
import { InvalidValue } from './filterable.js';

/** An attribute whose value is JSON of a shape of its own; neither sorted nor filtered. */
export abstract class StructuredAttribute extends Attribute {
  override readonly type: AttributeType = 'object';
  /** `/translations/fr/title` */
  override readonly levels: number = 2;

  override display(row: Row, at: number): unknown {
    return row[at] ?? null;
  }

  override parseFilter(): unknown {
    throw new InvalidValue('cannot be filtered by');
  }

  protected override comparison(): string {
    throw new Error(`${this.name} cannot be filtered by`);
  }

  override rules(): PropertyDecorator[] {
    return [satisfies((value) => this.faultOf(value))];
  }

  /** The fault of a value of a body; undefined when there is none. */
  protected abstract faultOf(value: unknown): string | undefined;
}
