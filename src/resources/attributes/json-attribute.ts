import type { Row } from '../../database/database.js';
import { satisfies } from '../../http/class-validation.js';
import { Attribute, type AttributeOptions, type AttributeType } from './attribute.js';
import { InvalidValue } from './filterable.js';

interface JsonOptions extends AttributeOptions {
  /** Maximum size of its JSON text, in KiB. */
  maxKiB: number;
  /** Returns the fault of a value of a body. */
  fault: (value: unknown) => string | undefined;
  /** Fills in what a body may omit. */
  normalize: (value: unknown) => unknown;
  schema: Record<string, unknown>;
}

/** A JSON value of a shape of its own, in detailed representations only; neither sorted nor filtered. */
export class JsonAttribute extends Attribute {
  override readonly type: AttributeType = 'object';

  constructor(override readonly options: JsonOptions) {
    super({ detailedOnly: true, ...options });
    this.options = { detailedOnly: true, ...options };
  }

  override display(row: Row, at: number): unknown {
    return row[at] ?? null;
  }

  override parseFilter(): unknown {
    throw new InvalidValue('cannot be filtered by');
  }

  protected override comparison(): string {
    throw new Error(`${this.name} cannot be filtered by`);
  }

  override rules(): PropertyDecorator[] {
    return [satisfies((value) => this.faultOf(value))];
  }

  /** The fault of a value of a body; undefined when there is none. */
  faultOf(value: unknown): string | undefined {
    const { fault, maxKiB } = this.options;
    const found = fault(value);
    if (found !== undefined) return found;
    const bytes = Buffer.byteLength(JSON.stringify(this.toStored(value)));
    return bytes > maxKiB * 1024 ? `must have at most ${maxKiB} KiB as JSON` : undefined;
  }

  /** In one order of names, so that equal values have equal texts. */
  override toStored(value: unknown): unknown {
    return sortNames(this.options.normalize(value));
  }

  override get maxBytes(): number {
    return this.options.maxKiB * 1024;
  }

  override schema(): Record<string, unknown> {
    return { oneOf: [this.options.schema, { type: 'null' }] };
  }
}

function sortNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortNames);
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(
    names.map((name) => [name, sortNames((value as Record<string, unknown>)[name])]),
  );
}
