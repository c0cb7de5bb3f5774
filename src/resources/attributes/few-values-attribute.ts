import type { SqlViewer } from '../visibility.js';
import type { Comparison, ValueSource } from './filterable.js';
import { folded, likePattern } from './folded-text.js';
import { distinctTexts, MAX_TEXTS, textThatFits } from './known-values.js';
import { OPPOSITE_OF } from './operators.js';
import { INSIDE, TextAttribute, type TextOptions } from './text-attribute.js';

/**
 * A text with few distinct values: substrings are looked for in the values, of which an index finds one after the other,
 * 10 µs each (docs/decisions/0036).
 */
export class FewValuesAttribute extends TextAttribute {
  /** @param table the table that has the index of the folded text */
  constructor(
    private readonly table: string,
    options: TextOptions,
  ) {
    super(options);
  }

  protected override comparison(alias: string, comparison: Comparison, viewer?: SqlViewer): string {
    const { operator, each } = comparison;
    if (operator === 'isnotempty') {
      const text = this.expression(alias);
      return `(${folded(text)} IS NOT NULL AND ${text} <> '')`;
    }
    if (each || !INSIDE.has(operator)) return super.comparison(alias, comparison, viewer);
    const positive = OPPOSITE_OF[operator];
    return positive
      ? `(${this.isAmong(alias, { ...comparison, operator: positive })}) IS NOT TRUE`
      : this.isAmong(alias, comparison);
  }

  override valueSource({ operator, value }: Comparison): ValueSource | undefined {
    if (!INSIDE.has(operator)) return undefined;
    return {
      query: this.values(textThatFits(operator, value)),
      expression: (alias) => folded(this.expression(alias)),
      type: 'text',
      isNegated: operator === 'notcontains',
      most: MAX_TEXTS,
    };
  }

  /** They were looked for before. */
  override distinctValues(): undefined {
    return undefined;
  }

  override ownIndexCondition(alias: string, comparison: Comparison): string | string[] | undefined {
    const { operator } = comparison;
    if (!INSIDE.has(operator)) return undefined;
    const among = this.isAmong(alias, comparison);
    return operator === 'notcontains' ? [among, `${this.expression(alias)} IS NULL`] : among;
  }

  /** The condition that the text is one of the values that fulfil a comparison. */
  private isAmong(alias: string, { operator, value }: Comparison): string {
    const like = operator === 'notcontains' ? 'NOT LIKE' : 'LIKE';
    const matches = `v.value ${like} ${likePattern(operator, value)}`;
    return `${folded(this.expression(alias))} = ANY (ARRAY(${this.values('v.value')} AND ${matches}))`;
  }

  /** A query of all values. */
  private values(columns: string): string {
    return distinctTexts(this.table, (alias) => folded(this.expression(alias)), columns);
  }
}
