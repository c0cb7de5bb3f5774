import type { Locale, Ref } from '../../api-client/types.js';

/** An object of the main API with translations of its texts. */
export interface Translated extends Ref {
  translations?: Partial<Record<Locale, Record<string, string>>>;
}

/**
 * The translation of the text that is the object's label; the label itself where there is none.
 * @param text the attribute of which the label is a copy
 */
export const textIn = (object: Translated, text: string, locale: Locale): string =>
  object.translations?.[locale]?.[text] ?? object.label;
