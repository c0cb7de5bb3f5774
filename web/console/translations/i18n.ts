import type { I18nProvider, TranslationMessages } from 'react-admin';
import { useTranslate } from 'react-admin';
import polyglotI18nProvider from 'ra-i18n-polyglot';
import englishMessages from 'ra-language-english';
import type { Locale } from '../../api-client/types.js';
import { withFrenchSpacing } from '../../theme/french-spacing.js';
import { loadMessages } from '../../server-messages/translate.js';
import { firstLocale, keepLocale, LANGUAGE_NAMES } from '../../theme/languages.js';
import { en, type TextKey } from './en.js';

const ENGLISH = { ...englishMessages, ...en };

/** The page loads only the language that it shows. */
const LOADERS: Record<Locale, () => Promise<TranslationMessages>> = {
  en: () => Promise.resolve(ENGLISH),
  fr: async () => {
    const [{ default: french }, { fr }] = await Promise.all([
      import('ra-language-french'),
      import('./fr.js'),
    ]);
    return { ...french, ...withFrenchSpacing(fr) };
  },
  de: async () => {
    const [{ germanMessages }, { de }] = await Promise.all([
      import('./react-admin-german.js'),
      import('./de.js'),
    ]);
    return { ...germanMessages, ...de };
  },
};

/** Texts for react-admin and for the console's own parts; in English if a language cannot be loaded. */
export async function makeI18n(): Promise<I18nProvider> {
  const first = firstLocale();
  takeLanguage(first);
  const messages = await LOADERS[first]().catch(() => ENGLISH);
  const provider = polyglotI18nProvider(
    (locale) => (locale === first ? messages : LOADERS[locale as Locale]()),
    first,
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

/** Stores the language for the next visit, and loads its server messages. */
function takeLanguage(locale: Locale): void {
  keepLocale(locale);
  void loadMessages(locale).catch(() => undefined);
}

export type Texts = (key: TextKey, values?: Record<string, unknown>) => string;

/** The console's own texts; `smart_count` chooses between one and several. */
export const useTexts = (): Texts => useTranslate() as Texts;
