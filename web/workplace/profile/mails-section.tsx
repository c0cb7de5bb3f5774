import { useState } from 'react';
import { useAccountPage } from '../../account/account-page.js';
import { useAction } from '../../account/use-action.js';
import { get, send } from '../../api-client/api.js';
import { sendsMail } from '../../api-client/mail.js';
import type { MailSettings } from '../../api-client/types.js';
import { useLoad } from '../../api-client/use-load.js';
import { FormProblem } from '../components/form-problem.js';
import { useLanguage } from '../translations/i18n.js';

/** Which mails about tasks the person gets; nothing if the server sends none. */
export function MailsSection() {
  const { userId } = useAccountPage();
  const path = `/api/v2/directory/users/${userId}/mail-settings`;
  const { value } = useLoad(path, (signal) =>
    sendsMail ? get<MailSettings>(path, signal) : Promise.resolve(undefined),
  );
  return value && value.offered.length > 0 ? <Choices path={path} loaded={value} /> : null;
}

function Choices({ path, loaded }: { path: string; loaded: MailSettings }) {
  const { t, problem: explain } = useLanguage();
  const { problem, act } = useAction();
  const [settings, setSettings] = useState({ digest: loaded.digest, reminders: loaded.reminders });
  const change = async (body: typeof settings) => {
    setSettings(body);
    const isDone = await act(() => send(path, { method: 'PUT', body }), t('saved'));
    if (!isDone) setSettings(settings);
  };
  return (
    <section className="card" aria-label={t('mails')}>
      <h2>{t('mails')}</h2>
      <p className="hint">{t('mails.lead')}</p>
      <FormProblem text={problem && explain(problem)} />
      {loaded.offered.map((kind) => (
        <label key={kind} className="choice">
          <input
            type="checkbox"
            checked={settings[kind]}
            onChange={({ target }) => void change({ ...settings, [kind]: target.checked })}
          />
          <span>
            {t(`mails.${kind}`)}
            <small>{t(`mails.${kind}.help`)}</small>
          </span>
        </label>
      ))}
    </section>
  );
}
