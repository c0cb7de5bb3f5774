import type { DataSource, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { LISTED, type Resource, type Size } from '../resource.js';
import type { Role, SqlViewer } from '../visibility.js';
import { filterCondition, type Finding, findingCondition, type Prefilters } from './conditions.js';
import type { ListPlan } from './plan-list.js';

/** What a page selects: the columns of its items, or their size in bytes. */
export type Projection = 'items' | 'sizes';

export type Builder = SelectQueryBuilder<ObjectLiteral>;

/** The unique last key of every order. */
export const KEY = `${LISTED}.id`;

/** The viewer of a list; all viewers of a role share one statement. */
export const viewerOf = ({ administrator, processEngine }: Role): SqlViewer => ({
  administrator,
  processEngine,
  idSql: () => ':viewer',
});

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
  const expressions = projection === 'items' ? columns : [bytesOf(columns)];
  expressions.forEach((sql, index) => addExpression(builder, sql, `c${index}`));
}

/** The SQL of a row's size in bytes. PostgreSQL knows the length of a long text without reading it. */
const bytesOf = (columns: string[]): string =>
  columns.map((column) => `coalesce(octet_length((${column})::text), 0)`).join(' + ');

/** Keeps the rows that fulfil all conditions. */
export function addConditions(builder: Builder, conditions: string[]): void {
  for (const condition of conditions) builder.andWhere(condition);
}

/** How the filters of a list are written: in one condition with these prefilters, or by what finds few rows. */
export type Manner = Prefilters | Finding;

export const isFinding = (manner: Manner): manner is Finding => manner.startsWith('by-');

/** The conditions of a list: visibility, narrowing and filters. */
export function conditionsOf(plan: ListPlan, manner: Manner): string[] {
  const viewer = viewerOf(plan.caller);
  const conditions = plan.resource.conditionsFor(viewer);
  if (plan.within) conditions.push(plan.within.sql);
  if (plan.filters.length === 0) return conditions;
  const value = (_: unknown, index: number): string => `:${filterParameter(index)}`;
  conditions.push(
    isFinding(manner)
      ? findingCondition(plan, plan.resource.ref.table, viewer, value, manner)
      : filterCondition(plan, viewer, value, manner),
  );
  return conditions;
}

/** The parameter name of a filter's value. */
export const filterParameter = (index: number): string => `filter${index}`;
