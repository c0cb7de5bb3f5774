import type { Request, Response } from 'express';
import type { ListPlan } from '../list/plan-list.js';
import type { Range } from '../list/range.js';

/**
 * Sets Link (RFC 8288: first, prev, next; with the exact count also last) and, for Prefer: count=exact,
 * X-Total-Count and Preference-Applied (RFC 7240). References are path-absolute, include the base path
 * and keep every other parameter as the client sent it, except a token.
 */
export function setPagingHeaders(
  request: Request,
  response: Response,
  { range, exactCount }: Pick<ListPlan, 'range' | 'exactCount'>,
  { hasNext, total }: { hasNext: boolean; total?: number | undefined },
): void {
  const { start, count } = range;
  const links: [string, Range][] = [['first', { start: 0, count }]];
  // A page before the first full one is shorter: pages do not overlap.
  if (start > 0)
    links.push(['prev', { start: Math.max(0, start - count), count: Math.min(start, count) }]);
  if (hasNext) links.push(['next', { start: start + count, count }]);
  if (exactCount && total !== undefined) {
    const last = total === 0 ? 0 : lastStart(start, count, total);
    links.push(['last', { start: last, count }]);
    response.setHeader('X-Total-Count', String(total));
    response.setHeader('Preference-Applied', 'count=exact');
  }
  response.setHeader(
    'Link',
    links.map(([relation, page]) => `<${addressOf(request, page)}>; rel="${relation}"`).join(', '),
  );
}

/** The start of the last page that is a multiple of `count` away from this one. */
function lastStart(start: number, count: number, total: number): number {
  const phase = start % count;
  return Math.max(0, Math.floor((total - 1 - phase) / count) * count + phase);
}

function addressOf(request: Request, { start, count }: Range): string {
  const [path = '', query = ''] = request.originalUrl.split(/\?(.*)/s);
  const kept = query
    .split('&')
    .filter((pair) => pair !== '' && !/^(range|_AuthenticationKey)(=|$)/.test(decodeName(pair)));
  return `${path}?${[...kept, `range=${start}-${count}`].join('&')}`;
}

function decodeName(pair: string): string {
  const name = pair.split('=')[0]!;
  return decodeURIComponent(name.replaceAll('+', ' ')) + (pair.includes('=') ? '=' : '');
}
