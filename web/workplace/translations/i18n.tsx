import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import type { ApiProblem } from '../../api-client/api.js';
import { en, type TextKey } from './en.js';
import { fr } from './fr.js';
import { de } from './de.js';
import type { Locale } from '../../api-client/types.js';
import { branding } from '../../theme/branding.js';
import { dateFormats, languageTag } from '../../theme/dates.js';
import { withFrenchSpacing } from '../../theme/french-spacing.js';
import { loadMessages } from '../../server-messages/translate.js';
import { firstLocale, keepLocale } from '../../theme/languages.js';

const CATALOGUES: Record<Locale, Record<TextKey, string>> = {
  en,
  fr: withFrenchSpacing(fr),
  de,
};

export type Translate = (key: TextKey, values?: Record<string, string | number>) => string;

export interface Language {
  locale: Locale;
  setLocale: (locale: Locale) => void;
  t: Translate;
  /** The name of the workplace: chosen by administrators, or the usual name. */
  product: string;
  /** The title of the window for a page. */
  titleOf: (page: string) => string;
  /** A day, e.g. 21 Nov 2026. */
  day: (timestamp: string) => string;
  /** A day and a time. */
  moment: (timestamp: string) => string;
  /** A size in bytes for people. */
  size: (bytes: number) => string;
  /** What a refusal means. */
  problem: (problem: ApiProblem) => string;
}

const LanguageContext = createContext<Language | undefined>(undefined);

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [locale, setLocale] = useState(firstLocale);
  useEffect(() => {
    keepLocale(locale);
    void loadMessages(locale).catch(() => undefined);
  }, [locale]);
  const language = useMemo((): Language => {
    const plurals = new Intl.PluralRules(locale);
    const t: Translate = (key, values = {}) => {
      const [one = '', many = one] = CATALOGUES[locale][key].split(' |||| ');
      const text = plurals.select(Number(values.smart_count)) === 'one' ? one : many;
      return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
    };
    const product = branding.name || t('product');
    return {
      locale,
      setLocale,
      t,
      product,
      titleOf: (page) => (page === product ? page : t('page.title', { page, product })),
      ...dateFormats(locale),
      size: (bytes) => {
        const unit = bytes < 1e6 ? 'kilobyte' : 'megabyte';
        const value = bytes / (bytes < 1e6 ? 1e3 : 1e6);
        return new Intl.NumberFormat(languageTag(locale), {
          style: 'unit',
          unit,
          maximumFractionDigits: 1,
        }).format(value);
      },
      problem: ({ status, retryAfter }) => {
        const key = `problem.${status}`;
        const known = key in en ? (key as TextKey) : 'problem.other';
        return t(known, { minutes: Math.max(1, Math.ceil(retryAfter / 60)) });
      },
    };
  }, [locale]);
  return <LanguageContext value={language}>{children}</LanguageContext>;
}

export function useLanguage(): Language {
  const language = useContext(LanguageContext);
  if (!language) throw new Error('LanguageProvider is missing');
  return language;
}
