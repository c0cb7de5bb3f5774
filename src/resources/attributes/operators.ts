/** The filter operators (docs/api-contract.md#filters). */
export const OPERATORS = [
  'eq',
  'neq',
  'in',
  'gt',
  'gte',
  'lt',
  'lte',
  'starts',
  'ends',
  'contains',
  'notcontains',
  'isempty',
  'isnotempty',
] as const;
export type Operator = (typeof OPERATORS)[number];

/** Operators that take no value. */
export const VALUELESS_OPERATORS: readonly Operator[] = ['isempty', 'isnotempty'];

/** The operators that compare with whole values. */
export const IDENTITY: readonly Operator[] = ['eq', 'neq', 'in'];

/** The operators of values without an order. */
export const EQUALITY: readonly Operator[] = [...IDENTITY, 'isempty', 'isnotempty'];

/** The operators of values with an order. */
export const COMPARISON: readonly Operator[] = [
  'eq',
  'neq',
  'in',
  'gt',
  'gte',
  'lt',
  'lte',
  'isempty',
  'isnotempty',
];

/**
 * The operators of identifiers, addresses and long texts. Their index holds only their beginning, their order is of no
 * use, and a search inside them takes too long (docs/decisions/0036).
 */
export const BEGINNING: readonly Operator[] = [
  'eq',
  'neq',
  'in',
  'starts',
  'isempty',
  'isnotempty',
];

/** The operators of long texts with an n-gram index, which finds their substrings. */
export const CONTENT: readonly Operator[] = [
  'eq',
  'neq',
  'in',
  'starts',
  'contains',
  'isempty',
  'isnotempty',
];

/** The positive form of each negated operator. Negated operators also match empty values. */
export const OPPOSITE_OF: Partial<Record<Operator, Operator>> = {
  neq: 'eq',
  notcontains: 'contains',
  isempty: 'isnotempty',
};

export const isOperator = (text: string): text is Operator =>
  (OPERATORS as readonly string[]).includes(text);
