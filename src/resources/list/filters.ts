import { InvalidValue, type Listable, type ListAttribute } from './list-attribute.js';
import { VALUELESS_OPERATORS, OPERATORS, type Operator } from './operators.js';

/** One condition of a list. */
export interface Filter {
  attribute: ListAttribute;
  operator: Operator;
  value: unknown;
}

/** docs/api-contract.md#filters */
export const MAX_FILTERS = 20;
export const MAX_FILTER_VALUE = 256;

/** Longer texts make substring search expensive, whatever the index. */
export const MAX_CONTAINS_VALUE = 128;

/**
 * Parses `lastName:eq:Martin` (docs/api-contract.md#filters); answers a message when it cannot be
 * used.
 */
export function parseFilter(text: string, listable: Listable): Filter | string {
  const [name = '', operator = '', value] = splitFilter(text);
  const attribute = attributeOf(name, listable);
  if (!attribute)
    return `unknown attribute '${name}'; filterable: ${listable.names('filters').join(', ')}`;
  if (!isOperator(operator) || !attribute.operators.includes(operator))
    return `'${name}' does not accept the operator '${operator}'; allowed: ${attribute.operators.join(', ')}`;
  const fault = validateValue(operator, value);
  if (fault !== undefined) return `${name}:${operator}: ${fault}`;
  try {
    const parsed = value ? attribute.parseFilter(value, operator) : undefined;
    return { attribute, operator, value: parsed };
  } catch (error) {
    if (error instanceof InvalidValue) return `${name}:${operator}: ${error.message}`;
    throw error;
  }
}

/** Splits on the first two colons only: values hold colons (timestamps, addresses). */
function splitFilter(text: string): [string, string?, string?] {
  const first = text.indexOf(':');
  if (first < 0) return [text];
  const second = text.indexOf(':', first + 1);
  return second < 0
    ? [text.slice(0, first), text.slice(first + 1)]
    : [text.slice(0, first), text.slice(first + 1, second), text.slice(second + 1)];
}

function attributeOf(name: string, listable: Listable): ListAttribute | undefined {
  const dot = name.indexOf('.');
  if (dot < 0) return listable.attribute(name);
  return listable.attribute(name.slice(0, dot))?.linked?.(name.slice(dot + 1));
}

const isOperator = (text: string): text is Operator =>
  (OPERATORS as readonly string[]).includes(text);

function validateValue(operator: Operator, value: string | undefined): string | undefined {
  if (VALUELESS_OPERATORS.includes(operator)) return value ? 'takes no value' : undefined;
  if (value === undefined || value === '')
    return 'needs a value; use isempty or isnotempty for empty ones';
  const most =
    operator === 'contains' || operator === 'notcontains' ? MAX_CONTAINS_VALUE : MAX_FILTER_VALUE;
  return [...value].length > most ? `at most ${most} characters` : undefined;
}
