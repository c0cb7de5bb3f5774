import { useEffect, useEffectEvent, useState } from 'react';
import { bodyOf, send } from '../../api-client/api.js';
import type { CodeHolder } from '../../api-client/types.js';
import { useLoad } from '../../api-client/use-load.js';
import { Skeleton } from '../components/ready.js';
import { Link } from '../router.js';
import { useLanguage } from '../translations/i18n.js';
import { EntryCard } from './entry-card.js';
import { SetPasswordForm } from './set-password-form.js';
import type { CodePage } from './entry-pages.js';

/** A fragment never reaches a server, so no log contains the code. */
const currentCode = (): string => location.hash.slice(1);

/** Sets a first or a new password with a one-time code, and signs the person in. */
export function SetPassword({ kind, onSignedIn }: { kind: CodePage; onSignedIn: () => void }) {
  const [code, setCode] = useState(currentCode);
  useEffect(() => {
    const follow = () => setCode(currentCode());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return code === '' ? (
    <InvalidCode kind={kind} />
  ) : (
    <WithCode key={code} kind={kind} code={code} onSignedIn={onSignedIn} />
  );
}

function WithCode({
  kind,
  code,
  onSignedIn,
}: {
  kind: CodePage;
  code: string;
  onSignedIn: () => void;
}) {
  const { t, day, moment, setLocale, problem: explain } = useLanguage();
  const [isRejected, setRejected] = useState(false);
  const {
    value: holder,
    problem,
    reload,
  } = useLoad('holder', async (signal) => {
    const call = { method: 'POST', body: { code }, signal };
    return await bodyOf<CodeHolder>(await send('/api/v2/directory/invitations/check', call));
  });
  const greet = useEffectEvent(({ locale }: CodeHolder) => setLocale(locale));
  useEffect(() => {
    if (holder) greet(holder);
  }, [holder]);
  if (isRejected || problem?.status === 400) return <InvalidCode kind={kind} />;
  if (problem)
    return (
      <EntryCard title={t(`${kind}.title`)} lead={explain(problem)}>
        <button className="button wide" onClick={reload}>
          {t('retry')}
        </button>
      </EntryCard>
    );
  if (!holder) return <Skeleton />;
  const until = kind === 'invitation' ? day(holder.expiration) : moment(holder.expiration);
  return (
    <EntryCard
      title={t(`${kind}.title`)}
      lead={t(`${kind}.lead`, { name: holder.title, login: holder.login, until })}
    >
      <SetPasswordForm
        kind={kind}
        code={code}
        login={holder.login}
        onRejected={() => setRejected(true)}
        onSignedIn={onSignedIn}
      />
    </EntryCard>
  );
}

/** The code is missing, unknown, used, replaced or expired. */
function InvalidCode({ kind }: { kind: CodePage }) {
  const { t } = useLanguage();
  return (
    <EntryCard title={t('code.invalid')} lead={t(`${kind}.invalid`)}>
      {kind === 'password-reset' && (
        <Link to="forgotten-password" className="button primary wide">
          {t('forgotten.submit')}
        </Link>
      )}
      <Link to="" className="button wide">
        {t('code.sign-in')}
      </Link>
    </EntryCard>
  );
}
