import type { Resource } from '../resource.js';
import type { SqlViewer } from '../visibility.js';
import type { Attribute } from './attribute.js';
import { type Comparison, type Filterable, withNgrams } from './filterable.js';
import { type Operator, OPPOSITE_OF } from './operators.js';

/** The SQL condition that a row links to an object which the viewer sees and which fulfils a condition. */
type Linking = (alias: string, viewer: SqlViewer, condition: (linked: string) => string) => string;

/** How a row links at most one object. */
interface SingleLink {
  /** The condition that a row has a link. */
  isLinked: (alias: string) => string;

  /** The condition that a row links a visible object which fulfils a condition, or one which does not. */
  linksTo: (
    alias: string,
    viewer: SqlViewer,
    others: boolean,
    condition: (linked: string) => string,
  ) => string;
}

/** The attribute after the dot; undefined for links, because filters follow only one link. */
export function relatedAttribute(target: Resource, name: string): Attribute | undefined {
  const attribute = target.listAttribute(name);
  return attribute?.isLink ? undefined : attribute;
}

/** `organization.label`: an attribute of a linked object, for filters only. */
export class RelatedAttribute implements Filterable {
  readonly isOfLinked = true;
  readonly name: string;
  readonly operators: readonly Operator[];

  constructor(
    link: string,
    private readonly attribute: Attribute,
    private readonly linking: Linking,
    /** The links of a row, where each row has at most one. */
    private readonly single?: SingleLink,
  ) {
    this.name = `${link}.${attribute.name}`;
    this.operators = attribute.operators;
  }

  parseFilter(text: string, operator: Operator): unknown {
    return this.attribute.parseFilter(text, operator);
  }

  variantOf(texts: string[]): string | undefined {
    return this.attribute.variantOf?.(texts);
  }

  /** A negated condition also matches rows that link nothing. */
  condition(alias: string, comparison: Comparison, viewer: SqlViewer): string {
    const positive = OPPOSITE_OF[comparison.operator];
    const asked = positive ? { ...comparison, operator: positive } : comparison;
    const exists = this.linking(alias, viewer, (linked) =>
      comparison.each
        ? // OFFSET keeps PostgreSQL from finding all linked objects first.
          `${this.attribute.condition(linked, asked, viewer)} OFFSET 0`
        : withNgrams(this.attribute, [linked, asked, viewer]),
    );
    if (positive) return `NOT ${exists}`;
    // The explicit IS NOT NULL gives PostgreSQL its statistics of how many rows have a link.
    return this.single ? `(${this.single.isLinked(alias)} AND ${exists})` : exists;
  }

  /** Finds the linked objects first, and then the rows by the index of the link. */
  ownIndexCondition(alias: string, comparison: Comparison, viewer: SqlViewer): string | undefined {
    if (!this.single) return undefined;
    const { isLinked, linksTo } = this.single;
    const positive = OPPOSITE_OF[comparison.operator];
    const asked = positive ? { ...comparison, operator: positive } : comparison;
    const linked = linksTo(
      alias,
      viewer,
      positive !== undefined,
      (linked) =>
        this.attribute.ownIndexCondition?.(linked, asked, viewer) ??
        withNgrams(this.attribute, [linked, asked, viewer]),
    );
    return positive ? `(NOT ${isLinked(alias)} OR ${linked})` : linked;
  }
}
