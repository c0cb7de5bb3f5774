import { describe, expect, it } from '@jest/globals';
import { describeReferrers } from './describe-referrers.js';

describe('describeReferrers', () => {
  it.each([
    ['users', 'manager_id', 1, '1 user refers to it (as manager)'],
    ['users', 'organization_id', 2, '2 users refer to it (as organization)'],
    ['application_categories', 'category_id', 1, '1 application refers to it (as category)'],
    ['application_categories', 'category_id', 7, '7 applications refer to it (as category)'],
    ['application_audiences', 'group_id', 2, '2 applications refer to it (as audience)'],
    ['news_audiences', 'user_id', 1, '1 news item refers to it (as audience)'],
    ['news', 'author_id', 1, '1 news item refers to it (as author)'],
    ['news', 'author_id', 3, '3 news items refer to it (as author)'],
  ])('%s, %s, %d: %s', (table, column, count, sentence) => {
    expect(describeReferrers([{ table, column, count }])).toBe(sentence);
  });

  it('separates the sentences about several tables', () => {
    const referrers = [
      { table: 'organizations', column: 'parent_id', count: 1 },
      { table: 'users', column: 'organization_id', count: 4 },
    ];
    expect(describeReferrers(referrers)).toBe(
      '1 organization refers to it (as parent); 4 users refer to it (as organization)',
    );
  });
});
