import { Check, Circle } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import { get, send } from '../../api-client/api.js';
import type { TextKey } from '../translations/en.js';
import { useLanguage } from '../translations/i18n.js';
import { checkedRules } from '../../account/password-rules.js';
import type { PasswordRules } from '../../api-client/types.js';
import { useLoad } from '../use-load.js';
import { FormProblem } from '../components/form-problem.js';
import { useMe } from '../workplace-context.js';
import { useAction } from './use-action.js';

export function PasswordForm({ onChanged }: { onChanged: () => void }) {
  const { t, problem: explain } = useLanguage();
  const { me } = useMe();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const { isBusy, problem, run } = useAction();
  const { value: rules } = useLoad('rules', (signal) =>
    get<PasswordRules>('/api/v2/directory/password-rules', signal),
  );
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void run(async () => {
      const body = { currentPassword: current, password: next };
      await send(`/api/v2/directory/users/${me.id}/password`, { method: 'PUT', body });
      setCurrent('');
      setNext('');
      onChanged();
    }, t('profile.password.changed'));
  };
  const ruleText = (code: string): string =>
    t(`rule.${code}` as TextKey, { length: rules?.length ?? '', history: rules?.history ?? '' });
  const text = (): string | undefined => {
    if (!problem) return undefined;
    if (problem.fields.some(({ name }) => name === 'currentPassword'))
      return t('profile.password.wrong');
    // The server's word on what only it can know.
    if (problem.errors.length > 0)
      return `${t('profile.password.rules')} ${problem.errors.map(ruleText).join(', ')}.`;
    return explain(problem);
  };
  const isReady =
    current !== '' && rules !== undefined && checkedRules(next, rules).every(({ isMet }) => isMet);
  return (
    <section className="card" aria-label={t('profile.password')}>
      <h2>{t('profile.password')}</h2>
      <form onSubmit={submit}>
        <FormProblem text={text()} />
        <input name="login" autoComplete="username" value={me.login} readOnly hidden />
        <label className="field">
          <span>{t('profile.password.current')}</span>
          <input
            type="password"
            autoComplete="current-password"
            value={current}
            onChange={({ target }) => setCurrent(target.value)}
          />
        </label>
        <label className="field">
          <span>{t('profile.password.new')}</span>
          <input
            type="password"
            autoComplete="new-password"
            maxLength={128}
            aria-describedby="rules"
            value={next}
            onChange={({ target }) => setNext(target.value)}
          />
        </label>
        {rules && <Rules rules={rules} password={next} />}
        <button className="button primary" disabled={isBusy || !isReady}>
          {t('profile.password.submit')}
        </button>
      </form>
    </section>
  );
}

/** The rules in force, each with whether what is typed meets it. */
function Rules({ rules, password }: { rules: PasswordRules; password: string }) {
  const { t } = useLanguage();
  return (
    <div id="rules" className="rules">
      <p>{t('profile.password.rules')}</p>
      <ul>
        {checkedRules(password, rules).map(({ code, isMet }) => (
          <li key={code} className={isMet ? 'met' : undefined}>
            {isMet ? <Check aria-hidden /> : <Circle aria-hidden />}
            {t(`rule.${code}` as TextKey, { length: rules.length })}
            <span className="unseen"> – {t(isMet ? 'rule.met' : 'rule.unmet')}</span>
          </li>
        ))}
        {rules.history > 0 && (
          <li>
            <Circle aria-hidden /> {t('rule.history', { history: rules.history })}
          </li>
        )}
      </ul>
    </div>
  );
}
