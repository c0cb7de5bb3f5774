import { folded, foldedValue } from './attributes/folded-text.js';

/**
 * How identifiers are compared: by the rule that makes them unique, so that a name never fits two objects
 * (docs/api-contract.md#names).
 */
export interface NameRule {
  /** SQL of the form of a name that is unique. */
  key(name: string): string;
  /** SQL of the condition that a column has a name, which an index finds. */
  matches(column: string, name: string): string;
}

/** References and identifiers of other systems, as they are: the folded index of the column finds them. */
export const AS_IS: NameRule = {
  key: (name) => name,
  matches: (column, name) => `(${folded(column)} = ${foldedValue(name)} AND ${column} = ${name})`,
};

/** Logins, after Unicode NFKC and without case; accents distinguish them. */
export const AS_LOGIN: NameRule = {
  key: (name) => `login_key(${name})`,
  matches: (column, name) => `login_key(${column}) = login_key(${name})`,
};

/** E-mail addresses, by the rule of logins: the folded index of the column finds them. */
export const AS_EMAIL: NameRule = {
  ...AS_LOGIN,
  matches: (column, name) =>
    `(${folded(column)} = ${foldedValue(name)} AND ${AS_LOGIN.matches(column, name)})`,
};
