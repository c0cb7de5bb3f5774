import type { Row } from '../../database/database.js';
import { satisfies } from '../../base/validation/class-validation.js';
import type { Locale } from '../../security/caller.js';
import {
  Attribute,
  type AttributeOptions,
  type AttributeType,
  type PresentContext,
} from './attribute.js';
import { compare, typed } from './comparisons.js';
import { type Comparison, InvalidValue } from './filterable.js';
import { EQUALITY } from './operators.js';
import { reason } from '../../base/errors/reason.js';

/** Labels of a code in every language. */
export type CodeLabels = Record<Locale, string>;

/** One of a fixed set of codes, whole numbers or texts, each with its labels. */
export class EnumAttribute extends Attribute {
  override readonly type: AttributeType = 'coded';
  override readonly operators = EQUALITY;

  private readonly labels: Map<string, CodeLabels>;

  constructor(
    labels: Record<string, CodeLabels>,
    override readonly options: AttributeOptions & { numeric?: boolean } = {},
  ) {
    super(options);
    this.labels = new Map(Object.entries(labels));
  }

  override get codes(): (string | number)[] {
    const codes = [...this.labels.keys()];
    return this.options.numeric ? codes.map(Number) : codes;
  }

  override display(row: Row, at: number, { locale }: PresentContext): unknown {
    const value = row[at] as string | number | null;
    return value === null ? null : (this.labels.get(String(value))?.[locale] ?? String(value));
  }

  override parseFilter(text: string): unknown {
    const code = this.codeOf(text);
    if (code === undefined) throw new InvalidValue(reason('not-one-of', { choices: this.codes }));
    return code;
  }

  protected override comparison(alias: string, { operator, value }: Comparison): string {
    const type = this.options.numeric ? 'smallint' : 'text';
    return compare(this.expression(alias), operator, typed(value, type, operator));
  }

  override rules(): PropertyDecorator[] {
    const expected = this.options.numeric ? 'number' : 'string';
    return [
      satisfies((value) =>
        typeof value === expected && this.codeOf(String(value)) !== undefined
          ? undefined
          : reason('not-one-of', { choices: this.codes }),
      ),
    ];
  }

  override toStored(value: unknown): unknown {
    return this.options.numeric ? value : this.codeOf(value as string);
  }

  override schema(): Record<string, unknown> {
    return { enum: [...this.codes, null] };
  }

  override displaySchema(): Record<string, unknown> {
    return { type: ['string', 'null'], description: 'the label of the code' };
  }

  /** Codes match case-insensitively and are stored as defined. */
  private codeOf(text: string): string | undefined {
    return [...this.labels.keys()].find((code) => code.toLowerCase() === text.toLowerCase());
  }
}
