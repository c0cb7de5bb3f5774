import { faultOfText } from '../../http/class-validation.js';
import type { Locale } from '../../security/caller.js';
import { UTF8_BYTES } from './attribute.js';
import { StructuredAttribute } from './structured-attribute.js';

const LANGUAGES: readonly Locale[] = ['de', 'en', 'fr'];

/** Translated texts by the attribute that they translate, by language. */
export type Translations = Partial<Record<Locale, Record<string, string>>>;

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Translations of other attributes of the same object (docs/api-contract.md#translations); neither sorted nor
 * filtered. A representation has it only where there are translations.
 */
export class TranslationsAttribute extends StructuredAttribute {
  /** @param texts the attributes that have translations, with their maximum lengths in characters */
  constructor(private readonly texts: Record<string, number>) {
    super({ omittedWhenBlank: true });
  }

  /** In one order of languages and texts, without blank texts; null when none is left. */
  override toStored(value: unknown): Translations | null {
    const given = value as Json;
    const languages = LANGUAGES.flatMap((language) => {
      const texts = this.filledIn(given[language]);
      return texts.length > 0 ? [[language, Object.fromEntries(texts)] as const] : [];
    });
    return languages.length > 0 ? Object.fromEntries(languages) : null;
  }

  /** An object without translations has none of its languages either. Only known languages become members. */
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
    const texts = Object.entries(this.texts).map(([name, maxLength]) => [
      name,
      { type: 'string', maxLength },
    ]);
    const language = {
      type: 'object',
      properties: Object.fromEntries(texts) as Json,
      additionalProperties: false,
    };
    return {
      type: 'object',
      properties: Object.fromEntries(LANGUAGES.map((name) => [name, language])),
      additionalProperties: false,
    };
  }

  override inputSchema(): Json {
    return { ...this.schema(), type: ['object', 'null'] };
  }

  private filledIn(texts: unknown): [name: string, text: string][] {
    if (!isObject(texts)) return [];
    return Object.keys(this.texts).flatMap((name) => {
      const text = texts[name];
      return typeof text === 'string' && text.trim() !== '' ? [[name, text]] : [];
    });
  }

  protected override faultOf(value: unknown): string | undefined {
    const names = Object.keys(this.texts);
    if (!isObject(value)) return `must be an object such as {"fr":{"${names[0]}":"…"}}`;
    for (const [language, texts] of Object.entries(value)) {
      if (!LANGUAGES.some((known) => known === language))
        return `has an unknown language; known: ${LANGUAGES.join(', ')}`;
      if (texts === null) continue;
      if (!isObject(texts)) return `must have an object of texts in '${language}'`;
      for (const [name, text] of Object.entries(texts)) {
        if (!Object.hasOwn(this.texts, name))
          return `has an unknown text in '${language}'; known: ${names.join(', ')}`;
        const fault = text === null ? undefined : faultOfText(text, this.texts[name]!);
        if (fault !== undefined) return `in '${language}': ${name} ${fault}`;
      }
    }
    return undefined;
  }
}

/** Translations of these attributes, with their maximum lengths. */
export const translations = (texts: Record<string, number>) => new TranslationsAttribute(texts);

/**
 * The SQL of the translation of a text of a row; null where there is none.
 * @param locale SQL of the language
 */
export const translation = (alias: string, column: string, locale: string): string =>
  `(${alias}.translations -> ${locale}::text ->> '${column}')`;

/** The SQL of a text of a row in a language; the text itself where there is no translation. */
export const translated = (alias: string, column: string, locale: string): string =>
  `coalesce(${translation(alias, column, locale)}, ${alias}.${column})`;
