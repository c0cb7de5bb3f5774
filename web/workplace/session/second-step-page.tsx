import { signOut } from '../../api-client/api.js';
import { BrandMark } from '../components/brand-mark.js';
import { LanguageChoice } from '../components/preferences.js';
import { SecondStepSection } from '../profile/second-step-section.js';
import { useLanguage } from '../translations/i18n.js';

/** For people who need a second step and have none: until they have added one, their session permits nothing else. */
export function SecondStepPage({ onDone }: { onDone: () => void }) {
  const { t } = useLanguage();
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <BrandMark isLarge />
        <h1>{t('second-step.needed')}</h1>
        <SecondStepSection onDone={onDone} />
        <button className="other-account" onClick={() => void signOut()}>
          {t('menu.sign-out')}
        </button>
      </div>
      <LanguageChoice />
    </main>
  );
}
