import { Monitor } from 'lucide-react';
import { useRef } from 'react';
import { sessionsOf } from '../../account/sessions.js';
import { get } from '../../api-client/api.js';
import { useLanguage } from '../translations/i18n.js';
import type { Session } from '../../api-client/types.js';
import { useLoad } from '../use-load.js';
import { FormProblem } from '../components/form-problem.js';
import { Ready } from '../components/ready.js';
import { useMe } from '../workplace-context.js';
import { useAction } from './use-action.js';

export function Sessions() {
  const { t, moment, problem: explain } = useLanguage();
  const { me } = useMe();
  const { isBusy, problem, run } = useAction();
  const all = useRef<HTMLButtonElement>(null);
  const { path, end, endAll } = sessionsOf(me.id, run);
  const address = `${path}?sorter=-creationDate`;
  const loaded = useLoad(address, async (signal) => {
    const [sessions, own] = await Promise.all([
      get<Session[]>(address, signal),
      get<{ expiration: string }>('/api/v2/authentication', signal),
    ]);
    return { sessions, own: thisOne(sessions, own.expiration) };
  });
  const settle = (isDone: boolean) => {
    if (!isDone) return;
    loaded.reload();
    // The button goes with the session, and must not take the focus along.
    all.current?.focus();
  };
  return (
    <section className="card" aria-label={t('profile.sessions')}>
      <h2>{t('profile.sessions')}</h2>
      <p className="hint">{t('profile.sessions.hint')}</p>
      <FormProblem text={problem && explain(problem)} />
      <Ready loaded={loaded}>
        {({ sessions, own }) => (
          <ul className="rows">
            {sessions.map(({ id, address, creationDate, expiration }) => (
              <li key={id} className="row">
                <Monitor aria-hidden />
                <span>
                  <strong>
                    {address ?? '–'}
                    {id === own && <span className="chip done">{t('profile.sessions.this')}</span>}
                  </strong>
                  <small>
                    {t('profile.sessions.since', { date: moment(creationDate) })} ·{' '}
                    {t('profile.sessions.until', { date: moment(expiration) })}
                  </small>
                </span>
                <button
                  className="button small"
                  aria-label={t('profile.sessions.end', { date: moment(creationDate) })}
                  disabled={isBusy}
                  onClick={() => void end(id).then(settle)}
                >
                  {t('profile.sessions.end.short')}
                </button>
              </li>
            ))}
          </ul>
        )}
      </Ready>
      <button
        ref={all}
        className="button"
        onClick={() => {
          if (!isBusy) void endAll().then(settle);
        }}
      >
        {t('profile.sessions.end-all')}
      </button>
    </section>
  );
}

/**
 * The session that asks: the one that ends in the second that the server names; nobody's where several do.
 * A session does not tell its own id.
 */
function thisOne(sessions: Session[], expiration: string): string | undefined {
  const second = expiration.slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
  const [found, ...others] = sessions.filter((one) => one.expiration.startsWith(second));
  return others.length === 0 ? found?.id : undefined;
}
