import type { Bind } from '../database/bindings.js';
import type { Viewer } from '../security/caller.js';

/** What the text of a statement may depend on. */
export type Role = Pick<Viewer, 'administrator' | 'processEngine'>;

/** Somebody for whom SQL is made: their id is bound, so that a statement is the same for a whole role. */
export interface SqlViewer extends Role {
  /** SQL of their id, e.g. `:viewer` or `$2`; a condition that calls it binds the id. */
  readonly idSql: () => string;
}

/** What somebody may see of a resource, as a condition; undefined where everything may be seen. */
export type Visibility = (viewer: SqlViewer, alias: string) => string | undefined;

/** The viewer of a statement with numbered values; only a condition that asks for the id binds it. */
export const sqlViewer = ({ id, administrator, processEngine }: Viewer, bind: Bind): SqlViewer => ({
  administrator,
  processEngine,
  idSql: () => bind(id),
});
