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
