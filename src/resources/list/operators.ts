/** The filter operators (docs/api-contract.md#filters). */
export const OPERATORS = [
  'eq',
  'neq',
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

/** Operators by type of attribute (docs/api-contract.md#filters). */
export const OPERATORS_OF = {
  text: OPERATORS,
  number: ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'isempty', 'isnotempty'],
  timestamp: ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'isempty', 'isnotempty'],
  boolean: ['eq', 'neq', 'isempty', 'isnotempty'],
  coded: ['eq', 'neq', 'isempty', 'isnotempty'],
  link: ['eq', 'neq', 'isempty', 'isnotempty'],
} as const satisfies Record<string, readonly Operator[]>;

/** An operator that also holds for what is empty; its opposite is the positive form. */
export const OPPOSITE_OF: Partial<Record<Operator, Operator>> = {
  neq: 'eq',
  notcontains: 'contains',
  isempty: 'isnotempty',
};
