/** SQL with numbered placeholders, and the names of their values in the same order. */
export interface RememberedSql {
  text: string;
  names: string[];
}

/** Maximum number of cached shapes, about 3 kB each: clients can vary sorters and filters endlessly. */
const MAX_SHAPES = 500;

/** An LRU cache of SQL by the shape of a list: building the SQL costs a fifth of a page (docs/decisions/0021). */
export class SqlCache {
  /** Ordered by last use. */
  private readonly shapes = new Map<string, RememberedSql>();

  /** The cached SQL of a shape; built on a miss. */
  recall(shape: string, build: () => RememberedSql): RememberedSql {
    const known = this.shapes.get(shape);
    const sql = known ?? build();
    if (known) this.shapes.delete(shape);
    else if (this.shapes.size >= MAX_SHAPES) this.shapes.delete(this.shapes.keys().next().value!);
    this.shapes.set(shape, sql);
    return sql;
  }
}
