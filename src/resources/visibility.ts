import type { Bind } from '../database/bindings.js';
import { Rights } from '../base/rights/rights.js';
import type { Viewer } from '../security/caller.js';

/** The facts about a viewer that the text of a statement may depend on. */
export type RightsHolder = Pick<Viewer, 'rights'>;

/** The viewer as SQL sees them: their id is bound, so all viewers with equal rights share one statement. */
export interface SqlViewer extends RightsHolder {
  /** The SQL of their id, e.g. `:viewer` or `$2`; calling it binds the id. */
  readonly idSql: () => string;
}

/** A viewer without rights, where the id does not matter. */
export const ANONYMOUS: SqlViewer = {
  rights: Rights.none,
  idSql: () => 'NULL',
};

/** The condition under which a viewer may see a row of a resource; undefined when they see every row. */
export type Visibility = (viewer: SqlViewer, alias: string) => string | undefined;

/** The viewer of a statement with numbered values; only a condition that uses the id binds it. */
export const sqlViewer = ({ id, rights }: Viewer, bind: Bind): SqlViewer => ({
  rights,
  idSql: () => bind(id),
});
