import type { PasswordRules } from '../api-client/types.js';
import type { PasswordRule } from './account-texts.js';

/** The rules that a password fails, as codes of a PasswordError; the server alone knows the history. */
function failedRules(password: string, rules: PasswordRules): PasswordRule[] {
  const text = password.normalize('NFKC');
  const checks: [code: PasswordRule, fails: boolean][] = [
    ['length', [...text].length < rules.length],
    ['lowercase', rules.lowercase && !/\p{Ll}/u.test(text)],
    ['uppercase', rules.uppercase && !/\p{Lu}/u.test(text)],
    ['number', rules.number && !/\p{Nd}/u.test(text)],
    ['special-char', rules['special-char'] && !/[^\p{L}\p{N}]/u.test(text)],
  ];
  return checks.filter(([, fails]) => fails).map(([code]) => code);
}

/** The rules in force in their order, each with whether a password meets it. */
export function checkedRules(
  password: string,
  rules: PasswordRules,
): { code: PasswordRule; isMet: boolean }[] {
  const failed = failedRules(password, rules);
  // The empty password fails every rule that is in force.
  return failedRules('', rules).map((code) => ({ code, isMet: !failed.includes(code) }));
}
