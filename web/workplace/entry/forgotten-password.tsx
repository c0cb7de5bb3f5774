import { type SyntheticEvent, useState } from 'react';
import { type ApiProblem, send } from '../../api-client/api.js';
import { toProblem } from '../../api-client/use-load.js';
import { FormProblem } from '../components/form-problem.js';
import { Link } from '../router.js';
import { useLanguage } from '../translations/i18n.js';
import { EntryCard } from './entry-card.js';

/** Requests a mail with a link to set a new password. The answer does not reveal whether the account exists. */
export function ForgottenPassword() {
  const { t, problem: explain } = useLanguage();
  const [isAsked, setAsked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | 'blank'>();
  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const login = (new FormData(event.currentTarget).get('login') as string).trim();
    if (login === '') return setProblem('blank');
    setBusy(true);
    setProblem(undefined);
    try {
      await send('/api/v2/authentication/password-reset', { method: 'POST', body: { login } });
      setAsked(true);
    } catch (error) {
      setProblem(toProblem(error));
    }
    setBusy(false);
  };
  const back = (
    <Link to="" className="button wide">
      {t('code.sign-in')}
    </Link>
  );
  if (isAsked)
    return (
      <EntryCard title={t('forgotten.asked')} lead={t('forgotten.asked.lead')}>
        {back}
      </EntryCard>
    );
  const said = problem === 'blank' ? t('forgotten.blank') : problem && explain(problem);
  return (
    <EntryCard title={t('forgotten.title')} lead={t('forgotten.lead')}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <FormProblem text={said} />
        <label className="field">
          <span>{t('forgotten.login')}</span>
          <input
            name="login"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={254}
            autoFocus
          />
        </label>
        <button className="button primary wide" disabled={isBusy}>
          {t('forgotten.submit')}
        </button>
      </form>
      <p className="other-way">{back}</p>
    </EntryCard>
  );
}
