import type { Row } from '../../database/database.js';
import { satisfies } from '../../base/validation/class-validation.js';
import type { Locale } from '../../security/caller.js';
import { Attribute, type AttributeType, type PresentContext } from './attribute.js';
import { compare, typed } from './comparisons.js';
import { type Comparison, InvalidValue } from './filterable.js';
import { EQUALITY } from './operators.js';
import { reason } from '../../base/errors/reason.js';

const YES_NO: Record<Locale, [no: string, yes: string]> = {
  en: ['no', 'yes'],
  fr: ['non', 'oui'],
  de: ['nein', 'ja'],
};

/** True or false. */
export class BooleanAttribute extends Attribute {
  override readonly type: AttributeType = 'boolean';
  override readonly operators = EQUALITY;

  override display(row: Row, at: number, { locale }: PresentContext): unknown {
    const value = row[at];
    return typeof value === 'boolean' ? YES_NO[locale][value ? 1 : 0] : null;
  }

  override parseFilter(text: string): unknown {
    const flag = text.toLowerCase();
    if (flag !== 'true' && flag !== 'false') throw new InvalidValue(reason('not-a-boolean'));
    return flag;
  }

  protected override comparison(alias: string, { operator, value }: Comparison): string {
    return compare(this.expression(alias), operator, typed(value, 'boolean', operator));
  }

  override rules(): PropertyDecorator[] {
    return [
      satisfies((value) => (typeof value === 'boolean' ? undefined : reason('not-a-boolean'))),
    ];
  }

  override schema(): Record<string, unknown> {
    return { type: ['boolean', 'null'] };
  }

  override displaySchema(): Record<string, unknown> {
    return { enum: [...Object.values(YES_NO).flat(), null] };
  }
}
