import { useState } from 'react';
import { type ApiProblem, send } from '../../api-client/api.js';
import { toProblem } from '../../api-client/use-load.js';
import { FormProblem } from '../components/form-problem.js';
import { Link } from '../router.js';
import { useLanguage } from '../translations/i18n.js';
import { EntryCard } from './entry-card.js';

/** The body that a mail program sends for one click (RFC 8058). */
const ONE_CLICK = new Blob(['List-Unsubscribe=One-Click'], {
  type: 'application/x-www-form-urlencoded',
});

/**
 * Stops mails about tasks, without a session, for the recipient of the mail with the link. It waits for the button,
 * because programs also open the links in mails.
 * @param path the path of this page, which ends in the token
 */
export function StopMails({ path }: { path: string }) {
  const { t, problem: explain } = useLanguage();
  const [isStopped, setStopped] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem>();
  // The token begins with the kind of the mails.
  const kind = path.includes('/reminders.') ? 'reminders' : 'digest';
  const stop = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await send(`/workplace/${path}`, { method: 'POST', body: ONE_CLICK });
      setStopped(true);
    } catch (error) {
      setProblem(toProblem(error));
    }
    setBusy(false);
  };
  if (problem?.status === 404)
    return <EntryCard title={t('code.invalid')} lead={t('stop.invalid')} />;
  if (isStopped)
    return (
      <EntryCard title={t(`stop.${kind}.done`)} lead={t('stop.done.lead')}>
        <Link to="profile" className="button wide">
          {t('stop.profile')}
        </Link>
      </EntryCard>
    );
  return (
    <EntryCard title={t(`stop.${kind}`)} lead={t(`stop.${kind}.lead`)}>
      <FormProblem text={problem && explain(problem)} />
      <button className="button primary wide" disabled={isBusy} onClick={() => void stop()}>
        {t('stop.submit')}
      </button>
    </EntryCard>
  );
}
