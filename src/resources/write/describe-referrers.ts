import type { Reference } from '../../base/errors/api-errors.js';
import type { Referrer } from '../../database/referrers.js';

/** A table of links: its rows stand for the objects that hold the links. */
const LINKS = /^(\w+)_(categories|audiences|applications)$/;

/**
 * The sentences of a 409 for a row that other rows refer to: `1 user refers to it (as manager)`,
 * `7 applications refer to it (as category)`.
 */
export const describeReferrers = (referrers: Referrer[]): string =>
  referrers
    .map(({ table, column, count }) => {
      const [, owner, links] = LINKS.exec(table) ?? [];
      const noun = (owner ?? singularOf(table)).replace(/^news$/, 'news item');
      const role = links ? singularOf(links) : column.replace(/_id$/, '');
      return `${counted(count, noun.replaceAll('_', ' '))} to it (as ${role.replaceAll('_', ' ')})`;
    })
    .join('; ');

/** What refers to an object, as a 409 names it (docs/api-contract.md#errors-and-statuses). */
export const referenceOf = ({ table, column, count }: Referrer): Reference => {
  const [, owner, links] = LINKS.exec(table) ?? [];
  const attribute = links?.replace(/^audiences$/, 'audience') ?? column.replace(/_id$/, '');
  return {
    resource: camelCase(owner === undefined ? table : pluralOf(owner)),
    attribute: camelCase(attribute),
    count,
  };
};

const camelCase = (name: string): string =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const pluralOf = (singular: string): string =>
  singular === 'news' ? singular : `${singular.replace(/y$/, 'ie')}s`;

const singularOf = (plural: string): string =>
  plural === 'news' ? plural : plural.replace(/ies$/, 'y').replace(/s$/, '');

const counted = (count: number, noun: string): string =>
  count === 1 ? `1 ${noun} refers` : `${count} ${noun}s refer`;
