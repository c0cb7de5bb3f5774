import type { I18nProvider } from 'react-admin';
import { useTranslate } from 'react-admin';
import polyglotI18nProvider from 'ra-i18n-polyglot';
import englishMessages from 'ra-language-english';
import frenchMessages from 'ra-language-french';
import type { Locale } from '../../api-client/types.js';
import { withFrenchSpacing } from '../../theme/french-spacing.js';
import { loadMessages } from '../../server-messages/translate.js';
import { firstLocale, keepLocale, LANGUAGE_NAMES } from '../../theme/languages.js';
import { en, type TextKey } from './en.js';
import { fr } from './fr.js';
import { de } from './de.js';
import { germanMessages } from './react-admin-german.js';

const MESSAGES = {
  en: { ...englishMessages, ...en },
  fr: { ...frenchMessages, ...withFrenchSpacing(fr) },
  de: { ...germanMessages, ...de },
};

/** Texts for react-admin and for the console's own parts. */
export function makeI18n(): I18nProvider {
  takeLanguage(firstLocale());
  const provider = polyglotI18nProvider(
    (locale) => MESSAGES[locale as Locale],
    firstLocale(),
    LANGUAGE_NAMES.map(([locale, name]) => ({ locale, name })),
    { allowMissing: true },
  );
  return {
    ...provider,
    changeLocale: async (locale) => {
      await provider.changeLocale(locale);
      takeLanguage(locale as Locale);
    },
  };
}

/** Keeps the language for the next visit, and loads what the server says in it. */
function takeLanguage(locale: Locale): void {
  keepLocale(locale);
  void loadMessages(locale).catch(() => undefined);
}

export type Texts = (key: TextKey, values?: Record<string, unknown>) => string;

/** The console's own texts; `smart_count` chooses between one and several. */
export const useTexts = (): Texts => useTranslate() as Texts;
