import type { Locale, Ref } from '../../api-client/types.js';

/** An object of the main API with translations of its texts. */
export interface Translated extends Ref {
  translations?: Partial<Record<Locale, Record<string, string>>>;
}

/**
 * The translation of the object's label, or else the label itself.
 * @param text the attribute that the label copies
 */
export const textIn = (object: Translated, text: string, locale: Locale): string =>
  object.translations?.[locale]?.[text] ?? object.label;
