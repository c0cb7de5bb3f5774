import type { Row } from '../database/database.js';
import type { StoredView } from '../process/tiles/parse-view.js';
import { folded } from '../resources/attributes/folded-text.js';
import { translated } from '../resources/attributes/translations-attribute.js';
import type { Locale, Viewer } from '../security/caller.js';

/** A person who reads tiles in a language. */
export interface TileReader extends Viewer {
  locale: Locale;
}

/** Position, then title (docs/api-contract.md#navigation), then the id. */
export const tileOrder = (alias: string, title: string = `${alias}.title`): string =>
  `${alias}.position, ${folded(title)}, ${alias}.id`;

/** The SQL of a title in a language (docs/api-contract.md#translations). */
export const titleIn = (alias: string, locale: string): string =>
  translated(alias, 'title', locale);

/** The columns of an entry in a language. */
export const entryIn = (locale: string): string =>
  `a.id, ${titleIn('a', locale)}, a.reference, a.tile_color, a.type, a.link, a.icon, a.target_blank, a.help_link_js, ${translated('a', 'keywords', locale)}`;

/** The columns of a counter; nulls for a LINK and for an application without a view. */
export const VIEW = 'v.application_id, v.filters, v.filter_mode, v.sorter';
export const JOIN_VIEW = `LEFT JOIN views v ON v.id = a.view_id AND a.type = 'PROCESS'`;

/** @param row the columns of VIEW */
export function viewIn([applicationId, filters, filterMode, sorter]: Row): StoredView | undefined {
  if (applicationId === null) return undefined;
  return { applicationId, filters, filterMode, sorter } as StoredView;
}
