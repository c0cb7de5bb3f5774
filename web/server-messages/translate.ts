import type { Locale } from '../api-client/types.js';
import { withFrenchSpacing } from '../theme/french-spacing.js';

/** Why the server refuses something (docs/api-contract.md#reasons). */
export interface Reason {
  /** The English sentence. */
  message: string;
  code?: string;
  parameters?: Record<string, unknown>;
  /** The objects that refer to one that cannot be deleted. */
  references?: { resource: string; attribute: string; count: number }[];
}

interface Catalogue {
  texts: Record<string, string>;
  words: Record<string, string>;
  or: string;
  colon: string;
}

/** Each page loads only the language that it shows. */
const LOADERS: Partial<Record<Locale, () => Promise<Catalogue>>> = {
  de: async () => {
    const { de, deWords } = await import('./de.js');
    return { texts: de, words: deWords, or: 'oder', colon: ': ' };
  },
  fr: async () => {
    const { fr, frWords } = await import('./fr.js');
    return { texts: withFrenchSpacing(fr), words: frWords, or: 'ou', colon: '\u00a0: ' };
  },
};

const catalogues: Partial<Record<Locale, Catalogue>> = {};

/**
 * Loads the translations into a language; until then its reasons have none.
 * @throws Error when they cannot be loaded
 */
export async function loadMessages(locale: Locale): Promise<void> {
  const load = LOADERS[locale];
  if (!load || catalogues[locale]) return;
  catalogues[locale] = await load();
}

/**
 * A reason in the language of a page (docs/decisions/0033).
 * @returns undefined for a reason without a translation, and for all in English
 */
export function translate(reason: Reason, locale: Locale): string | undefined {
  const catalogue = catalogues[locale];
  return catalogue && translateWith(catalogue, reason);
}

/** The same, with the server's own sentence on an English page. */
export const forPage = (reason: Reason, locale: Locale): string | undefined =>
  locale === 'en' ? reason.message : translate(reason, locale);

function translateWith(catalogue: Catalogue, reason: Reason): string | undefined {
  const { code = '', parameters = {}, references = [] } = reason;
  if (references.length > 0)
    return references.map((reference) => sayReference(catalogue, reference)).join('; ');
  const text = catalogue.texts[code];
  return text === undefined
    ? undefined
    : `${beginningOf(catalogue, parameters)}${fill(catalogue, text, parameters)}`;
}

function sayReference(
  catalogue: Catalogue,
  { resource, attribute, count }: { resource: string; attribute: string; count: number },
): string {
  const noun = count === 1 ? singularOf(resource) : resource;
  const text = catalogue.texts[count === 1 ? 'referenced-once' : 'referenced-often']!;
  return fill(catalogue, text, { count, noun, role: attribute });
}

const singularOf = (resource: string): string =>
  resource === 'news' ? 'news item' : resource.replace(/ies$/, 'y').replace(/s$/, '');

/** The place of the reason within a field, from the outside to the inside. */
function beginningOf(catalogue: Catalogue, parameters: Record<string, unknown>): string {
  const { index, filter, member, language, text } = parameters;
  return [
    ...(filter === undefined ? [] : [filter as string]),
    ...(index === undefined
      ? []
      : [fill(catalogue, catalogue.texts.item!, { index: Number(index) + 1 })]),
    ...[member, language, text].filter((part) => part !== undefined),
  ]
    .map((part) => `${catalogue.words[part as string] ?? (part as string)}${catalogue.colon}`)
    .join('');
}

/** Inserts the parameters of a reason into its translation. */
const fill = (catalogue: Catalogue, text: string, parameters: Record<string, unknown>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => show(catalogue, name, parameters[name]));

function show(catalogue: Catalogue, name: string, value: unknown): string {
  const word = (one: unknown): string => catalogue.words[String(one)] ?? String(one);
  if (!Array.isArray(value))
    return isReason(value) ? (translateWith(catalogue, value) ?? value.message) : word(value);
  const words = value.map(word).join(', ');
  return name === 'choices' ? words.replace(/, (?=[^,]*$)/, ` ${catalogue.or} `) : words;
}

const isReason = (value: unknown): value is Reason =>
  typeof value === 'object' && value !== null && 'message' in value;

/** The fault of a field as a sentence. */
export const asSentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');
