import type { Transaction } from '../../database/database.js';

/** A rule by which one person stands in for another, or would. */
export interface StandIn {
  user: string;
  substitute: string;
  /** Null for all applications. */
  application: string | null;
  /** In milliseconds, the first one inclusive. */
  start: number;
  end: number;
  reference: string;
}

/**
 * The other rules of all direct and indirect substitutes while the new rule holds. Each person appears once, however
 * many paths lead there.
 */
const CHAINED = `WITH RECURSIVE people AS (
    SELECT $1::bigint AS id
    UNION
    SELECT a.substitute_id FROM people p JOIN absences a ON a.user_id = p.id
      AND a.id IS DISTINCT FROM $2::bigint AND a.start_date < $4 AND a.end_date > $3
  )
  SELECT a.user_id::text AS "user", a.substitute_id::text AS substitute, a.application_id::text AS application,
    (extract(epoch FROM a.start_date) * 1000)::float8 AS start, (extract(epoch FROM a.end_date) * 1000)::float8 AS "end", a.reference
  FROM people p JOIN absences a ON a.user_id = p.id
    AND a.id IS DISTINCT FROM $2::bigint AND a.start_date < $4 AND a.end_date > $3`;

/**
 * Reads what could close a circle with a new rule.
 * @param id of the rule itself; undefined for a new one
 */
export const chainedRules = (
  transaction: Transaction,
  { substitute, start, end }: { substitute: string; start: string; end: string },
  id: string | undefined,
): Promise<StandIn[]> =>
  transaction.query<StandIn>({
    text: CHAINED,
    values: [substitute, id ?? null, start, end],
  });

/**
 * Finds a circle: a chain of substitutes, for the same tasks at the same time, that leads back to the absent person. It
 * checks the moments at which rules begin or end and follows each person once per application, so the cost is nearly
 * linear in the number of rules.
 * @returns the reference of the last rule of the circle
 */
export function closingRule(
  rule: Omit<StandIn, 'reference'>,
  others: StandIn[],
): string | undefined {
  // A circle needs a rule that leads back.
  if (!others.some(({ substitute }) => substitute === rule.user)) return undefined;
  const scopes = new Set([null, ...others.map(({ application }) => application)]);
  const changes = others
    .flatMap((other) => [
      { at: Math.max(other.start, rule.start), other, begins: true },
      { at: other.end, other, begins: false },
    ])
    // Rules that end at a moment do not overlap those that begin then.
    .sort((a, b) => a.at - b.at || Number(a.begins) - Number(b.begins));
  const active: Active = new Map();
  for (const { other, begins } of changes) {
    const rules = active.get(other.user) ?? (new Map() as Rules);
    active.set(other.user, rules);
    if (!begins) {
      rules.delete(other.application);
      continue;
    }
    rules.set(other.application, other);
    const scope = rule.application ?? other.application;
    for (const application of scope === null ? scopes : [scope]) {
      const closing = follow(rule, active, application);
      if (closing !== undefined) return closing;
    }
  }
  return undefined;
}

/** The rules of a person at a moment, by application. */
type Rules = Map<string | null, StandIn>;

/** Those of each person. */
type Active = Map<string, Rules>;

/** Follows who stands in for tasks of an application at a moment. */
function follow(
  { user, substitute }: Pick<StandIn, 'user' | 'substitute'>,
  active: Active,
  scope: string | null,
): string | undefined {
  const people = new Set([substitute]);
  for (const person of people)
    for (const application of new Set([scope, null])) {
      const next = active.get(person)?.get(application);
      if (next?.substitute === user) return next.reference;
      if (next) people.add(next.substitute);
    }
  return undefined;
}
