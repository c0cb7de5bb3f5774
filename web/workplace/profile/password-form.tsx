import { type SyntheticEvent, useState } from 'react';
import { get, send } from '../../api-client/api.js';
import { useLanguage } from '../translations/i18n.js';
import { PasswordRulesList } from '../../account/password-rules-list.js';
import { checkedRules } from '../../account/password-rules.js';
import { useAction } from '../../account/use-action.js';
import type { PasswordRules } from '../../api-client/types.js';
import { useLoad } from '../../api-client/use-load.js';
import { FormProblem } from '../components/form-problem.js';
import { useMe } from '../workplace-context.js';
import { usePasswordProblem } from './use-password-problem.js';

export function PasswordForm() {
  const { t } = useLanguage();
  const { me } = useMe();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const { isBusy, problem, act } = useAction();
  const { value: rules } = useLoad('rules', (signal) =>
    get<PasswordRules>('/api/v2/directory/password-rules', signal),
  );
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void act(async () => {
      const body = { currentPassword: current, password: next };
      await send(`/api/v2/directory/users/${me.id}/password`, { method: 'PUT', body });
      setCurrent('');
      setNext('');
    }, t('profile.password.changed'));
  };
  const explain = usePasswordProblem(rules);
  const text = (): string | undefined => {
    if (!problem) return undefined;
    return problem.fields.some(({ name }) => name === 'currentPassword')
      ? t('profile.password.wrong')
      : explain(problem);
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
        {rules && <PasswordRulesList id="rules" rules={rules} password={next} texts={t} />}
        <button className="button primary" disabled={isBusy || !isReady}>
          {t('profile.password.submit')}
        </button>
      </form>
    </section>
  );
}
