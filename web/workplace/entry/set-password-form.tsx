import { type SyntheticEvent, useState } from 'react';
import { checkedRules } from '../../account/password-rules.js';
import { PasswordRulesList } from '../../account/password-rules-list.js';
import { type ApiProblem, get, send, signIn, signOut } from '../../api-client/api.js';
import type { PasswordRules } from '../../api-client/types.js';
import { toProblem, useLoad } from '../../api-client/use-load.js';
import { FormProblem } from '../components/form-problem.js';
import { PasswordInput } from '../components/password-input.js';
import { usePasswordProblem } from '../profile/use-password-problem.js';
import { useLanguage } from '../translations/i18n.js';
import type { CodePage } from './entry-pages.js';

/**
 * The form for the new password of the holder of a code, with the rules in force. It then signs the person in. Most
 * invitations are for a first password, so the form lists the rule about former passwords only once the server has
 * applied it.
 */
export function SetPasswordForm({
  kind,
  code,
  login,
  onRejected,
  onSignedIn,
}: {
  kind: CodePage;
  code: string;
  login: string;
  onRejected: () => void;
  onSignedIn: () => void;
}) {
  const { t } = useLanguage();
  const [password, setPassword] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem>();
  const { value: rules } = useLoad('rules', (signal) =>
    get<PasswordRules>('/api/v2/directory/password-rules', signal),
  );
  const explain = usePasswordProblem(rules);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      const body = { code, password };
      await send('/api/v2/directory/invitations', { method: 'POST', body });
    } catch (error) {
      const rejected = toProblem(error);
      if (rejected.fields.some(({ name }) => name === 'code')) onRejected();
      setProblem(rejected);
      return setBusy(false);
    }
    // If the sign-in fails, for example from this address, the page must not keep the session of another person.
    await signIn(login, password).catch(() => signOut());
    onSignedIn();
  };
  const isReady = rules !== undefined && checkedRules(password, rules).every(({ isMet }) => isMet);
  const hasFormer = kind === 'password-reset' || problem?.errors.includes('history') === true;
  const listed = rules && (hasFormer ? rules : { ...rules, history: 0 });
  return (
    <form onSubmit={(event) => void submit(event)}>
      <FormProblem text={problem && explain(problem)} />
      <input name="login" autoComplete="username" value={login} readOnly hidden />
      <div className="field">
        <label htmlFor="new-password">{t('profile.password.new')}</label>
        <PasswordInput
          id="new-password"
          name="new-password"
          autoComplete="new-password"
          maxLength={128}
          aria-describedby="rules"
          autoFocus
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
      </div>
      {listed && <PasswordRulesList id="rules" rules={listed} password={password} texts={t} />}
      <button className="button primary wide" disabled={isBusy || !isReady}>
        {t('code.submit')}
      </button>
    </form>
  );
}
