import { compare, compareAlike, formed } from './attributes/comparisons.js';
import { folded, foldedValue } from './attributes/folded-text.js';
import type { Operator } from './attributes/operators.js';

/**
 * How to compare identifiers: by the rule of their uniqueness, so that a name never matches two objects
 * (docs/api-contract.md#names).
 */
export interface NameRule {
  /** SQL of the form of a name that is unique. */
  key(name: string): string;
  /** SQL of the condition that a column has a name, another one, or one of an array, which an index finds. */
  compare(column: string, operator: Operator, name: string): string;
}

const loginKey = (name: string): string => `login_key(${name})`;

/** Names in a form without an index, compared by the folded index of the column first. */
const foundByFolded = (key: NameRule['key']): NameRule => ({
  key,
  compare: (column, operator, name) =>
    compareAlike([folded(column), key(column)], operator, [
      formed(foldedValue, name, operator),
      formed(key, name, operator),
    ]),
});

/** References and identifiers of other systems, as they are. */
export const AS_IS = foundByFolded((name) => name);

/** Logins, after Unicode NFKC and without case; accents distinguish them. */
export const AS_LOGIN: NameRule = {
  key: loginKey,
  compare: (column, operator, name) =>
    compare(loginKey(column), operator, formed(loginKey, name, operator)),
};

/** E-mail addresses, and copies of logins: by the rule of logins. */
export const AS_EMAIL = foundByFolded(loginKey);
