import { faultOfText, isBlank } from '../../base/validation/class-validation.js';
import type { Locale } from '../../security/caller.js';
import { UTF8_BYTES } from './attribute.js';
import { StructuredAttribute } from './structured-attribute.js';
import { type Reason, reason } from '../../base/errors/reason.js';

const LANGUAGES: readonly Locale[] = ['de', 'en', 'fr'];

/** Translated texts by the attribute that they translate, by language. */
export type Translations = Partial<Record<Locale, Record<string, string>>>;

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Texts that have translations, with their maximum lengths in characters. */
type Texts = Record<string, number>;

/** The fault of translations in a body; undefined without one. */
export function faultOfTranslations(texts: Texts, value: unknown): Reason | undefined {
  const names = Object.keys(texts);
  if (!isObject(value))
    return reason('bad-translations', { example: `{"fr":{"${names[0]}":"…"}}` });
  for (const [language, given] of Object.entries(value)) {
    if (!LANGUAGES.some((known) => known === language))
      return reason('unknown-language', { known: LANGUAGES });
    if (given === null) continue;
    if (!isObject(given)) return reason('bad-texts', { locale: language });
    for (const [name, text] of Object.entries(given)) {
      if (!Object.hasOwn(texts, name))
        return reason('unknown-text', { locale: language, known: names });
      const fault = text === null ? undefined : faultOfText(text, texts[name]!);
      if (fault !== undefined) return fault.at({ language, text: name });
    }
  }
  return undefined;
}

/** Translations in canonical order, without blank texts; null when none is left. */
export function storedTranslations(texts: Texts, value: unknown): Translations | null {
  const given = value as Json;
  const languages = LANGUAGES.flatMap((language) => {
    const filled = filledIn(texts, given[language]);
    return filled.length > 0 ? [[language, Object.fromEntries(filled)] as const] : [];
  });
  return languages.length > 0 ? Object.fromEntries(languages) : null;
}

function filledIn(texts: Texts, given: unknown): [name: string, text: string][] {
  if (!isObject(given)) return [];
  return Object.keys(texts).flatMap((name) => {
    const text = given[name];
    return typeof text === 'string' && !isBlank(text) ? [[name, text]] : [];
  });
}

/** The JSON schema of translations. */
export function translationsSchema(texts: Texts): Json {
  const properties = Object.entries(texts).map(([name, maxLength]) => [
    name,
    { type: 'string', maxLength },
  ]);
  const language = {
    type: 'object',
    properties: Object.fromEntries(properties) as Json,
    additionalProperties: false,
  };
  return {
    type: 'object',
    properties: Object.fromEntries(LANGUAGES.map((name) => [name, language])),
    additionalProperties: false,
  };
}

/**
 * Translations of other attributes of the same object (docs/api-contract.md#translations); neither sorted nor filtered.
 * Only representations with translations have it.
 */
export class TranslationsAttribute extends StructuredAttribute {
  constructor(private readonly texts: Texts) {
    super({ omittedWhenBlank: true });
  }

  override get translates(): string[] {
    return Object.keys(this.texts);
  }

  override toStored(value: unknown): Translations | null {
    return storedTranslations(this.texts, value);
  }

  /** A patch may add a text to a language that has no object yet. Only known languages become members. */
  override addParents(document: Json, [language, text]: string[]): void {
    if (language === undefined) return;
    const languages = (document[this.name] ??= {});
    const known = LANGUAGES.find((name) => name === language);
    if (text !== undefined && known !== undefined && isObject(languages)) languages[known] ??= {};
  }

  override get maxBytes(): number {
    const characters = Object.values(this.texts).reduce((sum, max) => sum + max, 0);
    return LANGUAGES.length * characters * UTF8_BYTES;
  }

  override schema(): Json {
    return translationsSchema(this.texts);
  }

  override inputSchema(): Json {
    return { ...this.schema(), type: ['object', 'null'] };
  }

  protected override faultOf(value: unknown): Reason | undefined {
    return faultOfTranslations(this.texts, value);
  }
}

/** Translations of these attributes, with their maximum lengths. */
export const translations = (texts: Texts) => new TranslationsAttribute(texts);

/** A text of a row in a language; the text itself where there is no translation. */
export const translatedText = (
  text: unknown,
  name: string,
  translations: unknown,
  locale: Locale,
): unknown => (translations as Translations | null | undefined)?.[locale]?.[name] ?? text;

/**
 * The SQL of the translation of a text of a row; null where there is none.
 * @param locale SQL of the language
 */
export const translation = (alias: string, column: string, locale: string): string =>
  `(${alias}.translations -> ${locale}::text ->> '${column}')`;

/** The SQL of a text of a row in a language; the text itself where there is no translation. */
export const translated = (alias: string, column: string, locale: string): string =>
  `coalesce(${translation(alias, column, locale)}, ${alias}.${column})`;
