import { LISTED } from '../resource.js';

/** Above this number, an ordered scan looks up the rows instead of sorting them. */
export const MAX_COLLECTED_ROWS = 10_000;

/**
 * Above this number of 64-id blocks between the first and the last id, building the bitmap takes longer than comparing
 * rows.
 */
export const MAX_BLOCKS = 1_000_000;

/**
 * How to look up the rows of a set, which PostgreSQL decides once it has found their ids: `few` are collected and
 * sorted; many are looked up in a bitmap, unless the ids are too `scattered`.
 */
type SetSize = 'few' | 'many' | 'scattered';

/**
 * The common table expressions of a set of ids as bits, a bigint for 64 ids: `found`, its `size`, and the `bitmap`.
 * PostgreSQL needs 0.65 µs per id for a hash table, and 0.2 µs for a bit (docs/decisions/0036).
 * @param ids a query of them
 */
export const bitmapOf = (ids: string): string =>
  `WITH found AS MATERIALIZED (
      SELECT r.id >> 6 AS block, bit_or(1::bigint << (r.id & 63)::integer) AS bits FROM (${ids}) AS r GROUP BY 1),
    size AS MATERIALIZED (
      SELECT CASE WHEN coalesce(sum(bit_count(bits::bit(64))), 0) <= ${MAX_COLLECTED_ROWS} THEN 'few'
        WHEN max(block) - min(block) <= ${MAX_BLOCKS} THEN 'many' ELSE 'scattered' END AS size,
        min(block) AS first, max(block) AS last FROM found),
    bitmap AS MATERIALIZED (
      SELECT array_agg(coalesce(k.bits, 0) ORDER BY b.block) AS blocks
      FROM size, generate_series(size.first, size.last) AS b(block) LEFT JOIN found AS k USING (block))`;

/** The condition that the set has this size. */
export const hasSize = (size: SetSize): string => `(SELECT size FROM size) = '${size}'`;

/** The condition that a row is among the few. */
export const IS_ONE_OF_FEW = `${LISTED}.id = ANY (ARRAY(
  SELECT (f.block << 6) + bit FROM found f, generate_series(0, 63) AS bit WHERE (f.bits >> bit) & 1 = 1))`;

/** The condition that a row is in the bitmap. */
export const IN_BITMAP = `(CASE WHEN ${LISTED}.id >> 6 BETWEEN (SELECT first FROM size) AND (SELECT last FROM size)
  THEN ((SELECT blocks FROM bitmap)[(${LISTED}.id >> 6) - (SELECT first FROM size) + 1] >> (${LISTED}.id & 63)::integer) & 1 = 1
  ELSE false END)`;
