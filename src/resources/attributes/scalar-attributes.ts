import { IsBoolean } from 'class-validator';
import type { Row } from '../../database/database.js';
import type { Bind } from '../../database/bindings.js';
import { InvalidValue } from '../list/list-attribute.js';
import type { Operator } from '../list/operators.js';
import { satisfies } from '../../http/validate-body.js';
import type { Locale } from '../../security/caller.js';
import {
  Attribute,
  type AttributeOptions,
  type AttributeType,
  compare,
  type PresentContext,
} from './attribute.js';
import { displayTimestamp, validateTimestamp, toMilliseconds } from './timestamps.js';

interface NumberOptions extends AttributeOptions {
  min?: number;
  max?: number;
}

const MAX_INTEGER = 2 ** 31 - 1;

/** A whole number. */
export class NumberAttribute extends Attribute {
  override readonly type: AttributeType = 'number';

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
    if (!/^-?(0|[1-9]\d{0,14})$/.test(text)) throw new InvalidValue('expected a whole number');
    return text;
  }

  override condition(alias: string, operator: Operator, value: unknown, bind: Bind): string {
    return compare(this.expression(alias), operator, () => `${bind(value)}::bigint`);
  }

  override rules(): PropertyDecorator[] {
    const { min: least = -MAX_INTEGER, max: most = MAX_INTEGER } = this.options;
    return [
      satisfies((value) =>
        Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
          ? undefined
          : `must be a whole number from ${least} to ${most}`,
      ),
    ];
  }

  override schema(): Record<string, unknown> {
    return { type: ['integer', 'null'] };
  }
}

/** A moment in UTC with milliseconds (docs/api-contract.md#timestamps). */
export class TimestampAttribute extends Attribute {
  override readonly type: AttributeType = 'timestamp';

  override display(row: Row, at: number, { locale, timeZone }: PresentContext): unknown {
    return displayTimestamp(row[at], locale, timeZone);
  }

  override parseFilter(text: string): unknown {
    // A plus sign arrives as a blank when the client did not encode it.
    const written = text.replace(/ (?=\d\d:?\d\d$)/, '+');
    const fault = validateTimestamp(written);
    if (fault !== undefined) throw new InvalidValue(fault);
    return toMilliseconds(written);
  }

  override condition(alias: string, operator: Operator, value: unknown, bind: Bind): string {
    return compare(this.expression(alias), operator, () => `${bind(value)}::timestamptz`);
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
}

const YES_NO: Record<Locale, [no: string, yes: string]> = { en: ['no', 'yes'], fr: ['non', 'oui'] };

export class BooleanAttribute extends Attribute {
  override readonly type: AttributeType = 'boolean';

  override display(row: Row, at: number, { locale }: PresentContext): unknown {
    const value = row[at];
    return typeof value === 'boolean' ? YES_NO[locale][value ? 1 : 0] : null;
  }

  override parseFilter(text: string): unknown {
    const flag = text.toLowerCase();
    if (flag !== 'true' && flag !== 'false') throw new InvalidValue('expected true or false');
    return flag;
  }

  override condition(alias: string, operator: Operator, value: unknown, bind: Bind): string {
    return compare(this.expression(alias), operator, () => `${bind(value)}::boolean`);
  }

  override rules(): PropertyDecorator[] {
    return [IsBoolean()];
  }

  override schema(): Record<string, unknown> {
    return { type: ['boolean', 'null'] };
  }
}

/** Labels of a code in every language. */
export type CodeLabels = Record<Locale, string>;

/** One of a fixed set of codes, each with its labels; whole numbers or texts. */
export class EnumAttribute extends Attribute {
  override readonly type: AttributeType = 'coded';

  private readonly labels: Map<string, CodeLabels>;

  constructor(
    labels: Record<string, CodeLabels>,
    override readonly options: AttributeOptions & { numeric?: boolean } = {},
  ) {
    super(options);
    this.labels = new Map(Object.entries(labels));
  }

  override display(row: Row, at: number, { locale }: PresentContext): unknown {
    const value = row[at] as string | number | null;
    return value === null ? null : (this.labels.get(String(value))?.[locale] ?? String(value));
  }

  override parseFilter(text: string): unknown {
    const code = this.codeOf(text);
    if (code === undefined) throw new InvalidValue(`expected ${this.choices()}`);
    return code;
  }

  override condition(alias: string, operator: Operator, value: unknown, bind: Bind): string {
    const type = this.options.numeric ? 'smallint' : 'text';
    return compare(this.expression(alias), operator, () => `${bind(value)}::${type}`);
  }

  override rules(): PropertyDecorator[] {
    const expected = this.options.numeric ? 'number' : 'string';
    return [
      satisfies((value) =>
        typeof value === expected && this.codeOf(String(value)) !== undefined
          ? undefined
          : `must be ${this.choices()}`,
      ),
    ];
  }

  override toStored(value: unknown): unknown {
    return this.options.numeric ? value : this.codeOf(value as string);
  }

  override schema(): Record<string, unknown> {
    const codes = [...this.labels.keys()];
    return { enum: [...(this.options.numeric ? codes.map(Number) : codes), null] };
  }

  /** Codes compare without case, and are stored as they are defined. */
  private codeOf(text: string): string | undefined {
    return [...this.labels.keys()].find((code) => code.toLowerCase() === text.toLowerCase());
  }

  private choices(): string {
    const codes = [...this.labels.keys()];
    const shown = this.options.numeric ? codes : codes.map((code) => `'${code}'`);
    return shown.join(', ').replace(/, (?=[^,]*$)/, ' or ');
  }
}
