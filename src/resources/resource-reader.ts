import { Injectable } from '@nestjs/common';
import { Config } from '../base/config/config.js';
import { Bindings } from '../database/bindings.js';
import { Database, type Reader } from '../database/database.js';
import { notFound } from '../base/errors/api-errors.js';
import { attributesIn, type Permission } from '../base/rights/permissions.js';
import { Rights } from '../base/rights/rights.js';
import type { Caller, Viewer } from '../security/caller.js';
import { ParametersService } from '../security/parameters/parameters.service.js';
import type { PresentContext } from './attributes/attribute.js';
import { type Copies, type CopiesPlan, presentCopies } from './list/copies.js';
import type { Read } from './list/list-sql.js';
import { executeWithinLimits } from './list/list-limits.js';
import { ListSql, type Statement } from './list/list-sql.js';
import type { ListPlan } from './list/plan-list.js';
import { type Page, presentList } from './list/present-list.js';
import { isNamed } from './names.js';
import { LISTED, type Resource, type ResponseMode } from './resource.js';
import { permissionsWithin } from './reach.js';
import { isId } from './uri.js';
import { sqlViewer } from './visibility.js';

/** A detailed representation, and the revision that its ETag names. */
export interface Detailed {
  representation: Record<string, unknown>;
  revision: number;
  /** For the writer of the object. */
  warnings?: string[];
}

/** Reads lists and single objects of any resource from its definition. */
@Injectable()
export class ResourceReader {
  constructor(
    readonly database: Database,
    private readonly sql: ListSql,
    private readonly parameters: ParametersService,
    private readonly config: Config,
  ) {}

  /**
   * Reads one page of a list, as the caller may see it.
   * @throws ApiError 400 when the page exceeds the maximum size of an answer, or the list takes too long; 429 when
   * too many searches of the caller are waiting
   */
  async list(plan: ListPlan): Promise<Page> {
    const { caller, responseMode } = plan;
    const read: Read = ({ searching, ...statement }) =>
      this.database.rows({ ...statement, searcher: searching ? caller.id : undefined });
    const rows = await executeWithinLimits(read, this.sql, plan);
    return presentList(plan, rows, this.context(caller, await this.timeZone(responseMode)));
  }

  /**
   * Reads the detailed representation of an object.
   * @throws ApiError 404 when the object does not exist or the caller may not see it
   */
  async get(
    resource: Resource,
    caller: Caller,
    id: string,
    reader: Reader = this.database,
  ): Promise<Detailed> {
    if (!isId(id)) throw notFound();
    return this.read(this.sql.detailed(resource, caller, id), resource, caller, reader);
  }

  /** Reads an object that the caller has just written in this transaction, even if the caller no longer sees it. */
  getWritten(
    resource: Resource,
    caller: Caller,
    id: string,
    transaction: Reader,
  ): Promise<Detailed> {
    return this.read(this.sql.detailed(resource, caller, id, false), resource, caller, transaction);
  }

  private async read(
    { text, values }: Statement,
    resource: Resource,
    caller: Caller,
    reader: Reader,
  ): Promise<Detailed> {
    const [row] = await reader.rows({ text, values });
    if (!row) throw notFound();
    const shown = resource.present(row, 'detailed', 'machine', this.context(caller, 'UTC'));
    const { complete } = resource.definition;
    return {
      representation: complete ? await complete(shown, caller, reader) : shown,
      revision: Number(row.at(-1)),
    };
  }

  /**
   * The attributes that the caller's roles let write in one object, by a role everywhere or one whose scope holds the
   * object; `*` for all, none without the permission.
   */
  async granted(
    resource: Resource,
    viewer: Viewer,
    { permission, id }: { permission: Permission; id: string },
    reader: Reader = this.database,
  ): Promise<ReadonlySet<string>> {
    const ids = isId(id) ? [id] : [];
    return (await this.grantedInEach(resource, viewer, { permission, ids }, reader))(id);
  }

  /** The same for each of several objects, in one query. */
  async grantedInEach(
    resource: Resource,
    { rights, id: userId }: Viewer,
    { permission, ids }: { permission: Permission; ids: string[] },
    reader: Reader,
  ): Promise<(id: string) => ReadonlySet<string>> {
    const everywhere = rights.attributes(permission);
    const { reach } = resource.definition;
    const isReached = reach && rights.scopesOf(permission).some((scope) => scope in reach);
    if (!isReached || ids.length === 0) return () => everywhere;
    const place = { table: resource.ref.table, id: 'asked.id', userId: '$2' };
    const rows = await reader.rows({
      text: `SELECT asked.id::text, ARRAY(${permissionsWithin(reach, place)})
        FROM unnest($1::bigint[]) AS asked (id)`,
      values: [ids, userId],
    });
    const within = new Map(
      rows.map(([id, texts]) => {
        const attributes = rights.limited(attributesIn(texts as string[], permission), permission);
        return [String(id), new Set([...everywhere, ...attributes])];
      }),
    );
    return (id) => within.get(id) ?? everywhere;
  }

  /** Whether the caller sees an object without any role: it is open to all, or concerns the caller. */
  async isOwn(
    resource: Resource,
    caller: Viewer,
    id: string,
    reader: Reader = this.database,
  ): Promise<boolean> {
    const { bind, values } = new Bindings();
    const place = `${LISTED}.id = ${bind(id)}`;
    const viewer = sqlViewer({ id: caller.id, rights: Rights.none }, bind);
    const conditions = [place, ...resource.conditionsForOne(viewer)];
    const rows = await reader.rows({
      text: `SELECT 1 FROM ${resource.ref.table} ${LISTED} WHERE ${conditions.join(' AND ')}`,
      values,
    });
    return rows.length > 0;
  }

  /**
   * Finds an object by its reference, or by another name that its resource defines. The other name comes first: people
   * choose references, and none of these may take the place of an object that a source names.
   * @returns undefined when the caller sees no such object
   */
  async idOfName(resource: Resource, caller: Caller, name: string): Promise<string | undefined> {
    // PostgreSQL neither accepts nor stores such a text.
    if (name.includes('\0')) return undefined;
    const { bind, values } = new Bindings();
    const { ref, definition } = resource;
    const byReference = isNamed(resource, LISTED, bind(name));
    const otherwise = definition.namedBy?.(name, bind) ?? 'false';
    const conditions = [
      `(${byReference} OR (${otherwise}))`,
      ...resource.conditionsForOne(sqlViewer(caller, bind)),
    ];
    const [row] = await this.database.rows({
      text: `SELECT ${LISTED}.id FROM ${ref.table} ${LISTED} WHERE ${conditions.join(' AND ')}
        ORDER BY (${otherwise}) IS TRUE DESC LIMIT 1`,
      values,
    });
    return row && String(row[0]);
  }

  /**
   * Reads list items with their revisions, for consumers that keep copies, in one statement and in bounded memory. It
   * leaves out items beyond `maxBytes`, except the first.
   */
  async copies(plan: CopiesPlan): Promise<Copies> {
    const { text, values } = this.sql.copies(plan);
    const rows = await this.database.rows({ text, values });
    const context = this.context(plan.caller, 'UTC');
    return presentCopies(plan.resource, rows, context);
  }

  private async timeZone(mode: ResponseMode): Promise<string> {
    return mode === 'user' ? (await this.parameters.current()).timeZone : 'UTC';
  }

  private context(caller: Caller, timeZone: string): PresentContext {
    const { BASE_PATH: basePath } = this.config.env;
    return { caller, locale: caller.locale, timeZone, basePath };
  }
}
