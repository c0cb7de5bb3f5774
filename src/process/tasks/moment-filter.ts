import type { Filterable } from '../../resources/attributes/filterable.js';
import { VALUELESS_OPERATORS } from '../../resources/attributes/operators.js';
import { TimestampAttribute } from '../../resources/attributes/timestamp-attribute.js';
import { type Filter, type FilterTerm, parseFilter } from '../../resources/list/filters.js';
import type { Resource } from '../../resources/resource.js';
import type { RightsHolder } from '../../resources/visibility.js';
import { type Reason, reason } from '../../base/errors/reason.js';

/** Placeholders for the present in filters of tasks (docs/api-contract.md#tasks-and-views). */
export const NOW = '@now';

/** The present, or some hours or days before or after it. An unencoded plus sign arrives as a space. */
const MOMENT = /^@now(?:([+ -])(\d{1,4})([hd]))?$/;

const HOURS = { h: 1, d: 24 };

/** Whether a filter depends on the clock, so that its matches change without a change of any task. */
export const namesMoment = (text: string, tasks: Resource, holder: RightsHolder): boolean =>
  momentFilter(parseFilter(text), tasks, holder) !== undefined;

/**
 * Reads `dueDate:lt:@now+7d`. The database computes the moment when the statement runs, so that a stored filter always
 * means the present.
 * @returns a message for a moment that cannot be read; undefined for every other filter
 */
export function momentFilter(
  { name, operator, value }: FilterTerm,
  tasks: Resource,
  holder: RightsHolder,
): Filter | Reason | undefined {
  if (!value?.startsWith(NOW)) return undefined;
  const attribute = tasks.listAttribute(name, holder);
  if (!(attribute instanceof TimestampAttribute)) return undefined;
  const known = attribute.operators.find((one) => one === operator);
  if (!known || known === 'in' || VALUELESS_OPERATORS.includes(known)) return undefined;
  const match = MOMENT.exec(value);
  if (!match) return reason('bad-moment').at({ filter: name });
  const [, sign, count = '0', unit = 'h'] = match;
  const hours = Number(count) * HOURS[unit as keyof typeof HOURS] * (sign === '-' ? -1 : 1);
  return { attribute: comparedWithNow(attribute), operator: known, value: hours };
}

/** The attribute, where the value is a number of hours from now. */
const comparedWithNow = (attribute: TimestampAttribute): Filterable => ({
  name: `${attribute.name}${NOW}`,
  operators: attribute.operators,
  parseFilter: (text) => text,
  condition: (alias, comparison, viewer) =>
    attribute.condition(
      alias,
      { ...comparison, value: `(now() + make_interval(hours => ${comparison.value}::int))` },
      viewer,
    ),
});
