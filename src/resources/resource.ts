import type { EntityTarget, ObjectLiteral } from 'typeorm';
import type { Permission } from '../base/rights/permissions.js';
import type { Bind } from '../database/bindings.js';
import type { Reader, Row } from '../database/database.js';
import type { Caller, Viewer } from '../security/caller.js';
import type { Attribute, Join, PresentContext } from './attributes/attribute.js';
import type { Translations } from './attributes/translations-attribute.js';
import { IdAttribute, UriAttribute } from './attributes/computed-attributes.js';
import type { Filter, FilterTerm } from './list/filters.js';
import { AS_IS } from './name-rule.js';
import { type Place, type Presenter, presenterOf } from './presenter.js';
import type { RefTarget } from './ref.js';
import { type Reach, withinScopes } from './reach.js';
import { ANONYMOUS, type RightsHolder, type SqlViewer, type Visibility } from './visibility.js';
import type { Reason } from '../base/errors/reason.js';

/** The alias of the resource's table in every query. */
export const LISTED = 't';

export interface ResourceDefinition {
  /** The plural, as in its path, e.g. `users`; links name the resource by it. */
  name: string;
  /** The singular name of its schema in the API description; by default that of the entity. */
  schemaName?: string;
  /** One object in a sentence, e.g. `news item`; by default the schema name in lower case. */
  noun?: string;
  /** The URI without the id, e.g. `/directory/users`. */
  uri: string;
  /** The entity that stores it; none for a resource that is only listed (sessions). */
  entity?: EntityTarget<ObjectLiteral>;
  /** The table, when its name differs from that of the resource. */
  table?: string;
  labelColumn: string;
  referenceColumn?: string;
  /** The resource has no URI of its own: it is listed below another object. */
  withoutUri?: boolean;
  /** A row is identified by something other than its id, which then only orders the rows. */
  withoutId?: boolean;
  /** In the order of the representation; the engine adds id and uri. */
  attributes: Record<string, Attribute>;
  /** The attributes that its provider alone writes while `managedBy` names one (docs/api-contract.md#providers). */
  managed?: readonly string[];
  /** Columns without an attribute that each new row gets, by property. */
  fixed?: Record<string, unknown>;
  /** SQL of the rows of the table that are its objects, where resources share a table; all by default. */
  own?: (alias: string) => string;
  /** SQL of the rows that its lists show; all by default. The others are read by their ids alone. */
  listed?: (alias: string) => string;
  /** What people without the permission to read every object see; everything by default. */
  visible?: Visibility;
  /** The objects that lie in the scope of a role; none by default, so that such a role gives nothing here. */
  reach?: Reach;
  /** Its objects belong to people: no permission shows all of them, and `visible` decides for everybody. */
  isPersonal?: boolean;
  /** The same for one object whose id is known, where a viewer may read more than lists show; `visible` by default. */
  visibleAlone?: Visibility;
  /**
   * SQL of the ids of all objects that a viewer sees, for viewers who may see few of many. An index finds at most
   * `limit` for each reason, and an id may appear twice. Undefined for all other viewers.
   */
  seenIds?: (viewer: SqlViewer, limit: number) => string | undefined;
  /** Reads filters that compare with the caller; see `Resource.callerFilter`. */
  callerFilter?: (
    term: FilterTerm,
    resource: Resource,
    caller: Viewer,
  ) => Filter | Reason | undefined;
  /** SQL of the rows with a name other than a reference, on the table `t`; undefined for a name of another form. */
  namedBy?: (name: string, bind: Bind) => string | undefined;
  /** A POST may be repeated with the same Idempotency-Key and still creates only one object. */
  takesIdempotencyKey?: boolean;
  /** The description of a write's X-Warning header in the API description; the hook `warn` makes the header. */
  warning?: string;
  /** The same for PUT and PATCH alone. */
  changeWarning?: string;
  /** The same for the answer to a deletion. */
  deletionWarning?: string;
  /** Adds values that need more than one column to the detailed representation. */
  complete?: (
    representation: Record<string, unknown>,
    caller: Caller,
    reader: Reader,
  ) => Promise<Record<string, unknown>>;
}

/** Which representation is shown (docs/api-contract.md#representation). */
export type Size = 'list' | 'detailed';

/** How values are presented (docs/api-contract.md#responsemode). */
export type ResponseMode = 'machine' | 'user';

/** The SQL expressions that a statement selects, in the presenter's order, and the joins that they need. */
export interface Selection {
  columns: string[];
  joins: Join[];
}

/** Values up to this many bytes count with their maximum instead of being measured. */
const MAX_UNMEASURED = 100;

/** A plain column does not depend on the viewer, so attributes can share it. */
const PLAIN_COLUMN = new RegExp(`^${LISTED}\\.\\w+$`);

/** The definition of a resource, which lists, validation, /attributes and the API description share. */
export class Resource {
  readonly name: string;
  readonly ref: RefTarget;
  /** The attributes that representations show. */
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** The attributes that only bodies have. */
  readonly writeOnly: ReadonlyMap<string, Attribute>;

  constructor(readonly definition: ResourceDefinition) {
    const { name, uri, labelColumn, referenceColumn = 'reference' } = definition;
    this.name = name;
    const table = definition.table ?? name;
    const nameRule = definition.attributes.reference?.options.identity ?? AS_IS;
    this.ref = { uri, table, labelColumn, referenceColumn, nameRule };
    const all = {
      ...(definition.withoutId ? {} : { id: new IdAttribute(uri) }),
      ...(definition.withoutUri ? {} : { uri: new UriAttribute(uri) }),
      ...definition.attributes,
    };
    for (const [key, attribute] of Object.entries(all)) attribute.name = key;
    const isWriteOnly = ([, { options }]: [string, Attribute]) => options.writeOnly === true;
    this.attributes = new Map(Object.entries(all).filter((entry) => !isWriteOnly(entry)));
    this.writeOnly = new Map(Object.entries(all).filter(isWriteOnly));
  }

  /**
   * The singular name of its schemas: that of its definition, else that of its entity.
   * @throws Error for a resource that has neither
   */
  get schemaName(): string {
    const { schemaName, entity } = this.definition;
    if (schemaName !== undefined) return schemaName;
    if (typeof entity === 'function') return entity.name;
    throw new Error(`the resource ${this.name} needs a schemaName`);
  }

  /** Whether its objects have references, which paths and links take in place of ids. */
  get hasNames(): boolean {
    return this.attributes.has('reference');
  }

  /** Whether its texts have translations. */
  get hasTranslations(): boolean {
    return this.attributes.has('translations');
  }

  /** One object in a sentence, without an article. */
  get noun(): string {
    return this.definition.noun ?? this.schemaName.toLowerCase();
  }

  /** The same with its article: `an organization`. */
  get nounWithArticle(): string {
    return `${/^[aeio]/.test(this.noun) ? 'an' : 'a'} ${this.noun}`;
  }

  /** The attributes that a body of POST or PUT may give; the write-only ones come last. */
  get writable(): [string, Attribute][] {
    return [...this.attributes, ...this.writeOnly].filter(([, attribute]) => attribute.writable);
  }

  /** A filter that compares with the caller; a message for an invalid one, undefined for an ordinary filter. */
  callerFilter(term: FilterTerm, caller: Viewer): Filter | Reason | undefined {
    return this.definition.callerFilter?.(term, this, caller);
  }

  /** An attribute by which lists may be filtered or sorted; undefined when the rights do not show it. */
  listAttribute(name: string, holder?: RightsHolder): Attribute | undefined {
    const attribute = this.attributes.get(name);
    if (!attribute || attribute.options.detailedOnly || attribute.operators.length === 0)
      return undefined;
    return attribute.options.confidential && !holder?.rights.permits('users:read')
      ? undefined
      : attribute;
  }

  /** The names of the attributes by which the rights let filter or sort, for error messages. */
  listNames(purpose: 'filters' | 'sorter', holder: RightsHolder): string[] {
    return [...this.attributes.keys()].filter((name) => {
      const attribute = this.listAttribute(name, holder);
      return attribute !== undefined && (purpose === 'filters' || attribute.sortable);
    });
  }

  /** The columns of a row of `LISTED` that a representation needs, and their joins. */
  selection(size: Size, viewer: SqlViewer): Selection {
    const shown = this.shape(size);
    return {
      columns: [...this.place(shown, viewer).columns, ...this.confides(viewer)],
      joins: shown.flatMap((attribute) => attribute.join(viewer) ?? []),
    };
  }

  /** A last column: whether a role with a scope shows the viewer the confidential attributes of the row. */
  private confides(viewer: SqlViewer): string[] {
    const conditions = this.isConfiding ? this.readableWithin(viewer, LISTED) : [];
    return conditions.length > 0 ? [`(${conditions.join(' OR ')}) IS TRUE`] : [];
  }

  private get isConfiding(): boolean {
    return [...this.attributes.values()].some(({ options }) => options.confidential);
  }

  /** Upper bound of the bytes that one row takes in a list. */
  get maxRowBytes(): number {
    return (this.maxRowBytesOnce ??= this.shape('list').reduce(
      (sum, { maxBytes }) => sum + maxBytes,
      0,
    ));
  }

  /**
   * SQL of the approximate bytes that a row of `LISTED` takes in a list. It needs no joins: attributes of bounded
   * length behind a join count with their maximum.
   */
  sizeOf(viewer: SqlViewer): string {
    const shown = this.shape('list');
    const isMeasured = (attribute: Attribute): boolean =>
      attribute.maxBytes > MAX_UNMEASURED && attribute.join(viewer) === undefined;
    const assumed = shown
      .filter((attribute) => !isMeasured(attribute))
      .reduce((sum, { maxBytes }) => sum + maxBytes, 0);
    const measured = shown
      .filter(isMeasured)
      .flatMap((attribute) => attribute.columns(LISTED, viewer))
      .map((column) => `coalesce(octet_length((${column})::text), 0)`);
    return [assumed, ...new Set(measured)].join(' + ');
  }

  private maxRowBytesOnce: number | undefined;

  /** The permission for an action on every object of this resource. */
  permission(action: 'read' | 'create' | 'change' | 'delete'): Permission {
    return `${this.name}:${action}` as Permission;
  }

  private readonly readsAll = ({ rights }: RightsHolder): boolean =>
    this.definition.isPersonal !== true && rights.permits(this.permission('read'));

  /** The condition under which a viewer sees a row; undefined when they see every row. */
  readonly visible: Visibility = (viewer, alias) =>
    this.seenBy(this.definition.visible, viewer, alias);

  /** The same for one object whose id is known. */
  readonly visibleAlone: Visibility = (viewer, alias) =>
    this.seenBy(this.definition.visibleAlone ?? this.definition.visible, viewer, alias);

  private seenBy(
    own: Visibility | undefined,
    viewer: SqlViewer,
    alias: string,
  ): string | undefined {
    if (this.readsAll(viewer)) return undefined;
    const condition = own?.(viewer, alias);
    const granted = condition === undefined ? [] : this.readableWithin(viewer, alias);
    return granted.length > 0 ? `(${[condition, ...granted].join(' OR ')})` : condition;
  }

  /** The conditions of the rows that a viewer's roles with a scope show completely. */
  private readableWithin(viewer: SqlViewer, alias: string): string[] {
    return this.definition.isPersonal === true
      ? []
      : this.within(this.permission('read'), viewer, alias);
  }

  /** The conditions of the rows that lie in a scope of the viewer's roles with a permission; one of them suffices. */
  within(permission: Permission, viewer: SqlViewer, alias: string): string[] {
    const { reach } = this.definition;
    return reach ? withinScopes(reach, permission, viewer, alias) : [];
  }

  /** SQL of the ids of all objects that a viewer sees; undefined where they may be many. */
  seenIds(viewer: SqlViewer, limit: number): string | undefined {
    if (this.readsAll(viewer)) return undefined;
    const own = this.definition.seenIds?.(viewer, limit);
    const granted = own === undefined ? [] : this.readableWithin(viewer, 'g');
    const ids = granted.map(
      (condition) => `(SELECT g.id FROM ${this.ref.table} g WHERE ${condition} LIMIT ${limit})`,
    );
    return own === undefined ? undefined : [own, ...ids].join(' UNION ALL ');
  }

  /** The conditions under which lists show a row to a viewer. */
  listConditions(viewer: SqlViewer): string[] {
    const { listed } = this.definition;
    return [...(listed ? [listed(LISTED)] : []), ...this.conditionsFor(viewer)];
  }

  /** The conditions under which a viewer sees a row. */
  conditionsFor(viewer: SqlViewer): string[] {
    return this.conditionsOf(this.visible, viewer);
  }

  /** The same for one object whose id is known. */
  conditionsForOne(viewer: SqlViewer): string[] {
    return this.conditionsOf(this.visibleAlone, viewer);
  }

  private conditionsOf(seen: Visibility, viewer: SqlViewer): string[] {
    return [this.definition.own?.(LISTED), seen(viewer, LISTED)].filter(
      (condition) => condition !== undefined,
    );
  }

  /** Presents a row: every attribute by name, in the order of the definition. */
  present(
    row: Row,
    size: Size,
    mode: ResponseMode,
    context: PresentContext,
  ): Record<string, unknown> {
    const { rights, id } = context.caller;
    const way = mode === 'machine' ? 'present' : 'display';
    const { present, width } = this.presenter(size, way);
    const shown = present(
      row,
      rights.permits('users:read') ||
        String(row[0]) === id ||
        (row[width] === true && rights.completeScopesOf('users:read').length > 0),
      context,
    );
    return mode === 'user' && this.hasTranslations ? this.translate(shown, context) : shown;
  }

  /** Shows the texts of an object in the language of a person, in place of their translations. */
  private translate(
    { translations, ...shown }: Record<string, unknown>,
    { locale }: PresentContext,
  ): Record<string, unknown> {
    const texts = (translations as Translations | undefined)?.[locale];
    return texts
      ? { ...shown, label: texts[this.ref.labelColumn] ?? shown.label, ...texts }
      : shown;
  }

  private readonly presenters = new Map<string, { present: Presenter; width: number }>();

  /** A presenter, and the number of columns that it reads. */
  private presenter(size: Size, way: 'present' | 'display'): { present: Presenter; width: number } {
    const key = `${size} ${way}`;
    let presenter = this.presenters.get(key);
    if (!presenter) {
      const { places, columns } = this.place(this.shape(size), ANONYMOUS);
      presenter = { present: presenterOf(places, way), width: columns.length };
      this.presenters.set(key, presenter);
    }
    return presenter;
  }

  /** The columns to select, each plain column once, and the index at which each attribute finds its own. */
  private place(shown: Attribute[], viewer: SqlViewer): { columns: string[]; places: Place[] } {
    const columns: string[] = [];
    const places = shown.map((attribute) => {
      const own = attribute.columns(LISTED, viewer);
      const known = own.length === 1 && PLAIN_COLUMN.test(own[0]!) ? columns.indexOf(own[0]!) : -1;
      const at = known < 0 ? columns.length : known;
      if (known < 0) columns.push(...own);
      return { attribute, at };
    });
    return { columns, places };
  }

  private shape(size: Size): Attribute[] {
    const all = [...this.attributes.values()];
    return size === 'detailed' ? all : all.filter(({ options }) => !options.detailedOnly);
  }
}

/** Defines a resource. */
export const resource = (definition: ResourceDefinition): Resource => new Resource(definition);
