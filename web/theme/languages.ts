/** The storage key of the language, which the workplace and the console share. */
const KEY = 'locale';

/** The languages of the pages, each by its own name. */
const LANGUAGES = { de: 'Deutsch', en: 'English', fr: 'Français' };
type Language = keyof typeof LANGUAGES;

export const LANGUAGE_NAMES = Object.entries(LANGUAGES) as [Language, string][];

/** The language chosen last, or that of the browser; English if the pages do not have it. */
export function firstLocale(): Language {
  const locale = localStorage.getItem(KEY) ?? navigator.language.slice(0, 2);
  return Object.hasOwn(LANGUAGES, locale) ? (locale as Language) : 'en';
}

/** Stores the language for the next page of this browser, and announces it to screen readers. */
export function keepLocale(locale: Language): void {
  localStorage.setItem(KEY, locale);
  document.documentElement.lang = locale;
}

/** The language that the page is in. */
export const pageLocale = (): Language => document.documentElement.lang as Language;
