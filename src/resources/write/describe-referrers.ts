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

const singularOf = (plural: string): string =>
  plural === 'news' ? plural : plural.replace(/ies$/, 'y').replace(/s$/, '');

const counted = (count: number, noun: string): string =>
  count === 1 ? `1 ${noun} refers` : `${count} ${noun}s refer`;
