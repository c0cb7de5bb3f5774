import type { Rights } from '../../base/rights/rights.js';
import type { Row } from '../../database/database.js';
import { snakeCase } from '../../database/naming-strategy.js';
import { satisfies } from '../../base/validation/class-validation.js';
import { presentRef, type Ref, REF_BYTES } from '../ref.js';
import type { Resource } from '../resource.js';
import { ANONYMOUS, type SqlViewer } from '../visibility.js';
import {
  Attribute,
  type AttributeOptions,
  type AttributeType,
  type Join,
  type PresentContext,
} from './attribute.js';
import { compare } from './comparisons.js';
import type { Comparison, Filterable } from './filterable.js';
import { linkIdIn, linkSchema, validateLink } from './link-input.js';
import { LinkTargets, LOOKED_UP } from './link-targets.js';
import { EQUALITY, OPPOSITE_OF, VALUELESS_OPERATORS } from './operators.js';
import { RelatedAttribute, relatedAttribute } from './related-attribute.js';
import { translatedText } from './translations-attribute.js';

export interface LinkOptions extends AttributeOptions {
  /** Whether the rights show the Ref of every linked object, even of a hidden one. */
  shownTo?: (rights: Rights) => boolean;
}

/** The attributes that a Ref shows: a viewer who sees the Ref may filter by these. */
const IN_REF: ReadonlySet<string> = new Set(['id', 'uri', 'reference', 'label']);

/**
 * A link to one object of another resource, shown as its Ref. A missing link is null, and so is a link to an object
 * that the caller may not see. Filters, counts and order use only the data of a linked object that the viewer sees
 * (docs/decisions/0018). Viewers who see everything need no additional condition.
 */
export class LinkAttribute extends Attribute {
  override readonly type: AttributeType = 'link';
  /** `/organization/id` */
  override readonly levels = 1;
  override readonly operators = EQUALITY;
  override readonly isLink = true;

  readonly linked: LinkTargets;

  constructor(
    targetName: string,
    override readonly options: LinkOptions = {},
  ) {
    super(options);
    this.linked = new LinkTargets([targetName]);
  }

  get target(): Resource {
    return this.linked.resources[0]!;
  }

  override get property(): string {
    return `${this.name}Id`;
  }

  /** The condition under which a viewer is shown the link to an object; undefined when every viewer is. */
  seenBy(viewer: SqlViewer, alias: string): string | undefined {
    if (this.options.shownTo?.(viewer.rights)) return undefined;
    return this.target.visible(viewer, alias);
  }

  override get isNeverNull(): boolean {
    return super.isNeverNull && this.seenBy(ANONYMOUS, this.alias) === undefined;
  }

  override columns(): string[] {
    const { hasTranslations, ref } = this.target;
    const own = ['id', ref.referenceColumn, ref.labelColumn];
    const columns = hasTranslations ? [...own, 'translations'] : own;
    return columns.map((column) => `${this.alias}.${column}`);
  }

  override join(viewer: SqlViewer): Join {
    const condition = this.seenBy(viewer, this.alias);
    return { relation: this.name, alias: this.alias, condition };
  }

  override present(row: Row, at: number): Ref | null {
    const id = row[at];
    return id === null || id === undefined
      ? null
      : presentRef(this.target.ref, id, row[at + 1], row[at + 2]);
  }

  override display(row: Row, at: number, { locale }: PresentContext): unknown {
    const label = row[at + 2] ?? null;
    const { hasTranslations, ref } = this.target;
    return hasTranslations ? translatedText(label, ref.labelColumn, row[at + 3], locale) : label;
  }

  override parseFilter(text: string): string {
    return this.linked.parseFilter(text);
  }

  override variantOf(texts: string[]): string | undefined {
    return this.linked.variantOf(texts);
  }

  /** A link to an object hidden from the viewer counts as empty, although it is required. */
  override condition(alias: string, comparison: Comparison, viewer: SqlViewer): string {
    return this.comparison(alias, comparison, viewer);
  }

  protected override comparison(
    alias: string,
    { operator, value, variant }: Comparison,
    viewer: SqlViewer,
  ): string {
    const column = `${alias}.${this.column}`;
    if (operator === 'in' || variant === LOOKED_UP) {
      const ids = variant === LOOKED_UP ? this.linked.idsOf(value, operator) : `${value}::bigint[]`;
      const visible = this.visibleId(`ANY (${ids})`, viewer);
      const among = compare(column, 'in', visible === undefined ? ids : `ARRAY${visible}`);
      return operator === 'neq' ? `(${among}) IS NOT TRUE` : among;
    }
    const wanted = VALUELESS_OPERATORS.includes(operator) ? column : `${value}::bigint`;
    const same = compare(column, operator, wanted);
    // PostgreSQL runs this subquery once for a given id, not for every row.
    const visible = this.visibleId(wanted, viewer);
    if (visible === undefined) return this.constantFor(operator) ?? same;
    return OPPOSITE_OF[operator]
      ? `(${same} OR NOT EXISTS ${visible})`
      : `(${same} AND EXISTS ${visible})`;
  }

  override order(alias: string, viewer: SqlViewer): string {
    const column = `${alias}.${this.column}`;
    return this.visibleId(column, viewer) ?? column;
  }

  override related(name: string): Filterable | undefined {
    const { target } = this;
    const attribute = relatedAttribute(target, name);
    if (!attribute) return undefined;
    const { table } = target.ref;
    type Condition = (linked: string) => string;
    const seenAnd = (viewer: SqlViewer, condition: Condition): string => {
      const seen = IN_REF.has(name) ? this.seenBy(viewer, 'l') : target.visible(viewer, 'l');
      return `${seen ?? 'true'} AND ${condition('l')}`;
    };
    const linking = (alias: string, viewer: SqlViewer, condition: Condition): string =>
      `EXISTS (SELECT 1 FROM ${table} l WHERE l.id = ${alias}.${this.column} AND ${seenAnd(viewer, condition)})`;
    return new RelatedAttribute(this.name, attribute, linking, {
      isLinked: (alias) => `(${alias}.${this.column} IS NOT NULL)`,
      linksTo: (alias, viewer, others, condition) => {
        const wanted = `(${seenAnd(viewer, condition)})${others ? ' IS NOT TRUE' : ''}`;
        return `${alias}.${this.column} = ANY (ARRAY(SELECT l.id FROM ${table} l WHERE ${wanted}))`;
      },
    });
  }

  /** A query of the linked id (or of those that equal `ANY` of some), empty for an object hidden from the viewer; undefined when none is hidden. */
  private visibleId(id: string, viewer: SqlViewer): string | undefined {
    const seen = this.seenBy(viewer, 'l');
    return seen && `(SELECT l.id FROM ${this.target.ref.table} l WHERE l.id = ${id} AND ${seen})`;
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

  override displaySchema(): Record<string, unknown> {
    return { type: ['string', 'null'], description: 'the label of the linked object' };
  }

  override inputSchema(): Record<string, unknown> {
    return linkSchema(this.linked.names, { isOptional: true });
  }

  private get alias(): string {
    return `${snakeCase(this.name)}_link`;
  }
}
