import type { Outcome } from '../../api-client/types.js';
import { en, type TextKey } from '../translations/en.js';
import type { Language } from '../translations/i18n.js';

/**
 * What the button of an outcome says: the translation of the engine, or else its label. The common names among those
 * without a label are translated here.
 */
export function outcomeLabel(
  { name, label, translations }: Pick<Outcome, 'name' | 'label' | 'translations'>,
  { t, locale }: Pick<Language, 't' | 'locale'>,
): string {
  const translated = translations?.[locale]?.label;
  if (translated !== undefined) return translated;
  const key = `outcome.${name.toLowerCase()}`;
  return label === name && key in en ? t(key as TextKey) : label;
}

/** The label of the outcome with which a task was closed; its name where the task does not offer it any more. */
export function chosenLabel(
  outcomes: Outcome[] | null,
  name: string,
  language: Pick<Language, 't' | 'locale'>,
): string {
  const chosen = outcomes?.find((outcome) => outcome.name === name);
  return outcomeLabel(chosen ?? { name, label: name }, language);
}
