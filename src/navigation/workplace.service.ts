import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Config } from '../base/config/config.js';
import { Database } from '../database/database.js';
import { notFound } from '../base/errors/api-errors.js';
import { Bindings, type Bind } from '../database/bindings.js';
import { applications, visibleInWorkplace } from '../process/applications/application.resource.js';
import { categories } from '../process/applications/category.resource.js';
import { countOf, countView } from '../process/tiles/count-view.js';
import { type StoredView, UnreadableView } from '../process/tiles/parse-view.js';
import { idIn } from '../resources/uri.js';
import type { Viewer } from '../security/caller.js';
import {
  type ApplicationEntry,
  type Category,
  type Indicator,
  presentApplication,
  presentCategory,
  presentIndicator,
} from './presenters.js';
import {
  entryIn,
  JOIN_VIEW,
  type TileReader,
  tileOrder,
  titleIn,
  VIEW,
  viewIn,
} from './tile-sql.js';

/** Most views in the cache of a process; each takes a few hundred bytes. */
const MAX_LAST_VIEWS = 10_000;

/** The contents of a portal (docs/api-contract.md#navigation). */
@Injectable()
export class WorkplaceService {
  /** By application. */
  private readonly lastViews = new LRUCache<string, StoredView>({ max: MAX_LAST_VIEWS });

  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** Active categories with at least one application that the caller sees, in their order. */
  async categories(viewer: TileReader): Promise<Category[]> {
    const { bind, values } = new Bindings();
    const title = titleIn('c', bind(viewer.locale));
    const rows = await this.database.rows({
      text: `SELECT c.id, ${title} FROM categories c WHERE ${visibleCategory(viewer, bind)} ORDER BY ${tileOrder('c', title)}`,
      values,
    });
    return rows.map(presentCategory);
  }

  /**
   * The applications of a category that the caller sees, in their order.
   * @param uri URI of the category
   * @throws ApiError 404 when the category is unknown, inactive, or none of its applications is seen
   */
  async applications(uri: string, viewer: TileReader): Promise<ApplicationEntry[]> {
    const id = idIn(uri, categories.ref.uri);
    if (id === undefined) throw notFound();
    const { bind, values } = new Bindings();
    const locale = bind(viewer.locale);
    const rows = await this.database.rows({
      text: `SELECT ${entryIn(locale)} FROM categories c
        JOIN application_categories ac ON ac.category_id = c.id JOIN applications a ON a.id = ac.application_id
        WHERE c.id = ${bind(id)} AND c.active AND ${visibleInWorkplace('a', bind(viewer.id))} ORDER BY ${tileOrder('a', titleIn('a', locale))}`,
      values,
    });
    if (rows.length === 0) throw notFound();
    return rows.map((row) => presentApplication(row, this.config.env.BASE_PATH));
  }

  /**
   * The number of rows of an application's view for the caller.
   * @param uri URI of the application
   * @throws ApiError 404 when the application is unknown, inactive or not seen by the caller
   * @throws UnreadableView
   */
  async indicator(uri: string, viewer: Viewer): Promise<Indicator> {
    const id = idIn(uri, applications.ref.uri);
    if (id === undefined) throw notFound();
    const { bind, values } = new Bindings();
    const [row] = await this.database.rows({
      text: `SELECT ${this.countedByLastView(id, viewer, bind)}, ${VIEW} FROM applications a ${JOIN_VIEW}
        WHERE a.id = ${bind(id)} AND ${visibleInWorkplace('a', bind(viewer.id))}`,
      values,
    });
    if (!row) throw notFound();
    const [count, ...columns] = row;
    const view = viewIn(columns);
    if (!view) return presentIndicator(0);
    this.lastViews.set(id, view);
    return presentIndicator(
      count === null ? await countView(this.database, view, viewer) : Number(count),
    );
  }

  /**
   * SQL of the count by the application's cached view; null if the view has changed or cannot be read. It saves a round
   * trip, because portals poll counters.
   */
  private countedByLastView(applicationId: string, viewer: Viewer, bind: Bind): string {
    const view = this.lastViews.get(applicationId);
    if (!view) return 'NULL';
    try {
      const count = countOf(view, viewer, bind);
      const known = `${bind(view.applicationId)}::bigint, ${bind(view.filters)}::text[], ${bind(view.filterMode)}::text, ${bind(view.sorter)}::text`;
      const isSame = `(${VIEW}) IS NOT DISTINCT FROM (${known})`;
      return `CASE WHEN ${isSame} THEN (${count}) END`;
    } catch (error) {
      // The caller reports an unreadable view only for an application that the person sees.
      if (error instanceof UnreadableView) return 'NULL';
      throw error;
    }
  }
}

const visibleCategory = (viewer: Viewer, bind: Bind): string =>
  `c.active AND EXISTS (SELECT 1 FROM application_categories ac JOIN applications a ON a.id = ac.application_id
    WHERE ac.category_id = c.id AND ${visibleInWorkplace('a', bind(viewer.id))})`;
