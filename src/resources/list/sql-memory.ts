/** SQL with numbered placeholders, and the names of the values that stand for them, in that order. */
export interface RememberedSql {
  text: string;
  names: string[];
}

/** Shapes that are remembered: some 3 kB each. Callers can vary sorters and filters without end. */
const MAX_SHAPES = 500;

/** The SQL of the shapes that lists had last: building it costs a fifth of a page (docs/decisions/0021). */
export class SqlMemory {
  /** In the order of their last use. */
  private readonly shapes = new Map<string, RememberedSql>();

  /** The SQL of a shape, which is built if it is not remembered. */
  recall(shape: string, build: () => RememberedSql): RememberedSql {
    const known = this.shapes.get(shape);
    const sql = known ?? build();
    if (known) this.shapes.delete(shape);
    else if (this.shapes.size >= MAX_SHAPES) this.shapes.delete(this.shapes.keys().next().value!);
    this.shapes.set(shape, sql);
    return sql;
  }
}
