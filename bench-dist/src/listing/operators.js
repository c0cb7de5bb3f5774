/** The filter operators (interface: Filters). */
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
];
/** Operators that take no value. */
export const EMPTINESS = ['isempty', 'isnotempty'];
/** Operators by type of attribute (decisions: Lists). */
export const OPERATORS_OF = {
    text: OPERATORS,
    number: ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'isempty', 'isnotempty'],
    timestamp: ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'isempty', 'isnotempty'],
    boolean: ['eq', 'neq', 'isempty', 'isnotempty'],
    coded: ['eq', 'neq', 'isempty', 'isnotempty'],
    link: ['eq', 'neq', 'isempty', 'isnotempty'],
};
/** An operator that also holds for what is empty; its opposite is the positive form. */
export const OPPOSITE_OF = {
    neq: 'eq',
    notcontains: 'contains',
    isempty: 'isnotempty',
};
//# sourceMappingURL=operators.js.map