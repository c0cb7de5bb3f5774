import type { Operator } from './operators.js';

/** Puts a value among the bound values of a statement; answers its placeholder, e.g. `$3`. */
export type Bind = (value: unknown) => string;

/** The bound values of one statement: values never become part of its text. */
export class Bindings {
  readonly values: unknown[] = [];

  readonly bind: Bind = (value) => `$${this.values.push(value)}`;
}

/** The WITH clause of a statement's parts, by their names. */
export const withParts = (parts: Record<string, string>): string =>
  `WITH ${Object.entries(parts)
    .map(([name, sql]) => `${name} AS (${sql})`)
    .join(', ')}`;

/** A value that an attribute cannot have; `message` says what it must be. */
export class InvalidValue extends Error {}

/** What a list can be sorted and filtered by. SQL fragments name columns from code, never from a request. */
export interface ListAttribute {
  readonly name: string;
  readonly sortable: boolean;
  readonly operators: readonly Operator[];

  /**
   * Reads the value of a filter.
   * @throws InvalidValue
   */
  parseFilter(text: string, operator: Operator): unknown;

  /** The SQL condition on the table known as `alias`. */
  condition(alias: string, operator: Operator, value: unknown, bind: Bind): string;

  /** The same condition, where another one is faster because rows are counted and none is read. */
  countedBy?(alias: string, operator: Operator, value: unknown, bind: Bind): string;

  /** The SQL expression to sort by. */
  order(alias: string): string;

  /** An attribute of the linked object (`organization.label`), for links only. */
  linked?(name: string): ListAttribute | undefined;
}

/** The attributes that one caller may list by. */
export interface Listable {
  attribute(name: string): ListAttribute | undefined;
  /** Names for error messages. */
  names(purpose: 'filters' | 'sorter'): string[];
}
