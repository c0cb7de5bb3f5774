import type { Row } from '../../database/database.js';
import { satisfies } from '../../base/validation/class-validation.js';
import { Attribute, type AttributeOptions, type AttributeType } from './attribute.js';
import { compare, typed } from './comparisons.js';
import { type Comparison, InvalidValue } from './filterable.js';
import { COMPARISON } from './operators.js';
import { reason } from '../../base/errors/reason.js';

interface NumberOptions extends AttributeOptions {
  min?: number;
  max?: number;
}

const MAX_INTEGER = 2 ** 31 - 1;

/** A 32-bit integer. */
export class NumberAttribute extends Attribute {
  override readonly type: AttributeType = 'number';
  override readonly operators = COMPARISON;

  constructor(override readonly options: NumberOptions = {}) {
    super(options);
  }

  override present(row: Row, at: number): unknown {
    const value = row[at];
    return value === null || value === undefined ? null : Number(value);
  }

  override display(row: Row, at: number): unknown {
    return this.present(row, at);
  }

  override parseFilter(text: string): unknown {
    if (!/^-?(0|[1-9]\d{0,15})$/.test(text) || !Number.isSafeInteger(Number(text)))
      throw new InvalidValue(reason('not-an-integer'));
    return text;
  }

  protected override comparison(alias: string, { operator, value }: Comparison): string {
    return compare(this.expression(alias), operator, typed(value, 'bigint', operator));
  }

  override rules(): PropertyDecorator[] {
    const { min: least = -MAX_INTEGER, max: most = MAX_INTEGER } = this.options;
    return [
      satisfies((value) =>
        Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
          ? undefined
          : reason('out-of-range', { least, most }),
      ),
    ];
  }

  override schema(): Record<string, unknown> {
    return { type: ['integer', 'null'] };
  }
}
