import { IsString, MaxLength } from 'class-validator';
import type { Row } from '../../database/database.js';
import { satisfiesAsText } from '../../http/validate-body.js';
import { Attribute, type AttributeOptions, compare, type AttributeType } from './attribute.js';
import type { Comparison, IndexPrefilter } from './filterable.js';
import { type Operator, OPERATORS } from './operators.js';

export interface TextOptions extends AttributeOptions {
  /** Longest text in characters. */
  max?: number;
  /** Answers what is wrong with a text, e.g. a link that is no address. */
  fault?: (text: string) => string | undefined;
  /** It is part of quick_search, whose n-gram index narrows a substring filter down. */
  searched?: boolean;
}

/** Enough for a line of text. */
const DEFAULT_MAX = 250;

/** Texts up to this length have an index of their own (test/query-plans.spec.ts has the list of those without). */
const MAX_INDEXED = 300;

/**
 * Substrings of up to this length occur in many rows: counting those is faster by reading the whole
 * index of the text than by reading the rows that the n-gram index finds (docs/performance.md).
 */
const MAX_SHORT = 3;
const SHORT = 'short';

/** Operators that an index on the beginning of a text does not answer. */
const SUBSTRING: ReadonlySet<Operator> = new Set<Operator>(['contains', 'ends']);

/** A text; compared without case and accents (docs/api-contract.md#text-comparison). */
export class TextAttribute extends Attribute {
  override readonly type: AttributeType = 'text';
  override readonly operators = OPERATORS;

  constructor(override readonly options: TextOptions = {}) {
    super(options);
  }

  override get maxLength(): number {
    return this.options.max ?? DEFAULT_MAX;
  }

  override order(alias: string): string {
    return folded(this.expression(alias));
  }

  override display(row: Row, at: number): unknown {
    return row[at] ?? null;
  }

  override parseFilter(text: string): unknown {
    return text;
  }

  override variantOf(text: string): string | undefined {
    return text.length <= MAX_SHORT ? SHORT : undefined;
  }

  override condition(alias: string, { operator, value }: Comparison): string {
    const column = this.expression(alias);
    if (operator === 'isempty') return `coalesce(${column}, '') = ''`;
    if (operator === 'isnotempty') return `${column} <> ''`;
    const text = folded(column);
    const wanted = foldedValue(value);
    const like = `${text} LIKE`;
    switch (operator) {
      case 'starts':
        return `${like} ${escapeLike(wanted)} || '%'`;
      case 'ends':
        return `${like} '%' || ${escapeLike(wanted)}`;
      case 'contains':
        return `${like} '%' || ${escapeLike(wanted)} || '%'`;
      case 'notcontains':
        return `(${like} '%' || ${escapeLike(wanted)} || '%') IS NOT TRUE`;
      default:
        return compare(text, operator, wanted);
    }
  }

  override indexPrefilter(
    { operator, value, variant }: Comparison,
    counting: boolean,
  ): IndexPrefilter | undefined {
    if (!this.options.searched || !SUBSTRING.has(operator)) return undefined;
    const hasOwnIndex = this.maxLength <= MAX_INDEXED;
    if (counting && hasOwnIndex && variant === SHORT) return undefined;
    return {
      condition: (alias) => `ngrams(${alias}.quick_search) @> query_ngrams(${foldedValue(value)})`,
      hasStatistics: hasOwnIndex,
    };
  }

  override rules(): PropertyDecorator[] {
    const { fault } = this.options;
    return [IsString(), MaxLength(this.maxLength), ...(fault ? [satisfiesAsText(fault)] : [])];
  }

  override schema(): Record<string, unknown> {
    return { type: ['string', 'null'], maxLength: this.maxLength };
  }

  override displaySchema(): Record<string, unknown> {
    return { type: ['string', 'null'] };
  }
}

const foldedValue = (value: string): string => `fold(${value}::text)`;

/** The form in which texts are compared and sorted; the indexes hold exactly this expression. */
export const folded = (expression: string): string => `fold(${expression} COLLATE "C")`;

/** `%`, `_` and `\` are plain characters. Escaped after folding, which can itself make a `%`. */
export const escapeLike = (expression: string): string =>
  `regexp_replace(${expression}, '([\\\\%_])', '\\\\\\1', 'g')`;
