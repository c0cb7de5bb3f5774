import type { EntityTarget, ObjectLiteral } from 'typeorm';
import type { Reader, Row } from '../database/database.js';
import type { Caller } from '../security/caller.js';
import type { Attribute, Join, PresentContext } from './attributes/attribute.js';
import { IdAttribute, UriAttribute } from './attributes/computed-attributes.js';
import { type Place, type Presenter, presenterOf } from './presenter.js';
import type { RefTarget } from './ref.js';
import type { Role, SqlViewer, Visibility } from './visibility.js';

/** The alias of the table that is read. */
export const LISTED = 't';

export interface ResourceDefinition {
  /** Its plural, as in its path, e.g. `users`; also the name under which links name it. */
  name: string;
  /** The name of its schema in the API description, in the singular; that of the entity when missing. */
  schemaName?: string;
  /** Its URI without the id, e.g. `/directory/users`. */
  uri: string;
  /** Stores it; none for what is only listed (sessions). */
  entity?: EntityTarget<ObjectLiteral>;
  /** Its table, when that has another name than the resource. */
  table?: string;
  labelColumn: string;
  referenceColumn?: string;
  /** It has no address of its own: it is listed below another object. */
  withoutUri?: boolean;
  /** Rows are known by something else than an id, which then only orders them. */
  withoutId?: boolean;
  /** In the order of the representation, without id and uri, which the engine adds. */
  attributes: Record<string, Attribute>;
  visible?: Visibility;
  /** Adds to the detailed representation what a column alone cannot say. */
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

/** What a statement selects: SQL expressions, in the order in which the presenter reads them. */
export interface Selection {
  columns: string[];
  joins: Join[];
}

const registry = new Map<string, Resource>();

/** A plain column depends on no viewer, so that attributes can share it. */
const PLAIN_COLUMN = new RegExp(`^${LISTED}\\.\\w+$`);

/** The resource of a name; links are resolved when they are used, so that resources can be mutual. */
export function resourceNamed(name: string): Resource {
  const found = registry.get(name);
  if (!found) throw new Error(`no resource is named ${name}`);
  return found;
}

export const allResources = (): Resource[] => [...registry.values()];

/** Columns stand in the same places for every viewer. */
const NOBODY: SqlViewer = { administrator: false, processEngine: false, idSql: () => 'NULL' };

/** A resource described once: listing, validation, /attributes and the API description read it. */
export class Resource {
  readonly name: string;
  readonly ref: RefTarget;
  /** What representations show. */
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** What bodies give and no representation shows. */
  readonly writeOnly: ReadonlyMap<string, Attribute>;

  constructor(readonly definition: ResourceDefinition) {
    const { name, uri, labelColumn, referenceColumn = 'reference' } = definition;
    this.name = name;
    this.ref = { uri, table: definition.table ?? name, labelColumn, referenceColumn };
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

  /** What a body of POST or PUT may give: the write-only attributes come last. */
  get writable(): [string, Attribute][] {
    return [...this.attributes, ...this.writeOnly].filter(([, attribute]) => attribute.writable);
  }

  /** An attribute that lists can be filtered or sorted by, for a role that may see it. */
  listAttribute(name: string, role?: Role): Attribute | undefined {
    const attribute = this.attributes.get(name);
    if (!attribute || attribute.options.detailedOnly || attribute.operators.length === 0)
      return undefined;
    return attribute.options.confidential && !role?.administrator ? undefined : attribute;
  }

  /** The names of the attributes that a role can list by, for error messages. */
  listNames(purpose: 'filters' | 'sorter', role: Role): string[] {
    return [...this.attributes.keys()].filter((name) => {
      const attribute = this.listAttribute(name, role);
      return attribute !== undefined && (purpose === 'filters' || attribute.sortable);
    });
  }

  /** What a representation needs of a row of `LISTED`, and the joins that this needs. */
  selection(size: Size, viewer: SqlViewer): Selection {
    const shown = this.shape(size);
    return {
      columns: this.place(shown, viewer).columns,
      joins: shown.flatMap((attribute) => attribute.join(viewer) ?? []),
    };
  }

  /** How many bytes of a list one of its rows takes at most. */
  get maxRowBytes(): number {
    return (this.maxRowBytesOnce ??= this.shape('list').reduce(
      (sum, { maxBytes }) => sum + maxBytes,
      0,
    ));
  }

  private maxRowBytesOnce: number | undefined;

  /** The conditions under which a viewer sees a row. */
  conditionsFor(viewer: SqlViewer): string[] {
    const condition = this.definition.visible?.(viewer, LISTED);
    return condition === undefined ? [] : [condition];
  }

  /** Names every attribute that leaves, in the order of the definition. */
  present(
    row: Row,
    size: Size,
    mode: ResponseMode,
    context: PresentContext,
  ): Record<string, unknown> {
    const { administrator, id } = context.caller;
    const way = mode === 'machine' ? 'present' : 'display';
    return this.presenter(size, way)(row, administrator || String(row[0]) === id, context);
  }

  private readonly presenters = new Map<string, Presenter>();

  private presenter(size: Size, way: 'present' | 'display'): Presenter {
    const key = `${size} ${way}`;
    let presenter = this.presenters.get(key);
    if (!presenter) {
      const { places } = this.place(this.shape(size), NOBODY);
      this.presenters.set(key, (presenter = presenterOf(places, way)));
    }
    return presenter;
  }

  /** What is selected, and where each attribute finds its own; a column of the table only once. */
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

/** Describes a resource and makes it known to links. */
export function resource(definition: ResourceDefinition): Resource {
  const made = new Resource(definition);
  registry.set(made.name, made);
  return made;
}
