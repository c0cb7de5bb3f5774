import type { Bind } from '../../database/bindings.js';
import { type ListAttribute, prefilteredCondition } from './list-attribute.js';
import { OPPOSITE_OF, type Operator } from './operators.js';
import type { Viewer } from '../../security/caller.js';
import { compare } from '../attributes/attribute.js';
import type { Resource, Visibility } from '../resource.js';

/** What every kind of link says of itself. */
type Described = Pick<ListAttribute, 'name' | 'operators' | 'parseFilter'>;

/** A link to one object, in a column of the row. */
interface OneLink extends Described {
  column: string;
  target: Resource;
  /** The condition under which somebody is shown the link; undefined where everybody is. */
  seenBy: Visibility;
}

/** The table that joins a resource and what it links. */
export interface JoiningTable {
  table: string;
  /** Its column that names the resource. */
  ownerColumn: string;
  /** Its column that names the linked object, by target. */
  targetColumns: Record<string, string>;
  /** One column that holds the linked id whatever its kind. */
  idColumn: string;
}

/** Links to several objects, in a table of their own. */
interface SeveralLinks extends Described {
  targets: Resource[];
  options: JoiningTable;
}

/** The attributes that a Ref shows: a viewer who sees the Ref may filter by these. */
const IN_REF: ReadonlySet<string> = new Set(['id', 'uri', 'reference', 'label']);

/**
 * A link in the lists of one viewer: filters, counts and order know of a linked object exactly what
 * the viewer is shown (docs/decisions/0018). Those who see everything cost no condition.
 */
export class ListedLink implements ListAttribute {
  readonly name: string;
  readonly sortable = true;
  readonly operators: readonly Operator[];

  constructor(
    private readonly link: OneLink,
    private readonly viewer: Viewer,
  ) {
    this.name = link.name;
    this.operators = link.operators;
  }

  parseFilter(text: string, operator: Operator): unknown {
    return this.link.parseFilter(text, operator);
  }

  condition(alias: string, operator: Operator, value: unknown, bind: Bind): string {
    const column = `${alias}.${this.link.column}`;
    const wanted = value === undefined ? column : `${bind(value)}::bigint`;
    const same = compare(column, operator, () => wanted);
    // Of a given id this is asked once, not for every row.
    const visible = this.visible(wanted, bind);
    if (visible === undefined) return same;
    return OPPOSITE_OF[operator]
      ? `(${same} OR NOT EXISTS ${visible})`
      : `(${same} AND EXISTS ${visible})`;
  }

  order(alias: string, bind: Bind): string {
    const column = `${alias}.${this.link.column}`;
    return this.visible(column, bind) ?? column;
  }

  linked(name: string): ListAttribute | undefined {
    const { target, column } = this.link;
    const { visible } = target.definition;
    const attribute = dottable(target, name, this.viewer);
    return (
      attribute &&
      new DottedAttribute(this.name, attribute, (alias, bind, condition) => {
        const seen = IN_REF.has(name)
          ? this.link.seenBy(this.viewer, 'l', bind)
          : visible?.(this.viewer, 'l', bind);
        return `EXISTS (SELECT 1 FROM ${target.ref.table} l WHERE l.id = ${alias}.${column} AND ${seen ?? 'true'} AND ${condition('l')})`;
      })
    );
  }

  /** A query of the linked id, empty where the viewer is not shown it; undefined where everything is. */
  private visible(id: string, bind: Bind): string | undefined {
    const seen = this.link.seenBy(this.viewer, 'l', bind);
    return (
      seen && `(SELECT l.id FROM ${this.link.target.ref.table} l WHERE l.id = ${id} AND ${seen})`
    );
  }
}

/** Several links in the lists of one viewer: there are no others than those that the viewer is shown. */
export class ListedLinks implements ListAttribute {
  readonly name: string;
  readonly sortable = false;
  readonly operators: readonly Operator[];

  constructor(
    private readonly links: SeveralLinks,
    private readonly viewer: Viewer,
  ) {
    this.name = links.name;
    this.operators = links.operators;
  }

  parseFilter(text: string, operator: Operator): unknown {
    return this.links.parseFilter(text, operator);
  }

  condition(alias: string, operator: Operator, value: unknown, bind: Bind): string {
    const { table, ownerColumn, idColumn, targetColumns } = this.links.options;
    const { id, uri } = (value ?? {}) as { id?: string; uri?: string };
    // A URI names the kind too: /directory/groups/7 is not the user 7.
    const target = this.links.targets.find(({ ref }) => ref.uri === uri);
    const column = target ? targetColumns[target.name] : idColumn;
    const conditions = [
      `j.${ownerColumn} = ${alias}.id`,
      ...(id === undefined ? [] : [`j.${column} = ${bind(id)}::bigint`]),
      ...this.visible(bind),
    ];
    const exists = `EXISTS (SELECT 1 FROM ${table} j WHERE ${conditions.join(' AND ')})`;
    return OPPOSITE_OF[operator] ? `NOT ${exists}` : exists;
  }

  order(): string {
    throw new Error(`${this.name} cannot be sorted by`);
  }

  linked(name: string): ListAttribute | undefined {
    const [target, ...others] = this.links.targets;
    if (!target || others.length > 0) return undefined;
    const { table, ownerColumn, targetColumns } = this.links.options;
    const attribute = dottable(target, name, this.viewer);
    return (
      attribute &&
      new DottedAttribute(this.name, attribute, (alias, bind, condition) => {
        const seen = target.definition.visible?.(this.viewer, 'l', bind) ?? 'true';
        return (
          `EXISTS (SELECT 1 FROM ${table} j JOIN ${target.ref.table} l ON l.id = j.${targetColumns[target.name]} ` +
          `WHERE j.${ownerColumn} = ${alias}.id AND ${seen} AND ${condition('l')})`
        );
      })
    );
  }

  /** What a line of the joining table has to fulfil; nothing where every target may be seen. */
  private visible(bind: Bind): string[] {
    const { targetColumns } = this.links.options;
    const kinds = this.links.targets.map(({ name, ref, definition }) => {
      const column = `j.${targetColumns[name]}`;
      const seen = definition.visible?.(this.viewer, 'l', bind);
      return {
        column,
        rows: seen && `SELECT 1 FROM ${ref.table} l WHERE l.id = ${column} AND ${seen}`,
      };
    });
    if (kinds.every(({ rows }) => rows === undefined)) return [];
    const each = kinds.map(({ column, rows }) =>
      rows === undefined ? `${column} IS NOT NULL` : `EXISTS (${rows})`,
    );
    return [`(${each.join(' OR ')})`];
  }
}

/** What can stand behind the dot: an attribute that is not itself a link. */
function dottable(target: Resource, name: string, viewer: Viewer): ListAttribute | undefined {
  const attribute = target.listAttribute(name)?.listedFor(viewer);
  return attribute?.linked ? undefined : attribute;
}

/** The SQL that a row links an object which fulfils a condition. */
type Linking = (alias: string, bind: Bind, condition: (linked: string) => string) => string;

/** `organization.label`: an attribute of a linked object, for filters only. */
class DottedAttribute implements ListAttribute {
  readonly name: string;
  readonly sortable = false;
  readonly operators: readonly Operator[];

  constructor(
    link: string,
    private readonly attribute: ListAttribute,
    private readonly exists: Linking,
  ) {
    this.name = `${link}.${attribute.name}`;
    this.operators = attribute.operators;
  }

  parseFilter(text: string, operator: Operator): unknown {
    return this.attribute.parseFilter(text, operator);
  }

  /** What includes empty values also holds where nothing is linked. */
  condition(alias: string, operator: Operator, value: unknown, bind: Bind): string {
    const positive = OPPOSITE_OF[operator];
    const exists = this.exists(alias, bind, (linked) =>
      prefilteredCondition(this.attribute, [linked, positive ?? operator, value, bind]),
    );
    return positive ? `NOT ${exists}` : exists;
  }

  order(): string {
    throw new Error(`${this.name} cannot be sorted by`);
  }
}
