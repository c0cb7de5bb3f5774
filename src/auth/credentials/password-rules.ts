import type { PasswordCode } from '../../base/errors/api-errors.js';
import type { ParameterValues } from '../../security/parameters/parameters.service.js';

/** Maximum length of a password in characters; a longer one is rejected before it is hashed. */
export const MAX_PASSWORD = 128;

/** The rules in force (docs/api-contract.md#password-rules). */
export interface PasswordRules {
  length: number;
  lowercase: boolean;
  uppercase: boolean;
  number: boolean;
  'special-char': boolean;
  history: number;
}

export const presentRules = (values: ParameterValues): PasswordRules => ({
  length: values.number('passwordLength'),
  lowercase: values.flag('passwordLowercase'),
  uppercase: values.flag('passwordUppercase'),
  number: values.flag('passwordNumber'),
  'special-char': values.flag('passwordSpecial'),
  history: values.number('passwordHistory'),
});

/**
 * Every rule but history that a password fails (docs/api-contract.md#errors-and-statuses), in the
 * order of the codes.
 */
export function failedRules(password: string, rules: PasswordRules): PasswordCode[] {
  const text = password.normalize('NFKC');
  const checks: [PasswordCode, boolean][] = [
    ['length', [...text].length < rules.length],
    ['lowercase', rules.lowercase && !/\p{Ll}/u.test(text)],
    ['uppercase', rules.uppercase && !/\p{Lu}/u.test(text)],
    ['number', rules.number && !/\p{Nd}/u.test(text)],
    ['special-char', rules['special-char'] && !/[^\p{L}\p{N}]/u.test(text)],
  ];
  return checks.filter(([, fails]) => fails).map(([code]) => code);
}
