import { Injectable } from '@nestjs/common';
import { Config } from '../base/config/config.js';
import { Database, type Row } from '../database/database.js';
import { Bindings } from '../database/bindings.js';
import { visibleInWorkplace } from '../process/applications/application.resource.js';
import { countViews } from '../process/tiles/count-many-views.js';
import type { StoredView } from '../process/tiles/parse-view.js';
import type { Viewer } from '../security/caller.js';
import {
  type Indicator,
  presentApplication,
  presentCategory,
  presentIndicator,
  type WorkplaceCategory,
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

/** Offsets of the parts of a tile's row. */
const FAVOURITE_AT = 2;
const VIEW_AT = 3;
const APPLICATION_AT = 7;

/** The whole workplace of a person in one answer. */
@Injectable()
export class WorkplaceOverviewService {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /**
   * Categories, their applications and all counters (docs/api-contract.md#workplace-overview): one
   * statement reads the tiles, one counts, whatever the number of tiles.
   */
  async load(viewer: TileReader): Promise<WorkplaceCategory[]> {
    const rows = await this.tiles(viewer);
    const views = new Map(rows.map((row) => [row[APPLICATION_AT], viewIn(row.slice(VIEW_AT))]));
    const indicators = await this.indicators(views, viewer);
    const shown = new Map<unknown, WorkplaceCategory>();
    for (const row of rows) {
      const category = shown.get(row[0]) ?? { ...presentCategory(row), applications: [] };
      shown.set(row[0], category);
      category.applications.push({
        ...presentApplication(row.slice(APPLICATION_AT), this.config.env.BASE_PATH),
        indicator: indicators.get(row[APPLICATION_AT]) ?? null,
        favourite: row[FAVOURITE_AT] === true,
      });
    }
    return [...shown.values()];
  }

  /**
   * The same workplace with current counters.
   * @param shown the former answer
   * @param views the present views by the URI of the application
   */
  async updateCounters(
    shown: WorkplaceCategory[],
    views: ReadonlyMap<string, StoredView>,
    viewer: Viewer,
  ): Promise<WorkplaceCategory[]> {
    const tiles = shown.flatMap(({ applications }) => applications);
    const indicators = await this.indicators(
      new Map(tiles.map(({ id }) => [id, views.get(id)])),
      viewer,
    );
    for (const tile of tiles) tile.indicator = indicators.get(tile.id) ?? null;
    return shown;
  }

  /**
   * A row for each application in each of its categories, in order. Each title is folded once, even if several
   * categories show it.
   */
  private async tiles(viewer: TileReader): Promise<Row[]> {
    const { bind, values } = new Bindings();
    const locale = bind(viewer.locale);
    const place = (alias: string): string =>
      `row_number() OVER (ORDER BY ${tileOrder(alias, titleIn(alias, locale))})`;
    return this.database.rows({
      text: `SELECT c.id, c.title, f.user_id IS NOT NULL, ${VIEW}, ${entryIn(locale)}
        FROM (SELECT c.id, ${titleIn('c', locale)} AS title, ${place('c')} AS place FROM categories c WHERE c.active) c
        JOIN application_categories ac ON ac.category_id = c.id
        JOIN (SELECT a.*, ${place('a')} AS place FROM applications a WHERE ${visibleInWorkplace('a', bind(viewer.id))}) a ON a.id = ac.application_id
        ${JOIN_VIEW}
        LEFT JOIN favourites f ON f.application_id = a.id AND f.user_id = ${bind(viewer.id)}::bigint
        ORDER BY c.place, a.place`,
      values,
    });
  }

  /** The indicators by application: the answer of the indicator's own route, or null. */
  private async indicators(
    views: Map<unknown, StoredView | undefined>,
    viewer: Viewer,
  ): Promise<Map<unknown, Indicator | null>> {
    const counted = [...views].flatMap(([id, view]) => (view ? [{ id, view }] : []));
    const counts = await countViews(
      this.database,
      counted.map(({ view }) => view),
      viewer,
    );
    const shown = new Map<unknown, Indicator | null>();
    for (const id of views.keys()) shown.set(id, presentIndicator(0));
    counts.forEach((count, at) =>
      shown.set(counted[at]!.id, count === null ? null : presentIndicator(count)),
    );
    return shown;
  }
}
