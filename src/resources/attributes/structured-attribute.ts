import type { Row } from '../../database/database.js';
import { type Fault, satisfies } from '../../base/validation/class-validation.js';
import { Attribute, type AttributeType } from './attribute.js';
import { InvalidValue } from './filterable.js';
import { reason } from '../../base/errors/reason.js';

/** An attribute whose value is JSON of a shape of its own; neither sorted nor filtered. */
export abstract class StructuredAttribute extends Attribute {
  override readonly type: AttributeType = 'object';
  /** `/translations/fr/title` */
  override readonly levels: number = 2;

  override display(row: Row, at: number): unknown {
    return row[at] ?? null;
  }

  override parseFilter(): unknown {
    throw new InvalidValue(reason('no-filter'));
  }

  protected override comparison(): string {
    throw new Error(`${this.name} cannot be filtered by`);
  }

  override rules(): PropertyDecorator[] {
    return [satisfies((value) => this.faultOf(value))];
  }

  /** The fault of a value of a body; undefined when there is none. */
  protected abstract faultOf(value: unknown): ReturnType<Fault>;
}
