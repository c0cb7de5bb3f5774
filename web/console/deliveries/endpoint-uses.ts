type Values = Record<string, unknown>;

/** The attributes of a resource that a page shows only for some values of others. */
export interface Uses {
  /** The attributes whose values decide. */
  deciding: string[];
  isUsed: (name: string, values: Values) => boolean;
}

const isPush = ({ mode }: Values): boolean => mode === 'push';
const isAdapted = ({ adapter }: Values): boolean => isFilled(adapter);
const isFree = (values: Values): boolean => !isAdapted(values);

/**
 * The attributes that endpoints use only in some modes, or only with or without an adapter
 * (docs/api-contract.md#endpoints).
 */
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

/**
 * The values that decide which attributes an endpoint uses, and those that a person has to clear when it does not use
 * them.
 */
const DECIDING = ['mode', 'url', 'adapter', 'variables', 'kinds', 'account'];

/** The page shows an unused attribute while it has a value, so that a person can clear it: the server rejects it. */
export const ENDPOINT_USES: Uses = {
  deciding: DECIDING,
  isUsed: (name, values) =>
    (USES[name]?.(values) ?? true) || (DECIDING.includes(name) && isFilled(values[name])),
};

function isFilled(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : (value ?? '') !== '';
}
