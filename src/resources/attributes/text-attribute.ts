import { IsString, MaxLength } from 'class-validator';
import type { Row } from '../../database/database.js';
import type { Bind } from '../../database/bindings.js';
import type { IndexPrefilter } from '../list/list-attribute.js';
import type { Operator } from '../list/operators.js';
import { satisfiesAsText } from '../../http/validate-body.js';
import { Attribute, type AttributeOptions, compare, type AttributeType } from './attribute.js';

export interface TextOptions extends AttributeOptions {
  /** Longest text in characters. */
  max?: number;
  /** Answers what is wrong with a text, e.g. a link that is no address. */
  fault?: (text: string) => string | undefined;
  /** It is part of quick_search, whose index then narrows a substring search down. */
  searched?: boolean;
}

/** Room for a line of text. */
const DEFAULT_MAX = 250;

/** Texts up to this length have an index of their own (test/query-plans.spec.ts has the list of those without). */
const MAX_INDEXED = 300;

/**
 * Pieces of text so short that many rows have them: to count those, reading the whole index of the
 * text is faster than reading the rows that the index of pieces finds (docs/performance.md).
 */
const SHORT = 3;

/** What the beginning of a text does not answer. */
const LOOKING_INSIDE: ReadonlySet<Operator> = new Set<Operator>(['contains', 'ends']);

/** A text; compared without case and accents (docs/api-contract.md#text-comparison). */
export class TextAttribute extends Attribute {
  override readonly type: AttributeType = 'text';

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

  override condition(alias: string, operator: Operator, value: unknown, bind: Bind): string {
    const column = this.expression(alias);
    if (operator === 'isempty') return `coalesce(${column}, '') = ''`;
    if (operator === 'isnotempty') return `${column} <> ''`;
    const text = folded(column);
    const wanted = soughtText(value, bind);
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
        return compare(text, operator, () => wanted);
    }
  }

  override indexPrefilter(
    operator: Operator,
    value: unknown,
    counting: boolean,
  ): IndexPrefilter | undefined {
    if (!this.options.searched || !LOOKING_INSIDE.has(operator)) return undefined;
    const hasOwnIndex = this.maxLength <= MAX_INDEXED;
    if (counting && hasOwnIndex && String(value).length <= SHORT) return undefined;
    return {
      condition: (alias, bind) =>
        `ngrams(${alias}.quick_search) @> query_ngrams(${soughtText(value, bind)})`,
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
}

const soughtText = (value: unknown, bind: Bind): string => `fold(${bind(value)}::text)`;

/** The form in which texts are compared and sorted; the indexes hold exactly this expression. */
export const folded = (expression: string): string => `fold(${expression} COLLATE "C")`;

/** `%`, `_` and `\` are plain characters. Escaped after folding, which can itself make a `%`. */
export const escapeLike = (expression: string): string =>
  `regexp_replace(${expression}, '([\\\\%_])', '\\\\\\1', 'g')`;
