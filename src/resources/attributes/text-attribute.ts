import type { Row } from '../../database/database.js';
import { faultOfText, satisfies } from '../../base/validation/class-validation.js';
import type { SqlViewer } from '../visibility.js';
import {
  Attribute,
  type AttributeOptions,
  type AttributeType,
  type PresentContext,
} from './attribute.js';
import { compare, compareAlike, formed } from './comparisons.js';
import type { Comparison } from './filterable.js';
import { escapeLike, folded, foldedInline, foldedValue, likePattern } from './folded-text.js';
import { IDENTITY, type Operator, OPERATORS } from './operators.js';
import type { Reason } from '../../base/errors/reason.js';

export interface TextOptions extends AttributeOptions {
  /** The operators of its filters; by default, those of every text. */
  operators?: readonly Operator[];
  /** Maximum length in characters. */
  max?: number;
  /** Returns the fault of a text, e.g. of a link that is no URL. */
  fault?: (text: string) => Reason | undefined;
  /** Part of quick_search, whose n-gram index narrows substring filters down. */
  searched?: boolean;
  /** The SQL of the indexed n-grams that narrow substring filters down, where it is not part of quick_search. */
  ngrams?: (alias: string) => string;
  /** A partial index holds the folded text. It lacks the rows without a text, so lists cannot be sorted by it. */
  indexed?: boolean;
}

/** Maximum length of a line of text. */
const DEFAULT_MAX = 250;

/** Texts up to this length have an index of their own (test/resources/query-plans.long.spec.ts lists those without). */
const MAX_INDEXED = 300;

/** How many first characters of a long text its index holds, because an entry has at most 2,704 bytes. */
const PREFIX = 40;

/** A value shorter than the indexed beginning of a long text. Folding does not lengthen ASCII. */
const ASCII = /^[\x20-\x7e]*$/;
const BRIEF = 'brief';

/** Operators that find texts by n-grams. */
const SUBSTRING: ReadonlySet<Operator> = new Set<Operator>(['contains', 'ends']);

const quickSearchNgrams = (alias: string): string => `ngrams(${alias}.quick_search)`;

/** The SQL of the indexed beginning of a long text. */
const beginning = (text: string): string => `left(${text}, ${PREFIX})`;

/** A text; compared without case and accents, but for the equality of identifiers (docs/api-contract.md#text-comparison). */
export class TextAttribute extends Attribute {
  override readonly type: AttributeType = 'text';
  override readonly operators: readonly Operator[];

  constructor(override readonly options: TextOptions = {}) {
    super(options);
    this.operators = options.operators ?? OPERATORS;
  }

  override get maxLength(): number {
    return this.options.max ?? DEFAULT_MAX;
  }

  /** The index of a long text does not order texts with the same beginning. */
  override get sortable(): boolean {
    return !this.isLong && super.sortable;
  }

  override order(alias: string): string {
    return folded(this.expression(alias));
  }

  override display(row: Row, at: number, _context: PresentContext): unknown {
    return row[at] ?? null;
  }

  override parseFilter(text: string): unknown {
    return text;
  }

  override variantOf([text = '', ...others]: string[]): string | undefined {
    const isBrief = this.isLong && others.length === 0 && text.length < PREFIX && ASCII.test(text);
    return isBrief ? BRIEF : undefined;
  }

  protected override comparison(
    alias: string,
    { operator, value, variant, each }: Comparison,
    _viewer?: SqlViewer,
  ): string {
    const { identity } = this.options;
    const column = this.expression(alias);
    const text = folded(column);
    const indexed = this.indexed(alias);
    // No index has the rows without a text. An index on the exact text finds the others.
    if (!this.isLong && !this.hasOwnIndex) {
      if (operator === 'isempty') return `(${column} IS NULL OR ${column} = '')`;
      if (operator === 'isnotempty') return `(${column} <> '')`;
    }
    if (operator === 'isempty')
      return `(${indexed} IS NULL OR (${indexed} = '' AND ${column} = ''))`;
    if (operator === 'isnotempty') return `(${indexed} IS NOT NULL AND ${column} <> '')`;
    if (identity && IDENTITY.includes(operator)) return identity.compare(column, operator, value);
    const wanted = formed(foldedValue, value, operator);
    const like = `${text} LIKE`;
    // The beginning alone decides. A redundant second condition would mislead the planner.
    const isBrief = this.isLong && variant === BRIEF;
    const searched = this.hasOwnIndex && !each ? text : foldedInline(column);
    const matches = `${searched} LIKE ${likePattern(operator, value)}`;
    switch (operator) {
      case 'starts':
        if (isBrief) return `${indexed} LIKE ${escapeLike(wanted)} || '%'`;
        if (this.isLong)
          return `(${indexed} LIKE ${escapeLike(beginning(wanted))} || '%' AND ${like} ${escapeLike(wanted)} || '%')`;
        return `${like} ${escapeLike(wanted)} || '%'`;
      case 'ends':
      case 'contains':
        return matches;
      case 'notcontains':
        // Without statistics of the text, PostgreSQL would expect hardly any row.
        return this.isLong ? `(${column} IS NULL OR NOT (${matches}))` : `(${matches}) IS NOT TRUE`;
      default:
        return this.isLong && !isBrief
          ? compareAlike([indexed, text], operator, [
              formed((one) => beginning(foldedValue(one)), value, operator),
              wanted,
            ])
          : compare(indexed, operator, wanted);
    }
  }

  /** The first column of its index. */
  private indexed(alias: string): string {
    const text = folded(this.expression(alias));
    return this.isLong ? beginning(text) : text;
  }

  /** Whether its index holds only the beginning of the text. */
  get isLong(): boolean {
    return this.maxLength > MAX_INDEXED;
  }

  override ngramCondition(alias: string, { operator, value }: Comparison): string | undefined {
    const { searched, ngrams = searched && quickSearchNgrams } = this.options;
    if (!ngrams || !SUBSTRING.has(operator)) return undefined;
    return `${ngrams(alias)} @> query_ngrams(${foldedValue(value)})`;
  }

  /** The index includes the text, so the scan reads no row. IS NOT NULL limits the scan to rows with a text. */
  override ownIndexCondition(
    alias: string,
    comparison: Comparison,
    _viewer?: SqlViewer,
  ): string | undefined {
    const { operator } = comparison;
    if (!this.hasOwnIndex) return undefined;
    const condition = this.comparison(alias, comparison);
    if (operator === 'notcontains') return condition;
    return SUBSTRING.has(operator)
      ? `${folded(this.expression(alias))} IS NOT NULL AND ${condition}`
      : undefined;
  }

  /** The index holds the folded text: filters that name it can read a range of the index (docs/decisions/0036). */
  private get hasOwnIndex(): boolean {
    const { unsorted, indexed } = this.options;
    return !this.isLong && (!unsorted || indexed === true);
  }

  override rules(): PropertyDecorator[] {
    const { fault } = this.options;
    return [satisfies((value) => faultOfText(value, this.maxLength) ?? fault?.(value as string))];
  }

  override schema(): Record<string, unknown> {
    return { type: ['string', 'null'], maxLength: this.maxLength };
  }

  override displaySchema(): Record<string, unknown> {
    return { type: ['string', 'null'] };
  }
}
