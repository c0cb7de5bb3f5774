import type { PasswordCode } from '../errors/api-errors.js';
import { faultOfText, satisfies } from '../http/class-validation.js';
import type { ParameterValues } from '../security/parameters/parameters.service.js';
import { type Reason, reason } from '../errors/reason.js';

/** Maximum length of a password in characters; a longer one is rejected before it is hashed. */
export const MAX_PASSWORD = 128;

/** Decorator for a required text in a body that is not empty and has at most `most` characters. */
export const filled = (most = MAX_PASSWORD): PropertyDecorator =>
  satisfies((value) => (value === '' ? reason('blank') : faultOfGiven(value, most)));

/** Decorator for a required new password in a body; the password rules refuse an empty one like any other. */
export const newPassword = (): PropertyDecorator =>
  satisfies((value) => faultOfGiven(value, MAX_PASSWORD));

const faultOfGiven = (value: unknown, most: number): Reason | undefined =>
  value === null || value === undefined ? reason('required') : faultOfText(value, most);

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
