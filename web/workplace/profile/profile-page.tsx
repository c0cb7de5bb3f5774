import { AccountPageProvider } from '../../account/account-page.js';
import { ApiKeysSection } from '../../account/api-keys-section.js';
import { EndEverythingSection } from '../../account/end-everything-section.js';
import { PhotoSection } from '../../account/photo-section.js';
import { SessionsSection } from '../../account/sessions-section.js';
import { hasPassword } from '../../api-client/passwords.js';
import { AbsenceSection } from '../absences/absence-section.js';
import { Page } from '../components/page.js';
import { useLanguage } from '../translations/i18n.js';
import { useMe } from '../workplace-context.js';
import { ContactForm } from './contact-form.js';
import { MailsSection } from './mails-section.js';
import { NewApiKey } from './new-api-key.js';
import { useOwnAccount } from './own-account.js';
import { SecondStepSection } from './second-step-section.js';
import { PasswordForm } from './password-form.js';

export function ProfilePage() {
  const { t } = useLanguage();
  const { me, reload } = useMe();
  const page = useOwnAccount(reload);
  return (
    <Page name={t('profile.title')} lead={`${me.title} · ${me.login}`}>
      <AccountPageProvider page={page}>
        <div className="profile">
          <div>
            <PhotoSection />
            <ContactForm />
            <AbsenceSection />
            <MailsSection />
          </div>
          <div>
            {hasPassword(me.login) && <PasswordForm />}
            {hasPassword(me.login) && <SecondStepSection />}
            <ApiKeysSection NewApiKey={NewApiKey} />
            <SessionsSection />
            <EndEverythingSection />
          </div>
        </div>
      </AccountPageProvider>
    </Page>
  );
}
