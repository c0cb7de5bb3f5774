import { Check, Circle } from 'lucide-react';
import type { PasswordRules } from '../api-client/types.js';
import type { AccountTexts } from './account-texts.js';
import { checkedRules } from './password-rules.js';

/**
 * The password rules in force, each with a sign of whether a password meets it. Only the server can check the history.
 * @param id for the `aria-describedby` of the password field
 */
export function PasswordRulesList({
  id,
  rules,
  password,
  texts,
}: {
  id: string;
  rules: PasswordRules;
  password: string;
  texts: AccountTexts;
}) {
  return (
    <div id={id} className="rules">
      <p>{texts('rules')}</p>
      <ul>
        {checkedRules(password, rules).map(({ code, isMet }) => (
          <li key={code} className={isMet ? 'met' : undefined}>
            {isMet ? <Check aria-hidden /> : <Circle aria-hidden />}
            {texts(`rule.${code}`, { length: rules.length })}
            <span className="unseen"> – {texts(isMet ? 'rule.met' : 'rule.unmet')}</span>
          </li>
        ))}
        {rules.history > 0 && (
          <li>
            <Circle aria-hidden /> {texts('rule.history', { history: rules.history })}
          </li>
        )}
      </ul>
    </div>
  );
}
