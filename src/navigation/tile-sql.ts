import type { Row } from '../database/database.js';
import type { StoredView } from '../process/parse-view.js';
import { folded } from '../resources/attributes/folded-text.js';

/** Position, then title (docs/api-contract.md#navigation); the id where both are alike. */
export const tileOrder = (alias: string): string =>
  `${alias}.position, ${folded(`${alias}.title`)}, ${alias}.id`;

/** What an entry is presented from. */
export const ENTRY =
  'a.id, a.title, a.reference, a.tile_color, a.type, a.link, a.icon, a.target_blank, a.help_link_js, a.keywords';

/** What a counter is computed from; nulls for a LINK and for an application without a view. */
export const VIEW = 'v.application_id, v.filters, v.filter_mode, v.sorter';
export const JOIN_VIEW = `LEFT JOIN views v ON v.id = a.view_id AND a.type = 'PROCESS'`;

/** @param row the columns of VIEW */
export function viewIn([applicationId, filters, filterMode, sorter]: Row): StoredView | undefined {
  if (applicationId === null) return undefined;
  return { applicationId, filters, filterMode, sorter } as StoredView;
}
