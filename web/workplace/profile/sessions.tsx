import { Monitor } from 'lucide-react';
import { get, send } from '../../api-client/api.js';
import { useLanguage } from '../i18n.js';
import type { Session } from '../../api-client/types.js';
import { useLoad } from '../use-load.js';
import { FormProblem, Ready } from '../parts.js';
import { useMe } from '../workplace-data.js';
import { useAction } from './use-action.js';

export function Sessions() {
  const { t, moment, problem: explain } = useLanguage();
  const { me } = useMe();
  const { isBusy, problem, run } = useAction();
  const path = `/api/v2/directory/users/${me.id}/tokens`;
  const address = `${path}?sorter=-creationDate`;
  const loaded = useLoad(address, (signal) => get<Session[]>(address, signal));
  /** Ending this very session too: the next call is refused, and asks to sign in. */
  const end = (one: string) =>
    void run(async () => {
      await send(`${path}${one}`, { method: 'DELETE' });
      loaded.reload();
    });
  return (
    <section className="card" aria-label={t('profile.sessions')}>
      <h2>{t('profile.sessions')}</h2>
      <p className="hint">{t('profile.sessions.hint')}</p>
      <FormProblem text={problem && explain(problem)} />
      <Ready loaded={loaded}>
        {(sessions) => (
          <ul className="rows">
            {sessions.map(({ id, address, creationDate, expiration }) => (
              <li key={id} className="row">
                <Monitor aria-hidden />
                <span>
                  <strong>{address ?? '–'}</strong>
                  <small>
                    {t('profile.sessions.since', { date: moment(creationDate) })} ·{' '}
                    {t('profile.sessions.until', { date: moment(expiration) })}
                  </small>
                </span>
                <button
                  className="button small"
                  aria-label={t('profile.sessions.end', { date: moment(creationDate) })}
                  disabled={isBusy}
                  onClick={() => end(`/${id}`)}
                >
                  {t('profile.sessions.end.short')}
                </button>
              </li>
            ))}
          </ul>
        )}
      </Ready>
      <button className="button" disabled={isBusy} onClick={() => end('')}>
        {t('profile.sessions.end-all')}
      </button>
    </section>
  );
}
