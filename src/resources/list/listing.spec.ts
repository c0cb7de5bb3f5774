import { describe, expect, it } from '@jest/globals';
import { listStatement, type ListSource } from './list-query.js';
import type { ListRequest } from './list-request.js';
import { setPagingHeaders } from './paging-headers.js';
import { parseRange } from './range.js';

const source: ListSource = {
  table: 'things t',
  joins: 'JOIN more',
  columns: ['t.id', 't.name'],
  key: 't.id',
  conditions: [(bind) => `t.owner = ${bind(7)}`],
};
const request = (more: Partial<ListRequest> = {}): ListRequest => ({
  range: { start: 0, count: 2 },
  sorter: [],
  filters: [],
  filterMode: 'and',
  responseMode: 'machine',
  exactCount: false,
  ...more,
});

describe('parseRange', () => {
  it.each([
    ['0-25', { start: 0, count: 25 }],
    ['2147483647-500', { start: 2147483647, count: 500 }],
    ['2147483648-1', undefined],
    ['0-501', undefined],
    ['0-0', undefined],
  ])('%s', (text, expected) => {
    expect(parseRange(text)).toEqual(expected);
  });
});

describe('listStatement', () => {
  it('asks for one row more than the page, and binds every value', () => {
    expect(listStatement(() => ({ ...source }), request())).toEqual({
      text: 'SELECT t.id, t.name FROM things t JOIN more WHERE t.owner = $1 ORDER BY t.id LIMIT $2 OFFSET $3',
      values: [7, 3, 0],
      prepared: true,
      searching: false,
    });
  });

  it('collects the ids of a deep page before it joins', () => {
    const { text } = listStatement(
      () => ({ ...source }),
      request({ range: { start: 5000, count: 2 } }),
    );
    expect(text).toMatch(
      /^WITH ids AS MATERIALIZED \(SELECT t\.id AS key FROM things t WHERE .* LIMIT \$2 OFFSET \$3\)/,
    );
  });
});

describe('setPagingHeaders', () => {
  const linksOf = (
    originalUrl: string,
    start: number,
    count: number,
    facts: { hasNext: boolean; total?: number },
  ) => {
    const headers: Record<string, string> = {};
    const response = { setHeader: (name: string, value: string) => (headers[name] = value) };
    setPagingHeaders(
      { originalUrl } as never,
      response as never,
      request({ range: { start, count }, exactCount: facts.total !== undefined }),
      facts,
    );
    return headers;
  };

  it.each([
    [0, 10, { hasNext: false, total: 0 }, 'first=0-10 last=0-10'],
    [0, 10, { hasNext: true, total: 25 }, 'first=0-10 next=10-10 last=20-10'],
    [5, 10, { hasNext: true, total: 25 }, 'first=0-10 prev=0-10 next=15-10 last=15-10'],
    [20, 10, { hasNext: false, total: 25 }, 'first=0-10 prev=10-10 last=20-10'],
    [0, 10, { hasNext: true }, 'first=0-10 next=10-10'],
  ])('%d-%d of %j: %s', (start, count, facts, expected) => {
    const { Link = '' } = linksOf('/x?a=1', start, count, facts);
    const shown = [...Link.matchAll(/<\/x\?a=1&range=([^<>]*)>; rel="(\w+)"/g)].map(
      ([, range, relation]) => `${relation}=${range}`,
    );
    expect(shown.join(' ')).toBe(expected);
  });

  it('never hands a token on', () => {
    expect(linksOf('/x?_AuthenticationKey=secret&b=2', 0, 1, { hasNext: true }).Link).not.toContain(
      'secret',
    );
  });
});
