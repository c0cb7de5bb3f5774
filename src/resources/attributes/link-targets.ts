import { reason } from '../../base/errors/reason.js';
import { isNamed, nameIn } from '../names.js';
import type { Resource } from '../resource.js';
import { isId } from '../uri.js';
import { InvalidValue } from './filterable.js';
import { linkIdIn, urisLike } from './link-input.js';
import type { Operator } from './operators.js';

/** The variant of a filter of a link whose values the database looks up: names, and URIs where links have several kinds. */
export const LOOKED_UP = 'looked-up';

/** The beginning of placeholders for the caller in filters. An object whose name begins so is named by its URI. */
const PLACEHOLDER = '@';

/**
 * The resources that a link can point to. A description names them, because the files of resources that
 * link each other cannot import each other; `connectLinks` finds them by these names.
 */
export class LinkTargets {
  private connected: Resource[] | undefined;

  constructor(readonly names: readonly string[]) {}

  /** @throws Error before `connectLinks` */
  get resources(): Resource[] {
    if (!this.connected)
      throw new Error(`the links to ${this.names.join(', ')} are not connected yet`);
    return this.connected;
  }

  connect(targets: Resource[]): void {
    this.connected = targets;
  }

  /**
   * Reads a value of a filter: an id, a URI or a name (docs/api-contract.md#filters).
   * @returns the id that it is, or names where all links have one kind; otherwise the text itself
   * @throws InvalidValue
   */
  parseFilter(text: string): string {
    const uris = this.resources.map(({ ref }) => ref.uri);
    const id = linkIdIn(text, uris);
    if (id !== undefined) return uris.length === 1 ? id : text;
    if (nameIn(text) && !text.startsWith(PLACEHOLDER)) return text;
    throw new InvalidValue(reason('not-a-link-or-name', { uris: urisLike(uris) }));
  }

  /** The variant of a filter with these values. */
  variantOf(texts: string[]): string | undefined {
    return texts.every((text) => isId(this.parseFilter(text))) ? undefined : LOOKED_UP;
  }

  /** SQL of an array of the ids for the values of a filter with that variant, without unknown names. */
  idsOf(value: string, operator: Operator): string {
    const texts = operator === 'in' ? `${value}::text[]` : `ARRAY[${value}::text]`;
    const those = (what: string, pattern: string): string =>
      `SELECT ${what} FROM unnest(${texts}) AS v WHERE v ${pattern}`;
    const ways = this.resources.flatMap((target) => {
      const { uri, table } = target.ref;
      const ids = those(`substr(v, ${uri.length + 2})::bigint`, `LIKE '${uri}/%'`);
      const names = `ARRAY(${those('v', `!~ '^\\d+$'`)})`;
      return [
        `SELECT l.id FROM ${table} l WHERE l.id = ANY (ARRAY(${ids}))`,
        `SELECT l.id FROM ${table} l WHERE ${isNamed(target, 'l', names, 'in')}`,
      ];
    });
    return `ARRAY(${[those('v::bigint', `~ '^\\d+$'`), ...ways].join(' UNION ALL ')})`;
  }
}
