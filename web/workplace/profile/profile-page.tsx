import { useLanguage } from '../i18n.js';
import { Page } from '../parts.js';
import { useMe } from '../workplace-data.js';
import { ApiKeys } from './api-keys.js';
import { ContactForm } from './contact-form.js';
import { PasswordForm } from './password-form.js';
import { PhotoForm } from './photo-form.js';
import { Sessions } from './sessions.js';

export function ProfilePage() {
  const { t } = useLanguage();
  const { me } = useMe();
  return (
    <Page name={t('profile.title')} lead={`${me.title} · ${me.login}`}>
      <div className="profile">
        <PhotoForm />
        <ContactForm />
        <PasswordForm />
        <ApiKeys />
        <Sessions />
      </div>
    </Page>
  );
}
