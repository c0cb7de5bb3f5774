type Values = Record<string, unknown>;

/** Which attributes of a resource a page shows, where that depends on the values of others. */
export interface Uses {
  /** The attributes whose values decide. */
  deciding: string[];
  isUsed: (name: string, values: Values) => boolean;
}

const isPush = ({ mode }: Values): boolean => mode === 'push';
const isAdapted = ({ adapter }: Values): boolean => isFilled(adapter);
const isFree = (values: Values): boolean => !isAdapted(values);

/** What endpoints have a use for in some modes only, or only with or without an adapter (docs/api-contract.md#endpoints). */
const USES: Record<string, (values: Values) => boolean> = {
  url: isPush,
  adapter: isPush,
  variables: isAdapted,
  kinds: isFree,
  confirms: isFree,
  content: isFree,
  signature: (values) => isPush(values) && isFree(values),
  secrets: (values) => isPush(values) && isFree(values),
  account: ({ mode }) => mode === 'pull',
  lastSuccessDate: isPush,
  lastFailureDate: isPush,
  blockedUntil: isPush,
  lastError: isPush,
};

/** The values that decide what an endpoint uses, and those that have to be emptied by hand where it does not use them. */
const DECIDING = ['mode', 'url', 'adapter', 'variables', 'kinds', 'account'];

/** One that the endpoint has no use for is shown while it is filled in, so that it can be emptied: the server refuses it. */
export const ENDPOINT_USES: Uses = {
  deciding: DECIDING,
  isUsed: (name, values) =>
    (USES[name]?.(values) ?? true) || (DECIDING.includes(name) && isFilled(values[name])),
};

function isFilled(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : (value ?? '') !== '';
}
