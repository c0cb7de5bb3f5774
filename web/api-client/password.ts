import type { PasswordRules } from './types.js';

/** The rules that a password fails, as codes of a PasswordError; history is the server's to know. */
export function failedRules(password: string, rules: PasswordRules): string[] {
  const text = password.normalize('NFKC');
  const checks: [code: string, fails: boolean][] = [
    ['length', [...text].length < rules.length],
    ['lowercase', rules.lowercase && !/\p{Ll}/u.test(text)],
    ['uppercase', rules.uppercase && !/\p{Lu}/u.test(text)],
    ['number', rules.number && !/\p{Nd}/u.test(text)],
    ['special-char', rules.specialCharacter && !/[^\p{L}\p{N}]/u.test(text)],
  ];
  return checks.filter(([, fails]) => fails).map(([code]) => code);
}

/** The codes of the rules that are asked for, in their order. */
export const askedRules = (rules: PasswordRules): string[] => failedRules('', rules);
