import type { Bind } from '../../database/bindings.js';
import type { Operator } from './operators.js';

/** A value that an attribute cannot have; `message` says what it must be. */
export class InvalidValue extends Error {}

/** A condition that holds wherever another one does, and that an index answers. */
export interface IndexPrefilter {
  /** The SQL condition on the table known as `alias`. */
  condition(alias: string, bind: Bind): string;
  /** Whether PostgreSQL has statistics of what the other one looks at: it has an index of its own. */
  hasStatistics: boolean;
}

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

  /**
   * What narrows the condition down, if anything does.
   * @param counting rows are counted and none is read, so that another index may be faster alone
   */
  indexPrefilter?(
    operator: Operator,
    value: unknown,
    counting: boolean,
  ): IndexPrefilter | undefined;

  /** The SQL expression to sort by. */
  order(alias: string, bind: Bind): string;

  /** An attribute of the linked object (`organization.label`), for links only. */
  linked?(name: string): ListAttribute | undefined;
}

/** The condition of an attribute together with what narrows it down. */
export function prefilteredCondition(
  attribute: Pick<ListAttribute, 'condition' | 'indexPrefilter'>,
  [alias, operator, value, bind]: Parameters<ListAttribute['condition']>,
  counting = false,
): string {
  const indexPrefilter = attribute.indexPrefilter?.(operator, value, counting);
  const condition = attribute.condition(alias, operator, value, bind);
  return indexPrefilter ? `${indexPrefilter.condition(alias, bind)} AND ${condition}` : condition;
}

/** The attributes that one caller may list by. */
export interface Listable {
  attribute(name: string): ListAttribute | undefined;
  /** Names for error messages. */
  names(purpose: 'filters' | 'sorter'): string[];
}
