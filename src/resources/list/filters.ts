import type { Attribute } from '../attributes/attribute.js';
import { type Filterable, InvalidValue } from '../attributes/filterable.js';
import { isOperator, type Operator, VALUELESS_OPERATORS } from '../attributes/operators.js';
import type { Viewer } from '../../security/caller.js';
import type { RightsHolder } from '../visibility.js';
import { Reason, reason } from '../../base/errors/reason.js';

/** One filter of a list, as the request writes it. */
export interface FilterTerm {
  name: string;
  operator: string;
  value: string | undefined;
}

/** One filter of a list, with its attribute resolved. */
export interface Filter {
  attribute: Filterable;
  operator: Operator;
  /** The bound value, an array for `in`; undefined for an operator that takes none. */
  value: unknown;
  /** The property of the value on which the SQL depends. */
  variant?: string | undefined;
}

/** The part of a Resource that filters need. */
interface FilterSource {
  /** A filter that compares with the caller; a message for an invalid one, undefined for an ordinary filter. */
  callerFilter(term: FilterTerm, caller: Viewer): Filter | Reason | undefined;
  listAttribute(name: string, holder: RightsHolder): Attribute | undefined;
  listNames(purpose: 'filters', holder: RightsHolder): string[];
}

/** How filters are combined. */
export type FilterMode = 'and' | 'or';

/** Maximum number of filters in a request, and maximum length of a value (docs/api-contract.md#limits). */
export const MAX_FILTERS = 20;
export const MAX_FILTER_VALUE = 256;

/** Maximum number of values of `in` (docs/api-contract.md#limits). */
export const MAX_IN_VALUES = 100;

/** Longer texts make substring search expensive, whatever the index. */
export const MAX_CONTAINS_VALUE = 128;

const SUBSTRING_OPERATORS: ReadonlySet<Operator> = new Set<Operator>([
  'starts',
  'ends',
  'contains',
  'notcontains',
]);

/** Whether an operator searches inside texts. */
export const isSubstringOperator = (operator: string): boolean =>
  (SUBSTRING_OPERATORS as ReadonlySet<string>).has(operator);

/** Whether a filter searches inside texts, so that the statement's duration depends on the values. */
export const searchesTexts = (filters: Filter[]): boolean =>
  filters.some(({ operator }) => SUBSTRING_OPERATORS.has(operator));

/**
 * Parses `lastName:eq:Martin` (docs/api-contract.md#filters). Only the first two
 * colons separate: values hold colons (timestamps, addresses).
 */
export function parseFilter(text: string): FilterTerm {
  const [name = '', operator = '', ...value] = text.split(':');
  return { name, operator, value: value.length > 0 ? value.join(':') : undefined };
}

/** Resolves the attribute and the value of a filter; returns a message when the caller cannot use them. */
export function resolveFilter(
  term: FilterTerm,
  resource: FilterSource,
  caller: Viewer,
): Filter | Reason {
  return resource.callerFilter(term, caller) ?? resolveOrdinary(term, resource, caller);
}

function resolveOrdinary(
  { name, operator, value }: FilterTerm,
  resource: FilterSource,
  holder: RightsHolder,
): Filter | Reason {
  if (operator === '' && value === undefined) return reason('bad-filter', { value: name });
  const attribute = filterable(name, resource, holder);
  if (!attribute)
    return reason('not-filterable', { value: name, known: resource.listNames('filters', holder) });
  if (!isOperator(operator) || !attribute.operators.includes(operator))
    return reason('bad-operator', { attribute: name, operator, allowed: attribute.operators });
  const texts = valuesOf(attribute, operator, value);
  if (texts instanceof Reason) return texts.at({ filter: `${name}:${operator}` });
  const values: unknown[] = [];
  for (const text of texts)
    try {
      values.push(attribute.parseFilter(text, operator));
    } catch (error) {
      if (error instanceof InvalidValue)
        return error.reason.at({ filter: `${name}:${operator}:${text}` });
      throw error;
    }
  const variant = texts.length === 0 ? undefined : attribute.variantOf?.(texts);
  return texts.length > 1
    ? { attribute, operator, value: values, variant }
    : { attribute, operator: operator === 'in' ? 'eq' : operator, value: values[0], variant };
}

/** An attribute, or one of a linked object (`organization.label`). */
function filterable(
  name: string,
  resource: FilterSource,
  holder: RightsHolder,
): Filterable | undefined {
  const dot = name.indexOf('.');
  if (dot < 0) return resource.listAttribute(name, holder);
  return resource.listAttribute(name.slice(0, dot), holder)?.related(name.slice(dot + 1));
}

/** The values of a filter: none, one, or those of `in`. */
function valuesOf(
  { name, operators }: Filterable,
  operator: Operator,
  value: string | undefined,
): string[] | Reason {
  if (VALUELESS_OPERATORS.includes(operator)) return value ? reason('takes-no-value') : [];
  if (value === undefined || value === '')
    return operators.includes('isempty')
      ? reason('needs-a-value-or-isempty', { instead: `${name}:isempty` })
      : reason('needs-a-value');
  const texts = operator === 'in' ? splitValues(value) : [value];
  const most =
    operator === 'contains' || operator === 'notcontains' ? MAX_CONTAINS_VALUE : MAX_FILTER_VALUE;
  return texts instanceof Reason || texts.every((text) => [...text].length <= most)
    ? texts
    : reason('too-many-characters', { max: most });
}

/**
 * The values of `in`: commas separate them; `\\,` and `\\\\` stand for a comma and a backslash of a value
 * (docs/api-contract.md#filters).
 */
export function splitValues(text: string): string[] | Reason {
  const values = [''];
  for (const [part, escaped] of text.matchAll(/\\([\\,]?)|[^\\]/gsu)) {
    if (escaped === '') return reason('bad-escape');
    if (part === ',') values.push('');
    else values[values.length - 1] += escaped ?? part;
  }
  if (values.includes('')) return reason('empty-value');
  return values.length > MAX_IN_VALUES
    ? reason('too-many-filter-values', { max: MAX_IN_VALUES })
    : values;
}
