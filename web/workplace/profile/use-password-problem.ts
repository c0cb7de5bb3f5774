import type { ApiProblem } from '../../api-client/api.js';
import type { PasswordRules } from '../../api-client/types.js';
import type { TextKey } from '../translations/en.js';
import { useLanguage } from '../translations/i18n.js';

/** Explains why the server rejected a new password. Only the server knows the former ones. */
export function usePasswordProblem(rules: PasswordRules | undefined) {
  const { t, problem: explain } = useLanguage();
  const ruleText = (code: string): string =>
    t(`rule.${code}` as TextKey, { length: rules?.length ?? '', history: rules?.history ?? '' });
  return (problem: ApiProblem): string =>
    problem.errors.length > 0
      ? `${t('rules')} ${problem.errors.map(ruleText).join(', ')}.`
      : explain(problem);
}
