import type { Row } from '../../database/database.js';
import { idIn, isId, uriOf } from '../uri.js';
import type { SqlViewer } from '../visibility.js';
import { Attribute, type AttributeType, type PresentContext } from './attribute.js';
import { compare, typed } from './comparisons.js';
import { type Comparison, InvalidValue } from './filterable.js';
import { COMPARISON, IDENTITY, type Operator } from './operators.js';
import { reason } from '../../base/errors/reason.js';

/** The numeric id, shown as text but sorted and compared as a number. Always the first column. */
export class IdAttribute extends Attribute {
  override readonly type: AttributeType = 'number';
  override readonly operators = COMPARISON;

  constructor(private readonly prefix: string) {
    super({ readOnly: true, neverEmpty: true, identifying: true });
  }

  override expression(alias: string): string {
    return `${alias}.id`;
  }

  override present(row: Row, at: number): unknown {
    return String(row[at]);
  }

  override display(row: Row, at: number): unknown {
    return this.present(row, at);
  }

  override parseFilter(text: string, operator: Operator): unknown {
    const isEquality = IDENTITY.includes(operator);
    const id = isEquality ? idIn(text, this.prefix) : isId(text) || text === '0' ? text : undefined;
    if (id === undefined) throw new InvalidValue(reason('not-an-id'));
    return id;
  }

  protected override comparison(alias: string, { operator, value }: Comparison): string {
    return compare(this.expression(alias), operator, typed(value, 'bigint', operator));
  }

  override schema(): Record<string, unknown> {
    return { type: 'string', pattern: '^[1-9][0-9]*$' };
  }
}

/** The URI, made from the id. */
export class UriAttribute extends Attribute {
  override readonly type: AttributeType = 'link';
  override readonly levels = 1;
  override readonly operators = IDENTITY;

  constructor(private readonly prefix: string) {
    super({ readOnly: true, neverEmpty: true, identifying: true });
  }

  override expression(alias: string): string {
    return `${alias}.id`;
  }

  override columns(): string[] {
    return [];
  }

  override present(row: Row): unknown {
    return uriOf(this.prefix, row[0]);
  }

  override display(row: Row): unknown {
    return this.present(row);
  }

  override parseFilter(text: string): unknown {
    const id = idIn(text, this.prefix);
    if (id === undefined) throw new InvalidValue(reason('not-a-uri', { uri: `${this.prefix}/1` }));
    return id;
  }

  protected override comparison(alias: string, { operator, value }: Comparison): string {
    return compare(this.expression(alias), operator, typed(value, 'bigint', operator));
  }

  override schema(): Record<string, unknown> {
    return { type: 'string' };
  }
}

/** A value that the server computes from others; neither sorted nor filtered. */
export class ComputedAttribute extends Attribute {
  override readonly type: AttributeType = 'object';
  /** `/path/0/id` */
  override readonly levels: number = 2;

  /**
   * @param sql the columns that it needs
   * @param make computes its value from them
   * @param display presents that value to a person; unchanged by default
   */
  constructor(
    private readonly parts: {
      sql?: (alias: string, viewer?: SqlViewer) => string;
      make: (value: unknown, id: string, basePath: string) => unknown;
      display?: (value: unknown, context: PresentContext) => unknown;
      schema: Record<string, unknown>;
      detailedOnly?: boolean;
      maxBytes?: number;
    },
  ) {
    super({ readOnly: true, detailedOnly: parts.detailedOnly });
  }

  override get maxBytes(): number {
    return this.parts.maxBytes ?? super.maxBytes;
  }

  override columns(alias: string, viewer?: SqlViewer): string[] {
    return this.parts.sql ? [this.parts.sql(alias, viewer)] : [];
  }

  override present(row: Row, at: number, { basePath }: PresentContext): unknown {
    return this.parts.make(this.parts.sql ? row[at] : undefined, String(row[0]), basePath);
  }

  override display(row: Row, at: number, context: PresentContext): unknown {
    const value = this.present(row, at, context);
    return this.parts.display ? this.parts.display(value, context) : value;
  }

  override parseFilter(_text: string): unknown {
    throw new InvalidValue(reason('no-filter'));
  }

  protected override comparison(
    _alias: string,
    _comparison: Comparison,
    _viewer: SqlViewer,
  ): string {
    throw new Error(`${this.name} cannot be filtered by`);
  }

  override schema(): Record<string, unknown> {
    return this.parts.schema;
  }
}
