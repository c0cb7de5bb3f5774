import type { DataSource, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { LISTED, type Resource, type Size } from '../resource.js';
import type { SqlViewer } from '../visibility.js';
import { filterCondition, type FilteredTable, type Finder, viewerOf } from './conditions.js';
import type { ListPlan } from './plan-list.js';

/** The columns that a page selects: those of its items, or their size in bytes and their keys. */
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

/** Adds conditions that all rows must fulfil. */
export function addConditions(builder: Builder, conditions: string[]): void {
  for (const condition of conditions) builder.andWhere(condition);
}

/** The most visible objects that a list collects before it applies its filters. */
export const MAX_SEEN_IDS = 10_000;

/** The filters of a list on its table. */
export const filteredTableOf = (plan: ListPlan): FilteredTable => ({
  filters: plan.filters,
  filterMode: plan.filterMode,
  table: plan.resource.ref.table,
  viewer: viewerOf(plan.caller),
  valueSql: (_, index) => `:${filterParameter(index)}`,
});

/** The conditions of a list: visibility, narrowing and filters, which may check `each` row by itself. */
export function conditionsOf(plan: ListPlan, form?: 'each'): string[] {
  const { filters, viewer, valueSql } = filteredTableOf(plan);
  const conditions = rowConditionsOf(plan);
  if (filters.length > 0) conditions.push(filterCondition(plan, viewer, valueSql, form));
  return conditions;
}

/** The conditions of a list without its filters, and without its narrowing if that is the finder. */
export function rowConditionsOf({ resource, caller, within }: ListPlan, finder?: Finder): string[] {
  const conditions = resource.listConditions(viewerOf(caller));
  if (within && finder?.places.length !== 0) conditions.push(within.sql);
  return conditions;
}

/** SQL of the ids of all objects that the caller sees; undefined where they may be most of the table. */
export const seenIds = ({ resource, caller, within }: ListPlan): string | undefined =>
  within ? undefined : resource.seenIds(viewerOf(caller), MAX_SEEN_IDS + 1);

/** The parameter name of a filter's value. */
export const filterParameter = (index: number): string => `filter${index}`;
