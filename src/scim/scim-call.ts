import type { Request } from 'express';
import { queryOf } from '../http/query-string.js';
import { auditContextOf } from '../security/audit-context.js';
import type { AuditContext } from '../security/audit.service.js';
import { type Caller, requireCaller } from '../security/caller.js';
import type { Kind, Represented, Shown } from './objects.js';
import { withoutUrn } from './schemas.js';

/** One call of a provider, also as an operation of a bulk. */
export interface ScimCall {
  method: string;
  kind: Kind;
  id?: string | undefined;
  body?: unknown;
  shown: Shown;
  ifMatch?: string | undefined;
  ifNoneMatch?: string | undefined;
  caller: Caller;
  auditContext: AuditContext;
}

/** The answer to it. */
export interface ScimAnswer extends Partial<Represented> {
  status: number;
}

const LIST_NAMES = ['filter', 'sortBy', 'sortOrder', 'startIndex', 'count'] as const;

/** A query of a list, from parameters or from the body of a search. */
export type ListQuery = Partial<Record<(typeof LIST_NAMES)[number], string>>;

export const listQuery = (read: (name: string) => string | undefined): ListQuery =>
  Object.fromEntries(LIST_NAMES.map((name) => [name, read(name)]));

/** The first value of a query parameter, whose name is in any case. */
export function parameterOf(request: Request, name: string): string | undefined {
  for (const [key, values] of queryOf(request))
    if (key.toLowerCase() === name.toLowerCase()) return values[0];
  return undefined;
}

/** The context of a request: who calls, and in which form they want the answer. */
export function contextOf(
  request: Request,
  base: string,
): Pick<ScimCall, 'caller' | 'auditContext' | 'shown' | 'ifMatch' | 'ifNoneMatch'> {
  const { headers } = request;
  return {
    caller: requireCaller(request),
    auditContext: auditContextOf(request),
    shown: {
      base,
      attributes: namesIn(parameterOf(request, 'attributes')),
      excluded: namesIn(parameterOf(request, 'excludedAttributes')),
    },
    ifMatch: headers['if-match'],
    ifNoneMatch: headers['if-none-match'],
  };
}

/** The names of attributes, from a parameter or the list of a search. */
export function namesIn(given: unknown): string[] {
  const names: unknown[] = Array.isArray(given)
    ? given
    : typeof given === 'string'
      ? given.split(',')
      : [];
  return names
    .filter((name): name is string => typeof name === 'string' && name.trim() !== '')
    .map((name) => withoutUrn(name.trim()));
}
