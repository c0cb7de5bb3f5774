import { useState } from 'react';
import { useLanguage } from '../translations/i18n.js';
import { Page } from '../components/page.js';
import { useMe } from '../workplace-context.js';
import { ApiKeys } from './api-keys.js';
import { ContactForm } from './contact-form.js';
import { EndEverything } from './end-everything.js';
import { PasswordForm } from './password-form.js';
import { PhotoForm } from './photo-form.js';
import { Sessions } from './sessions.js';

export function ProfilePage() {
  const { t } = useLanguage();
  const { me } = useMe();
  /** How often the password was changed: each time the other sessions end. */
  const [changes, setChanges] = useState(0);
  return (
    <Page name={t('profile.title')} lead={`${me.title} · ${me.login}`}>
      <div className="profile">
        <div>
          <PhotoForm />
          <ContactForm />
        </div>
        <div>
          <PasswordForm onChanged={() => setChanges(changes + 1)} />
          <ApiKeys />
          <Sessions key={changes} />
          <EndEverything />
        </div>
      </div>
    </Page>
  );
}
