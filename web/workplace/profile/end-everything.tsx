import { useEndEverything } from '../../account/use-end-everything.js';
import { Dialog } from '../components/dialog.js';
import { useLanguage } from '../translations/i18n.js';
import { FormProblem } from '../components/form-problem.js';
import { useMe } from '../workplace-context.js';
import { useAction } from './use-action.js';

/** Closes every way into the account but the password, for when somebody else may have found one. */
export function EndEverything() {
  const { t, problem: explain } = useLanguage();
  const { me } = useMe();
  const { problem, run } = useAction();
  const { isAsked, isBusy, ask, cancel, end } = useEndEverything(me.id, { isOwn: true, act: run });
  return (
    <section className="card" aria-label={t('profile.end')}>
      <h2>{t('profile.end')}</h2>
      <p className="hint">{t('profile.end.hint')}</p>
      <button className="button danger" onClick={ask}>
        {t('profile.end')}
      </button>
      {isAsked && (
        <Dialog title={t('profile.end.sure')} onClose={cancel}>
          <p>{t('profile.end.lead')}</p>
          <ul className="bullets">
            <li>{t('profile.end.sessions')}</li>
            <li>{t('profile.end.keys')}</li>
            <li>{t('profile.end.invitation')}</li>
            <li>{t('profile.end.identities')}</li>
          </ul>
          <p className="hint">{t('profile.end.password')}</p>
          <FormProblem text={problem && explain(problem)} />
          <div className="buttons end">
            <button className="button" onClick={cancel}>
              {t('cancel')}
            </button>
            <button className="button danger" disabled={isBusy} onClick={() => void end()}>
              {t('profile.end')}
            </button>
          </div>
        </Dialog>
      )}
    </section>
  );
}
