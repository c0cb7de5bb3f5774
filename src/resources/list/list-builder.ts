import type { DataSource, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { LISTED, type Resource, type Size } from '../resource.js';
import type { SqlViewer } from '../visibility.js';
import {
  filterCondition,
  type FilteredTable,
  type Finding,
  findingCondition,
  type Prefilters,
  viewerOf,
} from './conditions.js';
import type { ListPlan } from './plan-list.js';

/** What a page selects: the columns of its items, or their size in bytes and their keys. */
export type Projection = 'items' | 'sizes';

export type Builder = SelectQueryBuilder<ObjectLiteral>;

/** The unique last key of every order. */
export const KEY = `${LISTED}.id`;

/** A query of a resource's rows that selects no columns yet. */
export const selectFrom = (dataSource: DataSource, { definition, ref }: Resource): Builder =>
  dataSource
    .createQueryBuilder()
    .select([])
    .from(definition.entity ?? ref.table, LISTED);

/** Selects one expression. Parentheses keep its position: the builder moves plain columns forward. */
export const addExpression = (builder: Builder, sql: string, alias: string): Builder =>
  builder.addSelect(`(${sql})`, alias);

/** Selects the presenter's columns in its order (`c0`, `c1`, …) and adds the joins that they need. */
export function addSelection(
  builder: Builder,
  resource: Resource,
  size: Size,
  viewer: SqlViewer,
  projection: Projection = 'items',
): void {
  const { columns, joins } = resource.selection(size, viewer);
  for (const { relation, alias, condition } of joins)
    builder.leftJoin(`${LISTED}.${relation}`, alias, condition);
  const expressions = projection === 'items' ? columns : [bytesOf(columns), KEY];
  expressions.forEach((sql, index) => addExpression(builder, sql, `c${index}`));
}

/** The SQL of a row's size in bytes. PostgreSQL knows the length of a long text without reading it. */
const bytesOf = (columns: string[]): string =>
  columns.map((column) => `coalesce(octet_length((${column})::text), 0)`).join(' + ');

/** Keeps the rows that fulfil all conditions. */
export function addConditions(builder: Builder, conditions: string[]): void {
  for (const condition of conditions) builder.andWhere(condition);
}

/** The ids of all matching rows are found in this way, and then looked up in the order of the list. */
export type Lookup = `lookup ${Finding}`;

/** The ids of all other rows are found in this way, and left out in the order of the list. */
export type Exception = `except ${Finding}`;

/**
 * How the filters of a list are written as a condition on its rows: with these prefilters, by what finds few rows, or
 * checked on the few objects that the caller sees.
 */
export type RowManner = Prefilters | Finding | 'seen';

/** How a page is read: by a condition on the rows, by a lookup of the ids of many rows, or of those that do not match. */
export type Manner = RowManner | Lookup | Exception;

/** The most objects that a list reads before its filters, because the caller sees no others. */
export const MAX_SEEN_IDS = 10_000;

export const isFinding = (manner: Manner): manner is Finding => manner.startsWith('by ');

const LOOKUP = 'lookup ';
export const isLookup = (manner: Manner): manner is Lookup => manner.startsWith(LOOKUP);

const EXCEPT = 'except ';
export const isException = (manner: Manner): manner is Exception => manner.startsWith(EXCEPT);

/** How the ids are found. */
export const findingOf = (manner: Lookup | Exception): Finding =>
  manner.slice(manner.indexOf(' ') + 1) as Finding;

/** The filters of a list on its table. */
export const filteredTableOf = (plan: ListPlan): FilteredTable => ({
  filters: plan.filters,
  filterMode: plan.filterMode,
  table: plan.resource.ref.table,
  viewer: viewerOf(plan.caller),
  valueSql: (_, index) => `:${filterParameter(index)}`,
});

/** The conditions of a list: visibility, narrowing and filters. */
export function conditionsOf(plan: ListPlan, manner: RowManner): string[] {
  const conditions = rowConditionsOf(plan);
  if (manner === 'seen') conditions.push(`${KEY} = ANY (ARRAY(${seenIds(plan)}))`);
  if (plan.filters.length > 0) conditions.push(conditionOfFilters(plan, manner));
  return conditions;
}

/** SQL of the ids of all objects that the caller sees; undefined where they may be most of the table. */
export const seenIds = ({ resource, caller, within }: ListPlan): string | undefined =>
  within ? undefined : resource.definition.seenIds?.(viewerOf(caller), MAX_SEEN_IDS + 1);

/** The conditions of a list without its filters. */
export function rowConditionsOf({ resource, caller, within }: ListPlan): string[] {
  const conditions = resource.conditionsFor(viewerOf(caller));
  if (within) conditions.push(within.sql);
  return conditions;
}

function conditionOfFilters(plan: ListPlan, manner: RowManner): string {
  const filtered = filteredTableOf(plan);
  if (isFinding(manner)) return findingCondition(filtered, manner);
  return filterCondition(
    plan,
    filtered.viewer,
    filtered.valueSql,
    manner === 'seen' ? 'each' : manner,
  );
}

/** The parameter name of a filter's value. */
export const filterParameter = (index: number): string => `filter${index}`;
