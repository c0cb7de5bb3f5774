import type { Row } from '../../database/database.js';
import { faultOfText, satisfies } from '../../http/class-validation.js';
import type { SqlViewer } from '../visibility.js';
import {
  Attribute,
  type AttributeOptions,
  type AttributeType,
  compare,
  type PresentContext,
} from './attribute.js';
import type { Comparison, IndexPrefilter } from './filterable.js';
import { escapeLike, folded, foldedValue } from './folded-text.js';
import { type Operator, OPERATORS } from './operators.js';

export interface TextOptions extends AttributeOptions {
  /** Maximum length in characters. */
  max?: number;
  /** Returns the fault of a text, e.g. of a link that is no URL. */
  fault?: (text: string) => string | undefined;
  /** Part of quick_search, whose n-gram index narrows substring filters down. */
  searched?: boolean;
}

/** Maximum length of a line of text. */
const DEFAULT_MAX = 250;

/** Texts up to this length have an index of their own (test/query-plans.spec.ts lists those without). */
const MAX_INDEXED = 300;

/**
 * Substrings of up to this length occur in many rows. Reading the whole index of the text counts them faster
 * than reading the rows that the n-gram index finds (docs/performance.md).
 */
const MAX_SHORT = 3;
const SHORT = 'short';

/** Operators for which a B-tree index is no use: they do not match the beginning of a text. */
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

  override display(row: Row, at: number, _context: PresentContext): unknown {
    return row[at] ?? null;
  }

  override parseFilter(text: string): unknown {
    return text;
  }

  override variantOf(text: string): string | undefined {
    return text.length <= MAX_SHORT ? SHORT : undefined;
  }

  override condition(alias: string, { operator, value }: Comparison, _viewer: SqlViewer): string {
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
    return [satisfies((value) => faultOfText(value, this.maxLength) ?? fault?.(value as string))];
  }

  override schema(): Record<string, unknown> {
    return { type: ['string', 'null'], maxLength: this.maxLength };
  }

  override displaySchema(): Record<string, unknown> {
    return { type: ['string', 'null'] };
  }
}
