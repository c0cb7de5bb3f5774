import type { Row } from '../../database/database.js';
import { snakeCase } from '../../database/naming-strategy.js';
import type { Bind } from '../../database/bindings.js';
import { InvalidValue, type ListAttribute } from '../list/list-attribute.js';
import type { Operator } from '../list/operators.js';
import { satisfies } from '../../http/validate-body.js';
import type { Viewer } from '../../security/caller.js';
import {
  Attribute,
  type AttributeOptions,
  type AttributeType,
  type SelectContext,
} from './attribute.js';
import { type JoiningTable, ListedLink, ListedLinks } from '../list/listed-links.js';
import { presentRef, type Ref } from '../ref.js';
import { type Resource, resourceNamed } from '../resource.js';
import { folded } from './text-attribute.js';
import { idIn } from '../uri.js';

const LINK_INPUT = 'a URI, an id, or an object of which uri or id is read';

/** What a body may give as a link: a URI, an id, or an object of which `uri` or `id` is read. */
export function linkIdIn(value: unknown, prefixes: string[]): string | undefined {
  if (typeof value === 'string') return first(prefixes, (prefix) => idIn(value, prefix));
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, uri } = value as { id?: unknown; uri?: unknown };
  const given = [id, uri].filter((part) => part !== undefined && part !== null);
  const ids = given.map((part) =>
    typeof part === 'string' ? first(prefixes, (prefix) => idIn(part, prefix)) : undefined,
  );
  // An id and a uri that disagree name two objects.
  return ids.length > 0 && ids.every((found) => found === ids[0]) ? ids[0] : undefined;
}

/** Whether a link is given by a URI of this kind. */
function namesKind(value: unknown, prefix: string): boolean {
  const uri =
    typeof value === 'object' && value !== null ? (value as { uri?: unknown }).uri : value;
  return typeof uri === 'string' && uri.startsWith(`${prefix}/`);
}

function first<T, R>(items: T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Room for a Ref: its URI, its reference and its label. */
const REF_BYTES = 1_000;

/** As many links as people give an object; administrators could give it more. */
const USUAL_LINKS = 30;

export interface LinkOptions extends AttributeOptions {
  /** The viewers who see the Ref of every linked object, even of one that is hidden from them. */
  toldTo?: (viewer: Viewer) => boolean;
}

/**
 * A link to one object of another resource, shown as its Ref; a link to nothing is null, and so is one
 * to what the caller may not see.
 */
export class LinkAttribute extends Attribute {
  override readonly type: AttributeType = 'link';

  constructor(
    private readonly targetName: string,
    override readonly options: LinkOptions = {},
  ) {
    super(options);
  }

  get target(): Resource {
    return resourceNamed(this.targetName);
  }

  override get property(): string {
    return `${this.name}Id`;
  }

  override get sortable(): boolean {
    return true;
  }

  /** The condition under which somebody is shown the link to an object; undefined where everybody is. */
  seenBy(viewer: Viewer, alias: string, bind: Bind): string | undefined {
    if (this.options.toldTo?.(viewer)) return undefined;
    return this.target.definition.visible?.(viewer, alias, bind);
  }

  override columns(): string[] {
    const { referenceColumn, labelColumn } = this.target.ref;
    return ['id', referenceColumn, labelColumn].map((column) => `${this.alias}.${column}`);
  }

  override join(alias: string, { caller, bind }: SelectContext): string {
    const seen = this.seenBy(caller, this.alias, bind) ?? 'true';
    return `LEFT JOIN ${this.target.ref.table} ${this.alias} ON ${this.alias}.id = ${alias}.${this.column} AND ${seen}`;
  }

  override present(row: Row, at: number): Ref | null {
    const id = row[at];
    return id === null || id === undefined
      ? null
      : presentRef(this.target.ref, id, row[at + 1], row[at + 2]);
  }

  override display(row: Row, at: number): unknown {
    return row[at + 2] ?? null;
  }

  override parseFilter(text: string): unknown {
    return parseLink(text, this.target.ref.uri);
  }

  override listedFor(viewer: Viewer): ListAttribute {
    return new ListedLink(this, viewer);
  }

  override condition(): string {
    throw forNobody(this.name);
  }

  override order(): string {
    throw forNobody(this.name);
  }

  override get maxBytes(): number {
    return REF_BYTES;
  }

  override rules(): PropertyDecorator[] {
    return [satisfies(validateLink([this.target.ref.uri]))];
  }

  override toStored(value: unknown): unknown {
    return linkIdIn(value, [this.target.ref.uri]);
  }

  override schema(): Record<string, unknown> {
    return { oneOf: [{ $ref: '#/components/schemas/Ref' }, { type: 'null' }] };
  }

  override inputSchema(): Record<string, unknown> {
    return { type: ['string', 'object', 'null'], description: LINK_INPUT };
  }

  private get alias(): string {
    return `${snakeCase(this.name)}_link`;
  }
}

export interface LinksOptions extends AttributeOptions, JoiningTable {
  /** The resources that can be linked; more than one where an id tells the kind (principals). */
  targets: string[];
}

/** Links to several objects, shown as Refs in the order of their labels. */
export class LinksAttribute extends Attribute {
  override readonly type: AttributeType = 'links';

  constructor(override readonly options: LinksOptions) {
    super(options);
  }

  override get operators(): readonly Operator[] {
    return ['eq', 'neq', 'isempty', 'isnotempty'];
  }

  override get sortable(): boolean {
    return false;
  }

  get targets(): Resource[] {
    return this.options.targets.map(resourceNamed);
  }

  /** The links in a checked value of a body; a plain id does not tell its kind. */
  idsIn(value: unknown): { id: string; target: string | undefined }[] {
    const { targets } = this;
    const prefixes = targets.map(({ ref }) => ref.uri);
    const links = (value as unknown[]).map((item) => {
      const id = linkIdIn(item, prefixes)!;
      const matching = targets.filter(({ ref }) => namesKind(item, ref.uri));
      const [only] = targets.length === 1 ? targets : matching;
      return { id, target: only?.name };
    });
    return [...new Map(links.map((link) => [link.id, link])).values()];
  }

  /**
   * One JSON array of [uri prefix, id, reference, label], so that the number of queries is fixed.
   * What the caller may not see is no link either.
   */
  override columns(alias: string, { caller, bind }: SelectContext): string[] {
    const { table, ownerColumn, targetColumns } = this.options;
    const parts = this.targets.map(({ ref, name, definition }) => {
      const seen = definition.visible?.(caller, 'l', bind) ?? 'true';
      return (
        `SELECT '${ref.uri}' AS uri, l.id, l.${ref.referenceColumn} AS reference, l.${ref.labelColumn} AS label FROM ${table} j ` +
        `JOIN ${ref.table} l ON l.id = j.${targetColumns[name]} WHERE j.${ownerColumn} = ${alias}.id AND ${seen}`
      );
    });
    return [
      `(SELECT json_agg(json_build_array(r.uri, r.id::text, r.reference, r.label) ORDER BY ${folded('r.label')}, r.id) FROM (${parts.join(' UNION ALL ')}) r)`,
    ];
  }

  override present(row: Row, at: number): Ref[] {
    const links = (row[at] ?? []) as [uri: string, id: string, reference: string, label: string][];
    return links.map(([uri, id, reference, label]) => presentRef({ uri }, id, reference, label));
  }

  override display(row: Row, at: number): unknown {
    return this.present(row, at)
      .map(({ label }) => label)
      .join(', ');
  }

  override parseFilter(text: string): unknown {
    const prefixes = this.targets.map(({ ref }) => ref.uri);
    const found = first(prefixes, (prefix) => idIn(text, prefix));
    if (found === undefined) throw new InvalidValue(linkRule(prefixes));
    return { id: found, uri: prefixes.find((prefix) => text.startsWith(`${prefix}/`)) };
  }

  override listedFor(viewer: Viewer): ListAttribute {
    return new ListedLinks(this, viewer);
  }

  override condition(): string {
    throw forNobody(this.name);
  }

  override get maxBytes(): number {
    return USUAL_LINKS * REF_BYTES;
  }

  override rules(): PropertyDecorator[] {
    const fault = validateLink(this.targets.map(({ ref }) => ref.uri));
    return [
      satisfies((value) => {
        if (!Array.isArray(value)) return 'must be an array of links';
        return value.map(fault).find((message) => message !== undefined);
      }),
    ];
  }

  override schema(): Record<string, unknown> {
    return { type: 'array', items: { $ref: '#/components/schemas/Ref' } };
  }

  override inputSchema(): Record<string, unknown> {
    const items = { type: ['string', 'object'], description: LINK_INPUT };
    return { type: ['array', 'null'], items };
  }
}

/** Only a viewer's lists can use a link, so that none forgets to ask what the viewer may see. */
const forNobody = (name: string): Error => new Error(`${name} is listed for a viewer only`);

function parseLink(text: string, prefix: string): string {
  const id = idIn(text, prefix);
  if (id === undefined) throw new InvalidValue(linkRule([prefix]));
  return id;
}

const linkRule = (prefixes: string[]): string =>
  `expected an id or a URI such as ${prefixes.map((prefix) => `${prefix}/1`).join(' or ')}`;

const validateLink =
  (prefixes: string[]) =>
  (value: unknown): string | undefined =>
    linkIdIn(value, prefixes) === undefined ? `must be a link: ${linkRule(prefixes)}` : undefined;
