import type { Row } from '../../database/database.js';
import { reason } from '../../base/errors/reason.js';
import { AS_IS, type NameRule } from '../name-rule.js';
import { type Ref, REF_BYTES } from '../ref.js';
import { uriOf } from '../uri.js';
import type { SqlViewer } from '../visibility.js';
import { Attribute, type AttributeType, type PresentContext } from './attribute.js';
import { type Comparison, type Filterable, InvalidValue } from './filterable.js';
import { parseLinkFilter } from './link-input.js';
import { LinkTargets } from './link-targets.js';
import { EQUALITY } from './operators.js';
import { TextAttribute } from './text-attribute.js';
import { type Translations, translatedText } from './translations-attribute.js';

interface RecordedLinkOptions {
  /** The resources whose objects it can name. */
  targets: string[];
  /** The property that stores the URI. */
  uri: string;
  /** The property that stores the reference as it was, and the rule by which filters compare it. */
  reference?: { property: string; identity: NameRule };
  /** The name of its schema in the API description. */
  schemaName: string;
}

/** The Ref of an object that may be deleted or nameless, or of a whole list. */
export type RecordedRef = { [name in keyof Ref]: name extends 'uri' ? string : string | null };

/** An object as a statement selects it. */
type Found = [reference: string | null, label: string, translations: Translations | null];

/** The most digits that always fit a bigint. */
const MAX_DIGITS = 18;

/** The id at the end of a URI. */
const LAST_ID = /(?<=\/)[1-9]\d*$/;

/** A text that a recorded link stores, for filters: `object.uri`. */
class RecordedText extends TextAttribute {
  constructor(
    override readonly name: string,
    private readonly stored: string,
    identity: NameRule,
  ) {
    super({ readOnly: true, identity });
  }

  override get property(): string {
    return this.stored;
  }
}

/**
 * A link stored as a URI, so that the row outlives the object. The label comes from the present object, if the viewer
 * sees it; so does a reference that the row does not store.
 */
export class RecordedLinkAttribute extends Attribute {
  override readonly type: AttributeType = 'link';
  override readonly levels = 1;
  override readonly operators = EQUALITY;

  readonly linked: LinkTargets;

  constructor(private readonly recorded: RecordedLinkOptions) {
    super({ readOnly: true });
    this.linked = new LinkTargets(recorded.targets);
  }

  override get property(): string {
    return this.recorded.uri;
  }

  /** The URI, the recorded reference, and the object. PostgreSQL reads only the table that the URI names. */
  override columns(alias: string, viewer: SqlViewer): string[] {
    const uri = this.expression(alias);
    const found = this.linked.resources.map((target) => {
      const { ref, visible, hasNames, hasTranslations } = target;
      const seen = visible(viewer, 'l') ?? 'true';
      const parts = [
        hasNames ? `l.${ref.referenceColumn}` : 'NULL',
        `l.${ref.labelColumn}`,
        hasTranslations ? 'l.translations' : 'NULL',
      ];
      const start = ref.uri.length + 2;
      const id = `CASE WHEN length(${uri}) BETWEEN ${start} AND ${start + MAX_DIGITS - 1} THEN substr(${uri}, ${start})::bigint END`;
      return (
        `WHEN '${ref.uri}/' THEN (SELECT json_build_array(${parts.join(', ')}) FROM ${ref.table} l ` +
        `WHERE l.id = ${id} AND ${seen})`
      );
    });
    return [
      uri,
      this.referenceText?.expression(alias) ?? 'NULL',
      `CASE rtrim(${uri}, '0123456789') ${found.join(' ')} END`,
    ];
  }

  override present(row: Row, at: number): RecordedRef | null {
    const uri = row[at] as string | null;
    if (uri === null) return null;
    const [reference, label] = (row[at + 2] ?? []) as Partial<Found>;
    const recorded = row[at + 1] as string | null;
    return {
      id: LAST_ID.exec(uri)?.[0] ?? null,
      uri,
      reference: recorded ?? reference ?? null,
      label: label ?? recorded,
    };
  }

  override display(row: Row, at: number, { locale }: PresentContext): unknown {
    const shown = this.present(row, at);
    const [, , translations] = (row[at + 2] ?? []) as Partial<Found>;
    const target = this.linked.resources.find(({ ref }) => shown?.uri.startsWith(`${ref.uri}/`));
    return (
      translatedText(shown?.label, target?.ref.labelColumn ?? '', translations, locale) ??
      shown?.uri ??
      null
    );
  }

  /** Only a URI names an object of one of several resources. */
  override parseFilter(text: string): string {
    const [prefix, ...others] = this.linked.resources.map(({ ref }) => ref.uri);
    if (others.length === 0) return uriOf(prefix!, parseLinkFilter(text, [prefix!]));
    if (!text.startsWith('/')) throw new InvalidValue(reason('not-a-uri', { uri: `${prefix}/1` }));
    return text;
  }

  protected override comparison(alias: string, comparison: Comparison, viewer: SqlViewer): string {
    return this.uriText.condition(alias, comparison, viewer);
  }

  override order(alias: string): string {
    return this.uriText.order(alias);
  }

  /** The stored texts, unchanged. */
  override related(name: string): Filterable | undefined {
    return { uri: this.uriText, reference: this.referenceText }[name];
  }

  private get uriText(): TextAttribute {
    return (this.uriTextOnce ??= new RecordedText(`${this.name}.uri`, this.property, AS_IS));
  }

  private uriTextOnce: TextAttribute | undefined;

  private get referenceText(): TextAttribute | undefined {
    const { reference } = this.recorded;
    return (this.referenceTextOnce ??=
      reference &&
      new RecordedText(`${this.name}.reference`, reference.property, reference.identity));
  }

  private referenceTextOnce: TextAttribute | undefined;

  override get maxBytes(): number {
    return REF_BYTES;
  }

  override schema(): Record<string, unknown> {
    const { schemaName } = this.recorded;
    return { oneOf: [{ $ref: `#/components/schemas/${schemaName}` }, { type: 'null' }] };
  }

  override displaySchema(): Record<string, unknown> {
    return { type: ['string', 'null'], description: 'the label of the object, or its URI' };
  }
}
