import type { Referrer } from '../../database/referrers.js';

/**
 * The sentences of a 409 for a row that other rows refer to: `1 user refers to it (as manager)`,
 * `7 application categories refer to it (as category)`.
 */
export const describeReferrers = (referrers: Referrer[]): string =>
  referrers
    .map(({ table, column, count }) => {
      const role = column.replace(/_id$/, '').replaceAll('_', ' ');
      return `${counted(count, table.replaceAll('_', ' '))} to it (as ${role})`;
    })
    .join('; ');

function counted(count: number, table: string): string {
  const plural = table === 'news' ? 'news items' : table;
  if (count !== 1) return `${count} ${plural} refer`;
  return `1 ${plural.replace(/ies$/, 'y').replace(/s$/, '')} refers`;
}
