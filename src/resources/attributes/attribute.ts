import type { Row } from '../../database/database.js';
import { snakeCase } from '../../database/naming-strategy.js';
import type { Bind } from '../../database/bindings.js';
import type { ListAttribute, IndexPrefilter } from '../list/list-attribute.js';
import { OPERATORS_OF, type Operator } from '../list/operators.js';
import type { Caller, Locale, Viewer } from '../../security/caller.js';

/** What an attribute's columns may depend on. */
export interface SelectContext {
  bind: Bind;
  caller: Caller;
}

/** The context of presenting a row. */
export interface PresentContext {
  caller: Caller;
  locale: Locale;
  timeZone: string;
  /** What paths in answers begin with. */
  basePath: string;
}

/** What every kind of attribute can be told. */
export interface AttributeOptions {
  /** Kept by the server; a PUT ignores it. */
  readOnly?: boolean;
  /** Taken from bodies and never shown, e.g. a password (OpenAPI's word). */
  writeOnly?: boolean;
  /** Needed to create and never blank. */
  required?: boolean;
  /** Only in the detailed representation: never listed, sorted or filtered. */
  detailedOnly?: boolean;
  /** Shown to administrators and to the user whom the row is. */
  confidential?: boolean;
  /** Shown to administrators alone. */
  administratorOnly?: boolean;
  /** Who may write it beside administrators: the user whom the row is, or whose task it is. */
  writableBy?: 'owner';
  /** What a blank becomes when a resource is created. */
  default?: unknown;
  /** A blank in PUT leaves what is stored. */
  keptWhenBlank?: boolean;
  /** SQL instead of a column of the table; implies readOnly. */
  sql?: (alias: string, context?: SelectContext) => string;
}

/** The type that `GET {resource}/attributes` names. */
export type AttributeType = keyof typeof OPERATORS_OF | 'links' | 'object';

/** Room for a number, a date, a code. */
const PLAIN_BYTES = 50;

/** The most bytes that one character of a text (a UTF-16 code unit) takes in UTF-8. */
export const UTF8_BYTES = 3;

/** One column or Ref of a resource: how it is read, listed, checked, written and shown. */
export abstract class Attribute implements ListAttribute {
  abstract readonly type: AttributeType;

  /** Set once, when the resource is defined. */
  name = '';

  constructor(readonly options: AttributeOptions = {}) {}

  get operators(): readonly Operator[] {
    return this.type in OPERATORS_OF ? OPERATORS_OF[this.type as keyof typeof OPERATORS_OF] : [];
  }

  get sortable(): boolean {
    return this.operators.length > 0;
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
  expression(alias: string, context?: SelectContext): string {
    return this.options.sql?.(alias, context) ?? `${alias}.${this.column}`;
  }

  /** The columns that a row needs to present it. */
  columns(alias: string, context: SelectContext): string[] {
    return [this.expression(alias, context)];
  }

  /** Joins that those columns need. */
  join(_alias: string, _context: SelectContext): string {
    return '';
  }

  order(alias: string, _bind: Bind): string {
    return this.expression(alias);
  }

  /** What a viewer's lists are sorted and filtered by. */
  listedFor(_viewer: Viewer): ListAttribute {
    return this;
  }

  /** The value for a machine, from the row's columns that begin at `at`. */
  present(row: Row, at: number, _context: PresentContext): unknown {
    return row[at] ?? null;
  }

  /** The value for a person (docs/api-contract.md#responsemode). */
  abstract display(row: Row, at: number, context: PresentContext): unknown;

  abstract parseFilter(text: string, operator: Operator): unknown;

  abstract condition(alias: string, operator: Operator, value: unknown, bind: Bind): string;

  indexPrefilter(
    _operator: Operator,
    _value: unknown,
    _counting: boolean,
  ): IndexPrefilter | undefined {
    return undefined;
  }

  /** Decorators of class-validator that check a value which is not blank. */
  rules(): PropertyDecorator[] {
    return [];
  }

  /** The value of the entity's property for a checked value of a body. */
  toStored(value: unknown): unknown {
    return value;
  }

  /** The JSON Schema of its value (OpenAPI 3.1). */
  abstract schema(): Record<string, unknown>;

  /** The JSON Schema of what a body may give for it. */
  inputSchema(): Record<string, unknown> {
    return this.schema();
  }

  /** Longest text in characters, for `GET {resource}/attributes`. */
  get maxLength(): number | null {
    return null;
  }

  /** How many bytes of an answer its value takes at most. */
  get maxBytes(): number {
    return this.maxLength === null ? PLAIN_BYTES : this.maxLength * UTF8_BYTES;
  }
}

/** Comparisons that read alike for numbers, timestamps and folded texts. */
const COMPARISONS: Partial<Record<Operator, string>> = {
  eq: '=',
  neq: 'IS DISTINCT FROM',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};

/** The SQL of a comparison; `neq` includes what is empty. */
export function compare(expression: string, operator: Operator, value: () => string): string {
  if (operator === 'isempty') return `${expression} IS NULL`;
  if (operator === 'isnotempty') return `${expression} IS NOT NULL`;
  return `${expression} ${COMPARISONS[operator]} ${value()}`;
}
