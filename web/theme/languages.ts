import type { Locale } from '../api-client/types.js';

/** Where the browser keeps the language; the workplace and the console share it. */
const KEY = 'locale';

/** The languages of the pages, each by its own name. */
const LANGUAGES: Record<Locale, string> = { de: 'Deutsch', en: 'English', fr: 'Français' };

export const LANGUAGE_NAMES = Object.entries(LANGUAGES) as [Locale, string][];

/** The language chosen last, or that of the browser; English where the pages do not have it. */
export function firstLocale(): Locale {
  const locale = localStorage.getItem(KEY) ?? navigator.language.slice(0, 2);
  return Object.hasOwn(LANGUAGES, locale) ? (locale as Locale) : 'en';
}

/** Keeps the language for the next page of this browser, and names it to screen readers. */
export function keepLocale(locale: Locale): void {
  localStorage.setItem(KEY, locale);
  document.documentElement.lang = locale;
}
