import type { EntityTarget, ObjectLiteral } from 'typeorm';
import type { Reader, Row } from '../database/database.js';
import type { Bind } from '../database/bindings.js';
import type { Listable } from './list/list-attribute.js';
import type { ResponseMode } from './list/list-request.js';
import { LISTED, type ListSource } from './list/list-query.js';
import type { Caller, Viewer } from '../security/caller.js';
import type { Attribute, PresentContext, SelectContext } from './attributes/attribute.js';
import { IdAttribute, UriAttribute } from './attributes/computed-attributes.js';
import { type Place, type Presenter, presenterOf } from './presenter.js';
import type { RefTarget } from './ref.js';

/** What somebody may see of a resource, as a condition; undefined where everything may be seen. */
export type Visibility = (viewer: Viewer, alias: string, bind: Bind) => string | undefined;

export interface ResourceDefinition {
  /** Its plural, as in its path, e.g. `users`; also the name under which links name it. */
  name: string;
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
  /** In the order of the representation, without id and uri, which the machine adds. */
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

const registry = new Map<string, Resource>();

/** Nothing is bound in it, so that it is the same for every caller. */
const PLAIN_COLUMN = new RegExp(`^${LISTED}\\.\\w+$`);

/** The resource of a name; links are resolved when they are used, so that resources can be mutual. */
export function resourceNamed(name: string): Resource {
  const found = registry.get(name);
  if (!found) throw new Error(`no resource is named ${name}`);
  return found;
}

export const allResources = (): Resource[] => [...registry.values()];

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

  /** An attribute that lists can be filtered or sorted by, for callers who may see it. */
  listAttribute(name: string, maySeeConfidential = false): Attribute | undefined {
    const attribute = this.attributes.get(name);
    if (!attribute || attribute.options.detailedOnly || attribute.operators.length === 0)
      return undefined;
    return attribute.options.confidential && !maySeeConfidential ? undefined : attribute;
  }

  /** What somebody may list by. */
  listableBy(viewer: Viewer): Listable {
    const find = (name: string): Attribute | undefined =>
      this.listAttribute(name, viewer.administrator);
    return {
      attribute: (name) => find(name)?.listedFor(viewer),
      names: (purpose) =>
        [...this.attributes.keys()].filter((name) => {
          const attribute = find(name);
          return attribute !== undefined && (purpose === 'filters' || attribute.sortable);
        }),
    };
  }

  /** Where its lists come from, for a caller. */
  source(caller: Caller, bind: Bind, size: Size = 'list'): ListSource {
    const shown = this.shape(size);
    const context = { bind, caller };
    return {
      table: `${this.ref.table} ${LISTED}`,
      joins: shown.map((attribute) => attribute.join(LISTED, context)).join(' '),
      columns: this.select(shown, context).columns,
      key: `${LISTED}.id`,
      conditions: this.conditionsFor(caller),
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

  /** The conditions under which a caller sees a row. */
  conditionsFor(caller: Caller): ((bind: Bind) => string)[] {
    const { visible } = this.definition;
    return visible ? [(bind) => visible(caller, LISTED, bind) ?? 'true'] : [];
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
      const context = { bind: () => '', caller: {} as Caller };
      const { places } = this.select(this.shape(size), context);
      this.presenters.set(key, (presenter = presenterOf(places, way)));
    }
    return presenter;
  }

  /** What is selected, and where each attribute finds its own; a column of the table only once. */
  private select(
    shown: Attribute[],
    context: SelectContext,
  ): { columns: string[]; places: Place[] } {
    const columns: string[] = [];
    const places = shown.map((attribute) => {
      const own = attribute.columns(LISTED, context);
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
