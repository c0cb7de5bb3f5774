import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { notFound } from '../errors/refusals.js';
import { Bindings, type Bind } from '../listing/attribute.js';
import { applications, visibleInWorkplace } from '../process/application.resource.js';
import { categories } from '../process/category.resource.js';
import { countView } from '../process/view-rows.js';
import type { StoredView } from '../process/view-filters.js';
import { idIn } from '../resources/uri.js';
import type { Caller } from '../security/caller.js';
import {
  type ApplicationEntry,
  type Category,
  type Indicator,
  presentApplication,
  presentCategory,
  presentIndicator,
} from './presenters.js';

const ORDER = (alias: string): string =>
  `${alias}.position, fold(${alias}.title) COLLATE "C", ${alias}.id`;

/** An application that the caller sees, and the view behind it. */
interface VisibleApplication {
  isProcess: boolean;
  view: StoredView | undefined;
}

/** What a portal shows its people (interface: Navigation API). */
@Injectable()
export class WorkplaceService {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** Active categories with at least one application that the caller sees, in their order. */
  async categories(caller: Caller): Promise<Category[]> {
    const { bind, values } = new Bindings();
    const rows = await this.database.rows({
      text: `SELECT c.id, c.title FROM categories c WHERE ${visibleCategory(caller, bind)} ORDER BY ${ORDER('c')}`,
      values,
    });
    return rows.map(presentCategory);
  }

  /**
   * The applications of a category that the caller sees, in their order.
   * @param uri URI of the category
   * @throws Refusal 404 when the category is unknown, inactive, or none of its applications is seen
   */
  async applications(uri: string, caller: Caller): Promise<ApplicationEntry[]> {
    const id = idIn(uri, categories.ref.uri);
    if (id === undefined) throw notFound();
    const { bind, values } = new Bindings();
    const rows = await this.database.rows({
      text: `SELECT a.id, a.title, a.reference, a.tile_color, a.type, a.link, a.icon, a.target_blank, a.help_link_js, a.keywords
        FROM categories c JOIN application_categories ac ON ac.category_id = c.id JOIN applications a ON a.id = ac.application_id
        WHERE c.id = ${bind(id)} AND c.active AND ${visibleInWorkplace(caller, 'a', bind)} ORDER BY ${ORDER('a')}`,
      values,
    });
    if (rows.length === 0) throw notFound();
    return rows.map((row) => presentApplication(row, this.config.env.BASE_PATH));
  }

  /**
   * The number of rows of an application's view for the caller.
   * @param uri URI of the application
   * @throws Refusal 404 when the application is unknown, inactive or not seen by the caller
   */
  async indicator(uri: string, caller: Caller): Promise<Indicator> {
    const { isProcess, view } = await this.visibleApplication(uri, caller);
    return presentIndicator(isProcess && view ? await countView(this.database, view, caller) : 0);
  }

  private async visibleApplication(uri: string, caller: Caller): Promise<VisibleApplication> {
    const id = idIn(uri, applications.ref.uri);
    if (id === undefined) throw notFound();
    const { bind, values } = new Bindings();
    const [row] = await this.database.rows({
      text: `SELECT a.type, v.application_id, v.filters, v.filter_mode, v.sorter
        FROM applications a LEFT JOIN views v ON v.id = a.view_id
        WHERE a.id = ${bind(id)} AND ${visibleInWorkplace(caller, 'a', bind)}`,
      values,
    });
    if (!row) throw notFound();
    const [type, applicationId, filters, filterMode, sorter] = row;
    const view = { applicationId, filters, filterMode, sorter } as StoredView;
    return { isProcess: type === 'PROCESS', view: applicationId === null ? undefined : view };
  }
}

const visibleCategory = (caller: Caller, bind: Bind): string =>
  `c.active AND EXISTS (SELECT 1 FROM application_categories ac JOIN applications a ON a.id = ac.application_id
    WHERE ac.category_id = c.id AND ${visibleInWorkplace(caller, 'a', bind)})`;
