import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import type { Row } from '../../database/database.js';
import type { Caller } from '../../security/caller.js';
import { LISTED, type Resource } from '../resource.js';
import type { SqlViewer } from '../visibility.js';
import {
  addConditions,
  addExpression,
  addSelection,
  type Builder,
  conditionsOf,
  filteredTableOf,
  filterParameter,
  KEY,
  type Projection,
  rowConditionsOf,
  seenIds,
  selectFrom,
} from './list-builder.js';
import {
  conditionsAt,
  EVERY_ROW,
  type Finder,
  idsBy,
  idsByNgrams,
  idsWhere,
  NARROWING,
  otherConditions,
  UNION,
  viewerOf,
} from './conditions.js';
import type { CopiesPlan } from './copies.js';
import { searchesTexts } from './filters.js';
import { bitmapOf, hasSize, IN_BITMAP, IS_ONE_OF_FEW } from './id-bitmap.js';
import type { ListPlan } from './plan-list.js';
import { addOrder, orderOf } from './sort-order.js';

/** A statement with its bound values. */
export interface Statement {
  text: string;
  values: unknown[];
  /** Whether PostgreSQL may keep its plan; false for the many texts that clients can produce. */
  prepared: boolean;
  /** Whether it searches inside texts; its duration then depends on the values. */
  searching: boolean;
  /** Whether it is slow, so that only few run at once. */
  isLong?: boolean;
  /** A time limit of its own, in milliseconds. */
  limit?: number;
}

/** Runs a statement and returns its rows. */
export type Read = (statement: Statement) => Promise<Row[]>;

/** SQL with numbered placeholders, and the names of their values in the same order. */
interface NumberedSql {
  text: string;
  names: string[];
}

/** Most cached shapes, about 3 kB each. Clients can produce any number of them. */
const MAX_SHAPES = 500;

/** PostgreSQL keeps plans for orders of at most this many keys, so that trying every order cannot fill memory. */
const MAX_PREPARED_KEYS = 2;

/**
 * For a parameterized LIMIT the planner assumes 10 % of the table and re-plans every query, which takes
 * as long as reading the page. When only the range is bound, a literal LIMIT gives it an upper bound of the
 * rows: a power of two from this number on, because PostgreSQL keeps a plan for each text.
 */
const MIN_PLAN_LIMIT = 64;

/** From this start on, a statement finds the keys of a page first, so that it joins only the rows of the page. */
const DEEP_PAGE = 500;

/** The builder's own `limit` writes the number into the text, so every page would have a text of its own. */
const RANGE = 'LIMIT :count OFFSET :start';

/**
 * Step 3 of a list: its SQL, made by TypeORM's query builder. The text depends only on the shape of a
 * request (attributes, operators, the caller's rights), which is its cache key. The text names its values:
 * `:viewer`, `:filter0`, `:count`, `:start` and those of a narrowing.
 */
@Injectable()
export class ListSql {
  private readonly cache = new LRUCache<string, NumberedSql, () => NumberedSql>({
    max: MAX_SHAPES,
    memoMethod: (_shape, _stale, { context: build }) => build(),
  });

  constructor(private readonly dataSource: DataSource) {}

  /**
   * One page of a list as PostgreSQL finds it, plus one row that shows whether a next page exists. With the exact
   * count, the first column is the count from the same snapshot, and a page past the end is one row of nulls after it.
   */
  page(plan: ListPlan, projection: Projection = 'items'): Statement {
    const { range } = plan;
    const counted = (): string[] => conditionsOf(plan);
    if (range.start >= DEEP_PAGE)
      return this.statement(plan, ['deferred', projection], counted, () =>
        this.deferredJoin(plan, projection, this.orderedKeys(plan, conditionsOf(plan))),
      );
    const limit = planLimit(range.start + range.count + 1);
    return this.statement(plan, ['page', projection, limit], counted, (names) => {
      const rows = this.rows(plan, projection);
      const conditions = conditionsOf(plan);
      addConditions(rows, conditions);
      // Then PostgreSQL plans once: values beside the conditions, as the viewer of a column, change no plan.
      const isOnePlanBest = this.number(conditions.join(' '), names).names.length === 0;
      return isOnePlanBest
        ? `SELECT * FROM (${rows.limit(limit).getQuery()}) AS page ${RANGE}`
        : `${rows.getQuery()} ${RANGE}`;
    });
  }

  /** The page from the few objects that the caller sees. */
  seenPage(plan: ListPlan, projection: Projection = 'items'): Statement {
    const conditions = (): string[] => [
      ...conditionsOf(plan, 'each'),
      `${KEY} = ANY (ARRAY(${seenIds(plan)}))`,
    ];
    return this.statement(plan, ['seen', projection], conditions, () =>
      this.deferredJoin(plan, projection, this.collectedKeys(plan, conditions())),
    );
  }

  /**
   * The page by an ordered scan of the first rows; it is incomplete when too few of them match.
   * @param places the indexes of the filters that select a range of the order
   * @param scanned how many rows it reads
   * @param finder finds all rows for the count
   */
  orderedScan(
    plan: ListPlan,
    { places, scanned, finder }: { places: number[]; scanned: number; finder: Finder },
    projection: Projection = 'items',
  ): Statement {
    const kind = ['scan', projection, scanned, places, finder];
    return this.statement(plan, kind, this.foundBy(plan, finder), () => {
      const filtered = filteredTableOf(plan);
      const rows = this.ordered(plan);
      addConditions(rows, conditionsAt(filtered, places));
      const checked = [...rowConditionsOf(plan), ...otherConditions(filtered, places, 'each')];
      addExpression(rows, KEY, 'key');
      addExpression(rows, checked.join(' AND '), 'fits');
      // The limit keeps PostgreSQL from flattening the subquery, so its rows stay in order.
      const first = rows.limit(scanned).getQuery();
      const keys = `SELECT key FROM (${first}) AS scanned WHERE fits ${RANGE}`;
      return this.deferredJoin(plan, projection, keys);
    });
  }

  /**
   * The page from the ids of all matches. Few are collected and sorted; of many, an ordered scan looks up the first
   * ones. PostgreSQL executes only one of the two queries.
   */
  lookup(plan: ListPlan, finder: Finder, projection: Projection = 'items'): Statement {
    return this.statement(plan, ['lookup', projection, finder], this.foundBy(plan, finder), () => {
      const others = otherConditions(filteredTableOf(plan), finder.places);
      const rows = rowConditionsOf(plan, finder);
      const collected = this.collectedKeys(plan, [
        hasSize('few'),
        IS_ONE_OF_FEW,
        ...rows,
        ...others,
      ]);
      const looked = this.orderedKeys(plan, [hasSize('many'), IN_BITMAP, ...rows], others);
      const compared = this.orderedKeys(plan, [
        hasSize('scattered'),
        ...conditionsOf(plan, 'each'),
      ]);
      const keys = `${bitmapOf(this.idsBy(plan, finder))} (${collected}) UNION ALL (${looked}) UNION ALL (${compared})`;
      return this.deferredJoin(plan, projection, keys);
    });
  }

  /** The rows with these keys that belong to the list, in its order. */
  rowsOf(plan: ListPlan, keys: string[]): Statement {
    const build = (): string => {
      const rows = this.rows(plan, 'items');
      addConditions(rows, [`${KEY} = ANY (:keys::bigint[])`, ...conditionsOf(plan, 'each')]);
      return rows.getQuery();
    };
    return { ...this.statement(plan, ['rows'], none, build, { keys }), searching: false };
  }

  /**
   * How many objects the caller sees, up to about MAX_SEEN_IDS, and PostgreSQL's estimate of all objects; undefined
   * where the caller may see most of them.
   */
  countSeen(plan: ListPlan): Statement | undefined {
    const ids = seenIds(plan);
    if (ids === undefined) return undefined;
    const { resource, caller } = plan;
    const parameters: Record<string, unknown> = { viewer: caller.id };
    const { text, names } = this.recall(`seen ${resource.name} ${caller.rights.shape}`, () =>
      this.number(
        `SELECT (SELECT count(*) FROM (${ids}) AS seen), reltuples FROM pg_class WHERE oid = '${resource.ref.table}'::regclass`,
        parameters,
      ),
    );
    const values = names.map((name) => parameters[name]);
    return { text, values, prepared: true, searching: false };
  }

  /** EXPLAIN of the ids of each finder, and of the narrowing of the list. */
  estimate(plan: ListPlan, finders: Finder[]): Statement {
    return this.statement({ ...plan, exactCount: false }, ['estimate'], none, () => {
      const filtered = filteredTableOf(plan);
      const queries = [
        idsWhere(filtered.table, EVERY_ROW, 'true'),
        ...finders.map((finder) => idsBy(filtered, { ...finder, ngrams: [] })),
        ...finders
          .filter(({ ngrams }) => ngrams.length > 0)
          .map((finder) => idsByNgrams(filtered, finder)),
        ...(plan.within ? [this.idsBy(plan, NARROWING)] : []),
      ];
      return `EXPLAIN (FORMAT JSON) ${queries.join(UNION)}`;
    });
  }

  private idsBy(plan: ListPlan, finder: Finder): string {
    const filtered = filteredTableOf(plan);
    return finder.places.length > 0
      ? idsBy(filtered, finder)
      : idsWhere(filtered.table, LISTED, plan.within!.sql);
  }

  /** The conditions of the rows of a list whose ids a finder yields. */
  private foundBy = (plan: ListPlan, finder: Finder) => (): string[] => [
    `${KEY} IN (${this.idsBy(plan, finder)})`,
    ...rowConditionsOf(plan, finder),
    ...otherConditions(filteredTableOf(plan), finder.places),
  ];

  /**
   * List items with their revisions, as copies need them (src/resources/list/copies.ts). The statement first computes
   * the keys in order with a running total of their sizes, and then reads only the rows that fit. Each row: witness,
   * key, fits, revision, then the presenter's columns; a single row with a null key when the caller sees no object.
   * @param witness SQL of a text from the same snapshot; may use `:viewer`
   */
  copies({ resource, caller, wanted, witness, maxBytes }: CopiesPlan): Statement {
    const parameters: Record<string, unknown> = { viewer: caller.id, maxBytes, ...wanted };
    const manner = 'ids' in wanted ? 'these' : `next ${planLimit(wanted.count)}`;
    const shape = ['copies', resource.name, caller.rights.shape, manner, witness].join(' ');
    const { text, names } = this.recall(shape, () => {
      const viewer = viewerOf(caller);
      const rows = selectFrom(this.dataSource, resource);
      addExpression(rows, KEY, 'key');
      addExpression(rows, `${LISTED}.revision`, 'revision');
      addSelection(rows, resource, 'list', viewer);
      addConditions(rows, [`${KEY} IN (SELECT keys.id FROM keys WHERE keys.fits)`]);
      const columns = resource.selection('list', viewer).columns.map((_, index) => `r.c${index}`);
      return this.number(
        `WITH keys AS MATERIALIZED (${keysOfCopies(resource, viewer, wanted)})
          SELECT ${witness}, k.id::text, k.fits, r.revision, ${columns.join(', ')}
          FROM (SELECT 1) AS one LEFT JOIN keys k ON true LEFT JOIN (${rows.getQuery()}) AS r ON r.key = k.id
          ORDER BY k.place`,
        parameters,
      );
    });
    const values = names.map((name) => parameters[name]);
    return { text, values, prepared: true, searching: false };
  }

  /**
   * A row in its detailed representation, with its revision as the last column.
   * @param restricted whether the caller has to see the row
   */
  detailed(resource: Resource, caller: Caller, id: string, restricted = true): Statement {
    const parameters: Record<string, unknown> = { viewer: caller.id, id };
    const kind = restricted ? 'detailed' : 'written';
    const shape = [kind, resource.name, caller.rights.shape].join(' ');
    const { text, names } = this.recall(shape, () => {
      const viewer = viewerOf(caller);
      const row = selectFrom(this.dataSource, resource);
      addSelection(row, resource, 'detailed', viewer);
      addExpression(row, 't.revision', 'revision');
      addConditions(row, [
        `${KEY} = :id`,
        ...(restricted ? resource.conditionsForOne(viewer) : []),
      ]);
      return this.number(row.getQuery(), parameters);
    });
    const values = names.map((name) => parameters[name]);
    return { text, values, prepared: true, searching: false };
  }

  /**
   * A statement of a list; its text is cached by its kind and the shape of the plan.
   * @param counted the conditions of the rows that an exact count counts
   */
  private statement(
    plan: ListPlan,
    kind: unknown[],
    counted: () => string[],
    build: (parameters: Record<string, unknown>) => string,
    more: Record<string, unknown> = {},
  ): Statement {
    const { filters, sorter } = plan;
    const searching = searchesTexts([...filters, ...(plan.within?.filters ?? [])]);
    const parameters = { ...parametersOf(plan), ...more };
    const { text, names } = this.recall(`${JSON.stringify(kind)} ${shapeOf(plan)}`, () => {
      const rows = build(valuesOf(plan));
      return this.number(
        plan.exactCount ? this.withCount(rows, plan, counted()) : rows,
        parameters,
      );
    });
    return {
      text,
      values: names.map((name) => parameters[name]),
      prepared: filters.length === 0 && !searching && sorter.length <= MAX_PREPARED_KEYS,
      searching,
    };
  }

  /** The cached SQL of a shape, because building it takes a fifth of the time of a page (docs/decisions/0021). */
  private recall(shape: string, build: () => NumberedSql): NumberedSql {
    return this.cache.memo(shape, { context: build });
  }

  /** Replaces the names of values by numbered placeholders, one number per name. */
  private number(sql: string, parameters: Record<string, unknown>): NumberedSql {
    const named = Object.fromEntries(Object.keys(parameters).map((name) => [name, name]));
    const [text, names] = this.dataSource.driver.escapeQueryWithParameters(sql, named);
    return { text, names: names as string[] };
  }

  private ordered(plan: ListPlan): Builder {
    const rows = selectFrom(this.dataSource, plan.resource);
    addOrder(rows, plan);
    return rows;
  }

  private rows(plan: ListPlan, projection: Projection): Builder {
    const rows = this.ordered(plan);
    addSelection(rows, plan.resource, 'list', viewerOf(plan.caller), projection);
    return rows;
  }

  /** The keys of the page from all matches. OFFSET prevents an ordered scan. */
  private collectedKeys(plan: ListPlan, conditions: string[]): string {
    const matching = addExpression(selectFrom(this.dataSource, plan.resource), KEY, 'key');
    const order = [...orderOf(plan)].map(([expression, direction], index) => {
      addExpression(matching, expression, `o${index}`);
      return `o${index} ${direction}`;
    });
    addConditions(matching, conditions);
    return `SELECT key FROM (${matching.getQuery()} OFFSET 0) AS matching ORDER BY ${order.join(', ')} ${RANGE}`;
  }

  /**
   * The same keys by an ordered scan.
   * @param checks conditions on rows that fulfil the others, so that the index of the order decides about the latter
   */
  private orderedKeys(plan: ListPlan, conditions: string[], checks: string[] = []): string {
    const keys = addExpression(this.ordered(plan), KEY, 'key');
    addConditions(keys, conditions);
    if (checks.length === 0) return `${keys.getQuery()} ${RANGE}`;
    const row = selectFrom(this.dataSource, plan.resource);
    addExpression(row, checks.join(' AND '), 'fits');
    row.where(`${KEY} = placed.key`);
    return `SELECT key FROM (${keys.getQuery()} OFFSET 0) AS placed WHERE (${row.getQuery()}) ${RANGE}`;
  }

  /** The rows with these keys: only they are joined. */
  private deferredJoin(plan: ListPlan, projection: Projection, keys: string): string {
    const rows = this.rows(plan, projection);
    rows.addCommonTableExpression(keys, 'ids', { columnNames: ['key'], materialized: true });
    return rows.andWhere(`${KEY} IN (SELECT ids.key FROM ids)`).getQuery();
  }

  private withCount(rows: string, plan: ListPlan, conditions: string[]): string {
    const counted = selectFrom(this.dataSource, plan.resource).addSelect('count(*)', 'count');
    addConditions(counted, conditions);
    return (
      `SELECT total.count, page.* FROM (${counted.getQuery()}) AS total ` +
      `LEFT JOIN (SELECT true AS present, numbered.*, row_number() OVER () AS place FROM (${rows}) AS numbered) AS page ON true ` +
      'ORDER BY page.place'
    );
  }
}

/** An estimate has no count. */
const none = (): string[] => [];

/** The ids that a viewer sees, in order, each with whether the rows up to it fit into `:maxBytes`. */
function keysOfCopies(resource: Resource, viewer: SqlViewer, wanted: CopiesPlan['wanted']): string {
  const { table } = resource.ref;
  const conditions = resource.listConditions(viewer).map((condition) => ` AND ${condition}`);
  const bytes = resource.sizeOf(viewer);
  const keys =
    'ids' in wanted
      ? `SELECT ${KEY}, w.place, ${bytes} AS bytes FROM unnest(:ids::bigint[]) WITH ORDINALITY AS w(id, place)
          JOIN ${table} ${LISTED} ON ${KEY} = w.id${conditions.join('')}`
      : `SELECT * FROM (
          SELECT ${KEY}, ${KEY} AS place, ${bytes} AS bytes FROM ${table} ${LISTED}
          WHERE ${KEY} > :after::bigint${conditions.join('')} ORDER BY ${KEY} LIMIT ${planLimit(wanted.count)}
        ) AS page LIMIT :count`;
  return `SELECT id, place, sum(bytes) OVER (ORDER BY place) - bytes < :maxBytes::bigint AS fits FROM (${keys}) AS sized`;
}

/** The values that a list binds by name, without those of its range. */
function valuesOf({ caller, filters, within }: ListPlan): Record<string, unknown> {
  const parameters: Record<string, unknown> = { ...within?.parameters, viewer: caller.id };
  filters.forEach(({ value }, index) => (parameters[filterParameter(index)] = value));
  return parameters;
}

/** All values that a list binds by name. */
const parametersOf = (plan: ListPlan): Record<string, unknown> => ({
  ...valuesOf(plan),
  count: plan.range.count + 1,
  start: plan.range.start,
});

/** The cache key of a list's text, beside its kind. */
function shapeOf({
  resource,
  caller,
  sorter,
  filters,
  filterMode,
  within,
  exactCount,
}: ListPlan): string {
  const keys = sorter.map(({ attribute, descending }) => (descending ? '-' : '') + attribute.name);
  const conditions = filters.map(({ attribute, operator, variant = '' }) =>
    [attribute.name, operator, variant].join(':'),
  );
  return [
    resource.name,
    caller.rights.shape,
    keys.join(','),
    conditions.join(','),
    filterMode,
    exactCount,
    within?.sql,
  ].join(' ');
}

/** An upper bound of the rows, rounded up to few distinct numbers: PostgreSQL keeps a plan for each. */
const planLimit = (rows: number): number =>
  Math.max(MIN_PLAN_LIMIT, 2 ** Math.ceil(Math.log2(rows)));
