import type { AttributeOptions } from './attribute.js';
import { inOrderOfNames } from './name-order.js';
import type { Fault } from '../../base/validation/class-validation.js';
import { StructuredAttribute } from './structured-attribute.js';
import { type Reason, reason } from '../../base/errors/reason.js';

interface JsonOptions extends AttributeOptions {
  /** Maximum size of its JSON text, in KiB. */
  maxKiB: number;
  /** Returns the fault of a value of a body. */
  fault: Fault;
  /** Fills in what a body may omit. */
  normalize: (value: unknown) => unknown;
  /** The JSON Schema of its value in a body, and in an answer. */
  schema: Record<string, unknown>;
  answer: Record<string, unknown>;
}

/** Deepest nesting of a value: below the attribute, a body has as many levels left. */
const MAX_LEVELS = 30;

/** A JSON value of bounded size, in detailed representations only. */
export class JsonAttribute extends StructuredAttribute {
  override readonly levels = MAX_LEVELS;

  constructor(override readonly options: JsonOptions) {
    super({ detailedOnly: true, ...options });
    this.options = { detailedOnly: true, ...options };
  }

  protected override faultOf(value: unknown): Reason | Reason[] | undefined {
    const { fault, maxKiB } = this.options;
    if (isDeeperThan(MAX_LEVELS, value)) return reason('too-deep', { max: MAX_LEVELS });
    const found = fault(value);
    if (found !== undefined) return found;
    const bytes = Buffer.byteLength(JSON.stringify(this.toStored(value)));
    return bytes > maxKiB * 1024 ? reason('too-large-as-json', { max: maxKiB }) : undefined;
  }

  /** Sorts names, so that equal values have equal texts. It reuses the text that the size check made. */
  override toStored(value: unknown): unknown {
    if (this.last.value !== value)
      this.last = { value, stored: inOrderOfNames(this.options.normalize(value)) };
    return this.last.stored;
  }

  private last: { value: unknown; stored: unknown } = { value: undefined, stored: undefined };

  override get maxBytes(): number {
    return this.options.maxKiB * 1024;
  }

  override schema(): Record<string, unknown> {
    return { oneOf: [this.options.answer, { type: 'null' }] };
  }

  override inputSchema(): Record<string, unknown> {
    return { oneOf: [this.options.schema, { type: 'null' }] };
  }
}

/** Whether a value is nested deeper than a limit. It does not recurse, because a patch can nest thousands of levels. */
function isDeeperThan(levels: number, value: unknown): boolean {
  let nodes = [value];
  for (let level = 0; nodes.length > 0; level++) {
    if (level > levels) return true;
    nodes = nodes.flatMap((node): unknown[] =>
      typeof node === 'object' && node !== null ? Object.values(node) : [],
    );
  }
  return false;
}
