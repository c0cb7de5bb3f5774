import type { OperationDescription } from './api-operation.decorator.js';
import type { Route } from './route.js';

/**
 * The error statuses of a route: those that follow from its decorators, and those that its
 * description adds. 405 belongs to no operation: a path answers it to the methods that it does not have.
 */
export function errorStatuses(route: Route, description: OperationDescription): number[] {
  const { facts, isPublic, takesAnyContent, isNegotiated } = route;
  const { hasSearchEnvelope } = facts;
  const { isConditional, errors = [] } = description;
  const isWrite = route.method !== 'get';
  const rules: [status: number, holds: boolean][] = [
    [400, true],
    [401, !isPublic],
    [403, !facts.isProbe],
    [404, route.path.includes('{')],
    [406, !takesAnyContent && isNegotiated],
    [408, true],
    [409, isWrite && !isPublic && route.method !== 'delete'],
    [412, isConditional === true],
    [413, isWrite],
    [415, isWrite],
    // Writes have a limit, and all calls of some service accounts.
    [429, isWrite || !isPublic],
    [431, true],
    [500, true],
    [503, true],
  ];
  const derived = rules.filter(([, holds]) => holds).map(([status]) => status);
  return [...new Set([...derived, ...errors])]
    .filter((status) => !hasSearchEnvelope || !SENT_AS_200.has(status))
    .sort((a, b) => a - b);
}

/** Statuses that the search sends in its envelope with the status 200 (http/send-error.ts). */
const SENT_AS_200 = new Set([400, 401]);
