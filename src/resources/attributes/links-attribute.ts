import type { Row } from '../../database/database.js';
import { satisfies } from '../../base/validation/class-validation.js';
import { presentRef, type Ref, REF_BYTES } from '../ref.js';
import type { Resource } from '../resource.js';
import type { SqlViewer } from '../visibility.js';
import {
  Attribute,
  type AttributeOptions,
  type AttributeType,
  type PresentContext,
} from './attribute.js';
import { compare, typed } from './comparisons.js';
import type { Comparison, Filterable } from './filterable.js';
import { linkIdIn, linkSchema, namesKind, validateLinks } from './link-input.js';
import { LinkTargets, LOOKED_UP } from './link-targets.js';
import { EQUALITY, type Operator, OPPOSITE_OF, VALUELESS_OPERATORS } from './operators.js';
import { RelatedAttribute, relatedAttribute } from './related-attribute.js';
import { type Translations, translatedText } from './translations-attribute.js';
import { folded } from './folded-text.js';
import { reason } from '../../base/errors/reason.js';

/** The usual maximum of links of an object; administrators could add more. */
const USUAL_LINKS = 30;

/** The table that joins a resource and its linked objects. */
export interface JoiningTable {
  table: string;
  /** The column of the owner's id. */
  ownerColumn: string;
  /** The column of the linked object's id, by target. */
  targetColumns: Record<string, string>;
  /** The column that holds the linked id for every target. */
  idColumn: string;
}

export interface LinksOptions extends AttributeOptions, JoiningTable {
  /** The resources that can be linked; more than one if their ids never collide (principals). */
  targets: string[];
  /** Most links of an object; unlimited by default. */
  max?: number;
}

/** A link as a statement selects it. */
type SelectedLink = [
  uri: string,
  id: string,
  reference: string,
  label: string,
  translations: Translations | null,
];

/**
 * Links to several objects, shown as Refs in the order of their labels. Filters and counts use only the links
 * that the viewer is shown (docs/decisions/0018).
 */
export class LinksAttribute extends Attribute {
  override readonly type: AttributeType = 'links';
  /** `/audience/0/id` */
  override readonly levels = 2;
  override readonly operators = EQUALITY;
  override readonly isLink = true;

  readonly linked: LinkTargets;

  constructor(override readonly options: LinksOptions) {
    super(options);
    this.linked = new LinkTargets(options.targets);
  }

  override get sortable(): boolean {
    return false;
  }

  get targets(): Resource[] {
    return this.linked.resources;
  }

  /** The links in an array of a body, without its invalid items; a plain id does not tell its target. */
  idsIn(value: unknown): { id: string; target: string | undefined }[] {
    const { targets } = this;
    const prefixes = targets.map(({ ref }) => ref.uri);
    const links = (value as unknown[]).flatMap((item) => {
      const id = linkIdIn(item, prefixes);
      if (id === undefined) return [];
      const matching = targets.filter(({ ref }) => namesKind(item, ref.uri));
      const [only] = targets.length === 1 ? targets : matching;
      return [{ id, target: only?.name }];
    });
    return [...new Map(links.map((link) => [link.id, link])).values()];
  }

  /**
   * One JSON array of [uri prefix, id, reference, label, translations], so that the number of queries is fixed. It
   * omits objects that the caller may not see.
   */
  override columns(alias: string, viewer: SqlViewer): string[] {
    const { table, ownerColumn, targetColumns } = this.options;
    const parts = this.targets.map(({ ref, name, visible, hasTranslations }) => {
      const seen = visible(viewer, 'l') ?? 'true';
      return (
        `SELECT '${ref.uri}' AS uri, l.id, l.${ref.referenceColumn} AS reference, l.${ref.labelColumn} AS label, ${hasTranslations ? 'l.translations' : 'NULL::jsonb'} AS translations FROM ${table} j ` +
        `JOIN ${ref.table} l ON l.id = j.${targetColumns[name]} WHERE j.${ownerColumn} = ${alias}.id AND ${seen}`
      );
    });
    return [
      `(SELECT json_agg(json_build_array(r.uri, r.id::text, r.reference, r.label, r.translations) ORDER BY ${folded('r.label')}, r.id) FROM (${parts.join(' UNION ALL ')}) r)`,
    ];
  }

  override present(row: Row, at: number): Ref[] {
    const links = (row[at] ?? []) as SelectedLink[];
    return links.map(([uri, id, reference, label]) => presentRef({ uri }, id, reference, label));
  }

  override display(row: Row, at: number, { locale }: PresentContext): unknown {
    const links = (row[at] ?? []) as SelectedLink[];
    return links.map(([uri, , , label, translations]) => {
      const { ref } = this.targets.find((target) => target.ref.uri === uri)!;
      return translatedText(label, ref.labelColumn, translations, locale);
    });
  }

  override parseFilter(text: string): string {
    return this.linked.parseFilter(text);
  }

  override variantOf(texts: string[]): string | undefined {
    return this.linked.variantOf(texts);
  }

  protected override comparison(alias: string, comparison: Comparison, viewer: SqlViewer): string {
    const { table, ownerColumn } = this.options;
    const conditions = [
      `j.${ownerColumn} = ${alias}.id`,
      ...this.conditionsOfLinks('j', comparison, viewer),
    ];
    // OFFSET keeps PostgreSQL from reading all links for a few rows, whose number it overestimates.
    const end = comparison.each ? ' OFFSET 0' : '';
    const exists = `EXISTS (SELECT 1 FROM ${table} j WHERE ${conditions.join(' AND ')}${end})`;
    return OPPOSITE_OF[comparison.operator] ? `NOT ${exists}` : exists;
  }

  /** The conditions of the rows of the joining table that fulfil a filter, or the opposite of a negated one. */
  private conditionsOfLinks(
    alias: string,
    { operator, value, variant }: Comparison,
    viewer: SqlViewer,
  ): string[] {
    const visible = this.visibleLinks(alias, viewer);
    if (VALUELESS_OPERATORS.includes(operator)) return visible;
    const [asked, wanted]: [Operator, string] =
      variant === LOOKED_UP
        ? ['in', this.linked.idsOf(value, operator)]
        : [OPPOSITE_OF[operator] ?? operator, typed(value, 'bigint', operator)];
    return [compare(`${alias}.${this.options.idColumn}`, asked, wanted), ...visible];
  }

  override related(name: string): Filterable | undefined {
    const [target, ...others] = this.targets;
    const attribute = target && others.length === 0 && relatedAttribute(target, name);
    if (!attribute) return undefined;
    const { table, ownerColumn, targetColumns } = this.options;
    return new RelatedAttribute(this.name, attribute, (alias, viewer, condition) => {
      const seen = target.visible(viewer, 'l') ?? 'true';
      return (
        `EXISTS (SELECT 1 FROM ${table} j JOIN ${target.ref.table} l ON l.id = j.${targetColumns[target.name]} ` +
        `WHERE j.${ownerColumn} = ${alias}.id AND ${seen} AND ${condition('l')})`
      );
    });
  }

  /** The conditions that hide rows of the joining table; none when the viewer may see every target. */
  private visibleLinks(alias: string, viewer: SqlViewer): string[] {
    const { targetColumns } = this.options;
    const kinds = this.targets.map(({ name, ref, visible }) => {
      const column = `${alias}.${targetColumns[name]}`;
      const seen = visible(viewer, 'l');
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

  override get maxBytes(): number {
    return USUAL_LINKS * REF_BYTES;
  }

  override rules(): PropertyDecorator[] {
    const { max = Infinity } = this.options;
    return [
      satisfies((value) =>
        Array.isArray(value) && value.length > max
          ? reason('too-many-items', { max, noun: 'links' })
          : validateLinks(this.targets.map(({ ref }) => ref.uri))(value),
      ),
    ];
  }

  override schema(): Record<string, unknown> {
    return { type: 'array', items: { $ref: '#/components/schemas/Ref' } };
  }

  override displaySchema(): Record<string, unknown> {
    const items = { type: 'string' };
    return { type: 'array', items, description: 'the labels of the linked objects' };
  }

  override inputSchema(): Record<string, unknown> {
    const items = linkSchema(this.linked.names);
    const { max } = this.options;
    return { type: ['array', 'null'], items, ...(max !== undefined && { maxItems: max }) };
  }
}
