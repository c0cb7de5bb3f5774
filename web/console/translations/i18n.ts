import type { I18nProvider } from 'react-admin';
import { useTranslate } from 'react-admin';
import polyglotI18nProvider from 'ra-i18n-polyglot';
import englishMessages from 'ra-language-english';
import frenchMessages from 'ra-language-french';
import type { Locale } from '../../api-client/types.js';
import { withFrenchSpacing } from '../../theme/french-spacing.js';
import { en, type TextKey } from './en.js';
import { fr } from './fr.js';

const KEY = 'locale';

const MESSAGES = {
  en: { ...englishMessages, ...en },
  fr: { ...frenchMessages, ...withFrenchSpacing(fr) },
};

/** The language chosen here or in the workplace last, or that of the browser. */
export function firstLocale(): Locale {
  const locale = localStorage.getItem(KEY) ?? navigator.language.slice(0, 2);
  return locale === 'fr' ? 'fr' : 'en';
}

function keepLocale(locale: Locale): void {
  localStorage.setItem(KEY, locale);
  document.documentElement.lang = locale;
}

/** Texts for react-admin and for the console's own parts. */
export function makeI18n(): I18nProvider {
  keepLocale(firstLocale());
  const provider = polyglotI18nProvider(
    (locale) => MESSAGES[locale as Locale],
    firstLocale(),
    [
      { locale: 'en', name: 'English' },
      { locale: 'fr', name: 'Français' },
    ],
    { allowMissing: true },
  );
  return {
    ...provider,
    changeLocale: async (locale) => {
      await provider.changeLocale(locale);
      keepLocale(locale as Locale);
    },
  };
}

export type Texts = (key: TextKey, values?: Record<string, unknown>) => string;

/** The console's own texts; `smart_count` chooses between one and several. */
export const useTexts = (): Texts => useTranslate() as Texts;
