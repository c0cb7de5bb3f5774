import type { PasswordCode } from '../errors/api-errors.js';
import { satisfies } from '../http/class-validation.js';
import type { ParameterValues } from '../security/parameters/parameters.service.js';

/** Longest password in characters; longer ones are refused before they are hashed. */
export const MAX_PASSWORD = 128;

/** For bodies: a text that is given and at most `most` characters long, before it is hashed. */
export const filled = (most = MAX_PASSWORD): PropertyDecorator =>
  satisfies((value) => {
    if (typeof value !== 'string' || value === '') return 'must not be blank';
    return [...value].length > most ? `must have at most ${most} characters` : undefined;
  });

/** The rules in force (docs/api-contract.md#password-rules). */
export interface PasswordRules {
  length: number;
  lowercase: boolean;
  uppercase: boolean;
  number: boolean;
  specialCharacter: boolean;
  history: number;
}

export const presentRules = (values: ParameterValues): PasswordRules => ({
  length: values.number('passwordLength'),
  lowercase: values.flag('passwordLowercase'),
  uppercase: values.flag('passwordUppercase'),
  number: values.flag('passwordNumber'),
  specialCharacter: values.flag('passwordSpecial'),
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
    ['special-char', rules.specialCharacter && !/[^\p{L}\p{N}]/u.test(text)],
  ];
  return checks.filter(([, fails]) => fails).map(([code]) => code);
}
