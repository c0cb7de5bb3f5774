/** Puts a value among the bound values of a statement; answers its placeholder, e.g. `$3`. */
export type Bind = (value: unknown) => string;

/** The bound values of one statement: values never become part of its text. */
export class Bindings {
  readonly values: unknown[] = [];

  readonly bind: Bind = (value) => `$${this.values.push(value)}`;
}
