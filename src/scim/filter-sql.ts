import type { Bind } from '../database/bindings.js';
import { AS_EMAIL, AS_IS, AS_LOGIN } from '../resources/name-rule.js';
import { folded, foldedValue } from '../resources/attributes/folded-text.js';
import { isId } from '../resources/uri.js';
import type { Filter, Literal, Operator } from './filter.js';
import { badFilter } from './scim-errors.js';
import { withoutUrn } from './schemas.js';

/** A value that filters compare: its SQL, and how. */
export interface Column {
  sql: string;
  type: 'text' | 'exact' | 'login' | 'email' | 'label' | 'id' | 'boolean' | 'date';
}

/** The sub-attributes of one value of a multi-valued attribute. */
export type Columns = Record<string, Column>;

/** What filters can name, in lower case: columns, and multi-valued attributes. */
export interface Filterable {
  columns: Columns;
  /** Each builds the condition that a value fits. */
  lists: Record<string, (fits: (value: Columns) => string) => string>;
}

/**
 * Compiles a filter to SQL. Names come only from the allowlist, and values are bound.
 * @throws ApiError 400 invalidFilter
 */
export function compile(filter: Filter, on: Filterable, bind: Bind): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return `(${filter.parts.map((part) => compile(part, on, bind)).join(` ${filter.kind} `)})`;
    case 'not':
      return `(${compile(filter.part, on, bind)}) IS NOT TRUE`;
    case 'path': {
      const name = withoutUrn(filter.attribute);
      const list = Object.hasOwn(on.lists, name) ? on.lists[name] : undefined;
      if (!list) throw badFilter(`'${filter.attribute}' has no values of its own`);
      return list((columns) => compile(filter.part, { columns, lists: {} }, bind));
    }
    default:
      return compared(filter, on, bind);
  }
}

function compared(
  filter: Extract<Filter, { kind: 'present' | 'compare' }>,
  on: Filterable,
  bind: Bind,
): string {
  const name = withoutUrn(filter.attribute);
  const one = (column: Column): string =>
    filter.kind === 'present'
      ? `(${column.sql}) IS NOT NULL`
      : compareOne(column, filter.operator, filter.value, bind, filter.attribute);
  const column = Object.hasOwn(on.columns, name) ? on.columns[name] : undefined;
  if (column) return one(column);
  const [list = '', below = 'value'] = name.split('.');
  if (!Object.hasOwn(on.lists, list)) throw badFilter(`'${filter.attribute}' cannot be filtered`);
  return on.lists[list]!((columns) => {
    if (!Object.hasOwn(columns, below)) throw badFilter(`'${filter.attribute}' cannot be filtered`);
    return one(columns[below]!);
  });
}

const ORDER = { gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

function compareOne(
  { sql, type }: Column,
  operator: Operator,
  value: Literal,
  bind: Bind,
  name: string,
): string {
  if (value === null) {
    if (operator === 'eq') return `(${sql}) IS NULL`;
    if (operator === 'ne') return `(${sql}) IS NOT NULL`;
    throw badFilter(`'${operator}' compares no null`);
  }
  if (operator === 'ne')
    return `(${compareOne({ sql, type }, 'eq', value, bind, name)}) IS NOT TRUE`;
  if (type === 'boolean') {
    if (typeof value !== 'boolean' || operator !== 'eq')
      throw badFilter(`'${name}' is true or false, which 'eq' and 'ne' compare`);
    return `(${sql}) = ${bind(value)}::boolean`;
  }
  if (typeof value !== 'string') throw badFilter(`'${name}' compares with a text`);
  if (value.includes('\0')) return 'false';
  if (type === 'date') {
    if (!(operator === 'eq' || operator in ORDER))
      throw badFilter(`'${operator}' compares no date`);
    if (!/^\d{4}-\d\d-\d\d/.test(value) || Number.isNaN(Date.parse(value)))
      throw badFilter(`'${value}' is no date`);
    const sign = operator === 'eq' ? '=' : ORDER[operator as keyof typeof ORDER];
    return `${sql} ${sign} ${bind(new Date(value).toISOString())}::timestamptz`;
  }
  if (operator === 'eq') return equal({ sql, type }, value, bind);
  const isExact = type === 'exact' || type === 'id';
  const [own, wanted] = isExact
    ? [`(${sql})::text`, `${bind(value)}::text`]
    : [`lower(${sql})`, `lower(${bind(value)}::text)`];
  switch (operator) {
    case 'co':
      return `strpos(${own}, ${wanted}) > 0`;
    case 'sw':
      return `starts_with(${own}, ${wanted})`;
    case 'ew':
      return `right(${own}, length(${wanted})) = ${wanted}`;
    default:
      return `${own} COLLATE "C" ${ORDER[operator]} ${wanted}`;
  }
}

/** Equality by the rule of uniqueness of the attribute, which an index finds. */
function equal({ sql, type }: Column, value: string, bind: Bind): string {
  switch (type) {
    case 'id':
      return isId(value) ? `${sql} = ${bind(value)}::bigint` : 'false';
    case 'login':
      return AS_LOGIN.compare(sql, 'eq', bind(value));
    case 'email':
      return AS_EMAIL.compare(sql, 'eq', bind(value));
    case 'exact':
      return AS_IS.compare(sql, 'eq', bind(value));
    case 'label': {
      const wanted = bind(value);
      return `(${folded(sql)} = ${foldedValue(wanted)} AND lower(${sql}) = lower(${wanted}::text))`;
    }
    default:
      return `lower(${sql}) = lower(${bind(value)}::text)`;
  }
}
