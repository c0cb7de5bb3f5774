import type { Operator } from './operators.js';

/** The SQL comparisons that numbers, timestamps and folded texts share. */
const COMPARISONS: Partial<Record<Operator, string>> = {
  eq: '=',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};

/**
 * The SQL of a comparison; `neq` also matches empty values. It uses ranges, which PostgreSQL reads from an index,
 * instead of IS DISTINCT FROM: few rows may differ from a common value.
 * @param value an array for `in`
 */
export function compare(expression: string, operator: Operator, value: string): string {
  if (operator === 'isempty') return `${expression} IS NULL`;
  if (operator === 'isnotempty') return `${expression} IS NOT NULL`;
  if (operator === 'in') return `${expression} = ANY (${value})`;
  if (operator === 'neq')
    return `(${expression} < ${value} OR ${expression} > ${value} OR ${expression} IS NULL)`;
  return `${expression} ${COMPARISONS[operator]} ${value}`;
}

/** Two forms of a text, or the SQL of a value in both: the indexed form and the deciding one. */
export type BothForms = [indexed: string, exact: string];

/**
 * The SQL of a comparison of texts: first by the indexed form, then by the deciding one where the indexed forms are
 * equal.
 */
export function compareAlike(
  [start, text]: BothForms,
  operator: Operator,
  [limit, wanted]: BothForms,
): string {
  const startsAlike = compare(start, operator === 'in' ? 'in' : 'eq', limit);
  const alike = `(${startsAlike} AND ${compare(text, operator, wanted)})`;
  if (operator === 'eq' || operator === 'in') return alike;
  const outside = { gte: 'gt', lte: 'lt' } as const;
  const others = operator in outside ? outside[operator as keyof typeof outside] : operator;
  return `(${compare(start, others, limit)} OR ${alike})`;
}

/** The SQL of the bound value of a filter, of which `in` has an array. */
export const typed = (value: string, type: string, operator: Operator): string =>
  `${value}::${type}${operator === 'in' ? '[]' : ''}`;

/** The SQL of the bound text of a filter in the form in which it is compared, or of each text of `in`. */
export const formed = (
  form: (text: string) => string,
  value: string,
  operator: Operator,
): string =>
  operator === 'in'
    ? `ARRAY(SELECT ${form('v')} FROM unnest(${value}::text[]) AS v)`
    : form(`${value}::text`);
