/** One condition of a list: `<attribute>:<operator>:<value>` in the API (docs/api-contract.md#filters). */
export interface Filter {
  attribute: string;
  operator: string;
  /** Blank for an operator without a value. */
  value: string;
}

export const takesNoValue = (operator: string): boolean => /^is(not)?empty$/.test(operator);

/** The placeholders for the viewer of a view, by the compared attribute. */
export const PERSONAL: Record<string, '@me' | '@mygroups'> = {
  assignee: '@me',
  group: '@mygroups',
};

/** The placeholder for nobody: the assignee of open tasks that nobody can decide. */
export const NOBODY = '@nobody';

/** Parses a filter of a view; undefined for an invalid text. */
export function readFilter(text: string): Filter | undefined {
  const [, attribute, operator, value = ''] = /^([\w.]+):(\w+)(?::([^]*))?$/.exec(text) ?? [];
  return attribute !== undefined && operator !== undefined
    ? { attribute, operator, value }
    : undefined;
}

export const writeFilter = ({ attribute, operator, value }: Filter): string =>
  takesNoValue(operator) ? `${attribute}:${operator}` : `${attribute}:${operator}:${value}`;
