import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database, type Reader, type Row } from '../database/database.js';
import { notFound } from '../errors/api-errors.js';
import { Bindings, type Bind } from '../database/bindings.js';
import type { ListSource, Statement } from './list/list-query.js';
import type { ListRequest, ResponseMode } from './list/list-request.js';
import type { PageFacts } from './list/paging-headers.js';
import { readList } from './list/choose-plan.js';
import type { Caller } from '../security/caller.js';
import { ParametersService } from '../security/parameters.service.js';
import type { PresentContext } from './attributes/attribute.js';
import { requireBoundedPage } from './list/list-size.js';
import type { Resource } from './resource.js';
import { isId } from './uri.js';

/** One page of a list. */
export interface Page {
  items: Record<string, unknown>[];
  facts: PageFacts;
}

/** A detailed representation, and the revision that its ETag names. */
export interface Detailed {
  representation: Record<string, unknown>;
  revision: number;
}

/** Reads any resource as its description says. */
@Injectable()
export class ResourceReader {
  constructor(
    private readonly database: Database,
    private readonly parameters: ParametersService,
    private readonly config: Config,
  ) {}

  /**
   * One page, as the caller may see it.
   * @param narrow a further condition, e.g. the group whose members are listed
   * @throws ApiError 400 when the page holds more than an answer may; 429 when too many searches of
   * the caller wait
   */
  async list(
    resource: Resource,
    caller: Caller,
    request: ListRequest,
    narrow?: (bind: Bind) => string,
  ): Promise<Page> {
    const sourceFor = (bind: Bind): ListSource => {
      const source = resource.source(caller, bind);
      if (narrow) source.conditions.push(narrow);
      return source;
    };
    const read = ({ searching, ...statement }: Statement) =>
      this.database.rows({ ...statement, searcher: searching ? caller.id : undefined });
    await requireBoundedPage(resource, read, sourceFor, request);
    const { shown, total } = await readList(read, sourceFor, request);
    const page = shown.slice(0, request.range.count);
    return {
      items: await this.present(resource, caller, page, request.responseMode),
      facts: { hasNext: shown.length > request.range.count, total },
    };
  }

  /**
   * The detailed representation.
   * @throws ApiError 404 when there is none, or none that the caller may see
   */
  async get(
    resource: Resource,
    caller: Caller,
    id: string,
    reader: Reader = this.database,
  ): Promise<Detailed> {
    if (!isId(id)) throw notFound();
    const { bind, values } = new Bindings();
    const source = resource.source(caller, bind, 'detailed');
    const conditions = [`${source.key} = ${bind(id)}`, ...source.conditions.map((of) => of(bind))];
    const [row] = await reader.rows({
      text: `SELECT ${source.columns.join(', ')}, t.revision FROM ${source.table} ${source.joins} WHERE ${conditions.join(' AND ')}`,
      values,
    });
    if (!row) throw notFound();
    const shown = resource.present(row, 'detailed', 'machine', this.context(caller, 'UTC'));
    const { complete } = resource.definition;
    return {
      representation: complete ? await complete(shown, caller, reader) : shown,
      revision: Number(row.at(-1)),
    };
  }

  private async present(
    resource: Resource,
    caller: Caller,
    rows: Row[],
    mode: ResponseMode,
  ): Promise<Record<string, unknown>[]> {
    const timeZone = mode === 'user' ? (await this.parameters.current()).text('timeZone') : 'UTC';
    const context = this.context(caller, timeZone);
    return rows.map((row) => resource.present(row, 'list', mode, context));
  }

  private context(caller: Caller, timeZone: string): PresentContext {
    const { BASE_PATH: basePath } = this.config.env;
    return { caller, locale: caller.locale, timeZone, basePath };
  }
}
