import type { Row } from '../../database/database.js';
import { faultOfText, faultsOfItems, satisfies } from '../../base/validation/class-validation.js';
import {
  Attribute,
  type AttributeOptions,
  type AttributeType,
  type PresentContext,
  UTF8_BYTES,
} from './attribute.js';
import { InvalidValue } from './filterable.js';
import { reason } from '../../base/errors/reason.js';

/** Maximum length of each text in characters. */
const MAX_LENGTH = 400;

interface TextListOptions extends AttributeOptions {
  /** Maximum number of texts. */
  max: number;
  /** A noun for the texts, e.g. `filters`. */
  noun: string;
  /** The allowed texts. A hook of the resource checks them, with its own message. */
  values?: readonly string[];
  /** Presents one text to a person; unchanged by default. */
  display?: (text: string, context: PresentContext) => string;
}

/** A list of texts; neither sorted nor filtered. */
export class TextListAttribute extends Attribute {
  override readonly type: AttributeType = 'texts';
  /** `/columns/0` */
  override readonly levels = 1;

  constructor(override readonly options: TextListOptions) {
    super(options);
  }

  override present(row: Row, at: number): string[] {
    return (row[at] ?? []) as string[];
  }

  override display(row: Row, at: number, context: PresentContext): unknown {
    const { display = (text) => text } = this.options;
    return this.present(row, at).map((text) => display(text, context));
  }

  override parseFilter(): unknown {
    throw new InvalidValue(reason('no-filter'));
  }

  protected override comparison(): string {
    throw new Error(`${this.name} cannot be filtered by`);
  }

  override get codes(): string[] | null {
    return this.options.values ? [...this.options.values] : null;
  }

  override rules(): PropertyDecorator[] {
    const { max, noun } = this.options;
    return [
      satisfies((value) =>
        Array.isArray(value) && value.length <= max
          ? faultsOfItems(value, (text) => faultOfText(text, MAX_LENGTH))
          : reason('too-many-items', { max, noun }),
      ),
    ];
  }

  override get maxBytes(): number {
    return this.options.max * MAX_LENGTH * UTF8_BYTES;
  }

  override schema(): Record<string, unknown> {
    const { max, values } = this.options;
    const items = values
      ? { type: 'string', enum: values }
      : { type: 'string', maxLength: MAX_LENGTH };
    return { type: 'array', items, maxItems: max };
  }

  override displaySchema(): Record<string, unknown> {
    return { type: 'array', items: { type: 'string' } };
  }

  override inputSchema(): Record<string, unknown> {
    return { ...this.schema(), type: ['array', 'null'] };
  }
}

export const textList = (options: TextListOptions) =>
  new TextListAttribute({ default: [], ...options });
