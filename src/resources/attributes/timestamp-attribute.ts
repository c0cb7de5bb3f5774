import type { Row } from '../../database/database.js';
import { satisfies } from '../../base/validation/class-validation.js';
import { Attribute, type AttributeType, type PresentContext } from './attribute.js';
import { compare, typed } from './comparisons.js';
import { type Comparison, InvalidValue } from './filterable.js';
import { COMPARISON } from './operators.js';
import { displayTimestamp, toMilliseconds, validateTimestamp } from './timestamps.js';

/** A point in time in UTC with milliseconds (docs/api-contract.md#conventions). */
export class TimestampAttribute extends Attribute {
  override readonly type: AttributeType = 'timestamp';
  override readonly operators = COMPARISON;

  override display(row: Row, at: number, { locale, timeZone }: PresentContext): unknown {
    return displayTimestamp(row[at], locale, timeZone);
  }

  override parseFilter(text: string): unknown {
    // An unencoded plus sign arrives as a space.
    const written = text.replace(/ (?=\d\d:?\d\d$)/, '+');
    const fault = validateTimestamp(written);
    if (fault !== undefined) throw new InvalidValue(fault);
    return toMilliseconds(written);
  }

  protected override comparison(alias: string, { operator, value }: Comparison): string {
    return compare(this.expression(alias), operator, typed(value, 'timestamptz', operator));
  }

  override rules(): PropertyDecorator[] {
    return [satisfies(validateTimestamp)];
  }

  override toStored(value: unknown): unknown {
    return toMilliseconds(value as string);
  }

  override schema(): Record<string, unknown> {
    return { type: ['string', 'null'], format: 'date-time' };
  }

  override displaySchema(): Record<string, unknown> {
    return {
      type: ['string', 'null'],
      description: 'in the locale and time zone of the caller',
      examples: ['2 Nov 2026, 09:00'],
    };
  }
}
