/** Where the browser keeps the language; the workplace and the console share it. */
const KEY = 'locale';

/** The languages of the pages, each by its own name. */
const LANGUAGES = { de: 'Deutsch', en: 'English', fr: 'Français' };
type Language = keyof typeof LANGUAGES;

export const LANGUAGE_NAMES = Object.entries(LANGUAGES) as [Language, string][];

/** The language chosen last, or that of the browser; English where the pages do not have it. */
export function firstLocale(): Language {
  const locale = localStorage.getItem(KEY) ?? navigator.language.slice(0, 2);
  return Object.hasOwn(LANGUAGES, locale) ? (locale as Language) : 'en';
}

/** Keeps the language for the next page of this browser, and names it to screen readers. */
export function keepLocale(locale: Language): void {
  localStorage.setItem(KEY, locale);
  document.documentElement.lang = locale;
}

/** The language that the page is in. */
export const pageLocale = (): Language => document.documentElement.lang as Language;
