import type { Permission } from '../../base/rights/permissions.js';
import type { Row } from '../../database/database.js';
import { snakeCase } from '../../database/naming-strategy.js';
import type { Caller, Locale } from '../../security/caller.js';
import type { NameRule } from '../name-rule.js';
import type { SqlViewer } from '../visibility.js';
import type { Comparison, Filterable } from './filterable.js';
import type { Operator } from './operators.js';

/** The context of presenting a row. */
export interface PresentContext {
  caller: Caller;
  locale: Locale;
  timeZone: string;
  /** The prefix of paths in answers. */
  basePath: string;
}

/** The options of every type of attribute. */
export interface AttributeOptions {
  /** The server maintains it; a PUT ignores it. */
  readOnly?: boolean;
  /** Every row has a value, although it is neither required nor has a default. */
  neverEmpty?: boolean;
  /** Hardly any two rows have the same value, so `eq` finds few (docs/decisions/0036). */
  identifying?: boolean;
  /** How `eq` and `neq` compare an identifying value. */
  identity?: NameRule;
  /** Accepted in bodies and never shown, e.g. a password (OpenAPI's term). */
  writeOnly?: boolean;
  /** Required on creation and never blank. */
  required?: boolean;
  /** Only in the detailed representation: never listed, sorted or filtered. */
  detailedOnly?: boolean;
  /** Lists can be filtered by it, but not sorted: no index orders all rows by it. */
  unsorted?: boolean;
  /** Shown to callers who may read every object, and to the user whom the row describes. */
  confidential?: boolean;
  /** Shown only to callers with this permission. */
  permission?: Permission;
  /** Who may write it without the permission to change every object: the user whom the row describes, or the one to whom a task belongs. */
  writableBy?: 'owner';
  /** The value of a blank on creation. */
  default?: unknown;
  /** A representation has it only where it has a value. */
  omittedWhenBlank?: boolean;
  /** Required in a PUT, because its default could show the object to more people. */
  requiredInPut?: boolean;
  /** A blank in PUT keeps the stored value. */
  keptWhenBlank?: boolean;
  /** SQL instead of a column of the table; implies readOnly. */
  sql?: (alias: string, viewer?: SqlViewer) => string;
}

/** The type that `GET {resource}/attributes` names. */
export type AttributeType =
  'text' | 'number' | 'timestamp' | 'boolean' | 'coded' | 'link' | 'links' | 'texts' | 'object';

/** A join that an attribute's columns need: a relation of the entity, on the rows that a viewer sees. */
export interface Join {
  relation: string;
  alias: string;
  condition: string | undefined;
}

/** Upper bound of the bytes of a number, a date or a code. */
const PLAIN_BYTES = 50;

/** Maximum number of bytes of one character (a UTF-16 code unit) in UTF-8. */
export const UTF8_BYTES = 3;

/**
 * One column or Ref of a resource: how it is read, filtered, sorted, checked, written and shown. Each
 * subclass implements one type completely.
 */
export abstract class Attribute implements Filterable {
  abstract readonly type: AttributeType;

  /** The operators of its filters; an attribute without any is neither filtered nor sorted. */
  readonly operators: readonly Operator[] = [];

  /** How many levels of a JSON Pointer (RFC 6901) lead into its values: none for a scalar. */
  readonly levels: number = 0;

  /** Whether it links to objects of other resources. */
  readonly isLink: boolean = false;

  /** Set once, when the resource is defined. */
  name = '';

  constructor(readonly options: AttributeOptions = {}) {}

  get sortable(): boolean {
    return this.operators.length > 0 && !this.options.unsorted;
  }

  /**
   * Whether every row has a value, i.e. its column is NOT NULL. Lists then answer `isempty` without reading a row
   * (docs/decisions/0036).
   */
  get isNeverEmpty(): boolean {
    const { required, neverEmpty, default: value } = this.options;
    return required === true || neverEmpty === true || (value !== undefined && value !== null);
  }

  /** Whether every viewer of a row is shown a value: its schema in answers then excludes null. */
  get isNeverNull(): boolean {
    const { confidential, permission } = this.options;
    return this.isNeverEmpty && !confidential && permission === undefined;
  }

  get isIdentifying(): boolean {
    return this.options.identifying === true;
  }

  get writable(): boolean {
    return !this.options.readOnly && !this.options.sql;
  }

  /** The property of the entity that stores it. */
  get property(): string {
    return this.name;
  }

  /** The column that stores it. */
  get column(): string {
    return (this.columnOnce ??= snakeCase(this.property));
  }

  private columnOnce: string | undefined;

  /** The SQL of its value. */
  expression(alias: string, viewer?: SqlViewer): string {
    return this.options.sql?.(alias, viewer) ?? `${alias}.${this.column}`;
  }

  /** The columns that a row needs to present it. */
  columns(alias: string, viewer: SqlViewer): string[] {
    return [this.expression(alias, viewer)];
  }

  /** The join that those columns need. */
  join(_viewer: SqlViewer): Join | undefined {
    return undefined;
  }

  /** The SQL expression to sort by. */
  order(alias: string, _viewer: SqlViewer): string {
    return this.expression(alias);
  }

  /** An attribute of the linked object (`organization.label`), for links only. */
  related(_name: string): Filterable | undefined {
    return undefined;
  }

  /** The value for a program, read from the row's columns from `at` on. */
  present(row: Row, at: number, _context: PresentContext): unknown {
    return row[at] ?? null;
  }

  /** The value for a person (docs/api-contract.md#responsemode). */
  abstract display(row: Row, at: number, context: PresentContext): unknown;

  abstract parseFilter(text: string, operator: Operator): unknown;

  variantOf?(texts: string[]): string | undefined;

  /** The SQL condition on the table with this alias. */
  condition(alias: string, comparison: Comparison, viewer: SqlViewer): string {
    return this.constantFor(comparison.operator) ?? this.comparison(alias, comparison, viewer);
  }

  /** The condition of an operator that is true for all rows, or for none. */
  protected constantFor(operator: Operator): string | undefined {
    if (!this.isNeverEmpty) return undefined;
    return operator === 'isempty' ? 'false' : operator === 'isnotempty' ? 'true' : undefined;
  }

  /** The SQL condition where some rows have no value. */
  protected abstract comparison(alias: string, comparison: Comparison, viewer: SqlViewer): string;

  ngramCondition?(alias: string, comparison: Comparison): string | undefined;

  ownIndexCondition?(alias: string, comparison: Comparison, viewer: SqlViewer): string | undefined;

  /** Whether a value of a body is blank. */
  isBlank(value: unknown): boolean {
    return value === null || value === undefined;
  }

  /** Decorators of class-validator that check a non-blank value. */
  rules(): PropertyDecorator[] {
    return [];
  }

  /** Converts a checked value of a body to the value of the entity's property. */
  toStored(value: unknown): unknown {
    return value;
  }

  /**
   * Adds missing parent objects to the document, so that a patch may add a member to them.
   * @param below the tokens of the location below this attribute
   */
  addParents(_document: Record<string, unknown>, _below: string[]): void {}

  /** The JSON Schema of its value (OpenAPI 3.1). */
  abstract schema(): Record<string, unknown>;

  /** The JSON Schema of its value in a list for a person (responseMode=user). */
  displaySchema(): Record<string, unknown> {
    return this.schema();
  }

  /** The JSON Schema of its value in a body. */
  inputSchema(): Record<string, unknown> {
    return this.schema();
  }

  /** Maximum length in characters, for `GET {resource}/attributes`. */
  get maxLength(): number | null {
    return null;
  }

  /** Its codes, for `GET {resource}/attributes`; null for other types. */
  get codes(): (string | number)[] | null {
    return null;
  }

  /** The attributes of the same object that it translates; null for other types. */
  get translates(): string[] | null {
    return null;
  }

  /** Upper bound of the bytes of its value in an answer. */
  get maxBytes(): number {
    return this.maxLength === null ? PLAIN_BYTES : this.maxLength * UTF8_BYTES;
  }
}
