import type { Outcome } from '../../api-client/types.js';
import { en, type TextKey } from '../translations/en.js';
import type { Language } from '../translations/i18n.js';

/**
 * The text of an outcome's button: the engine's translation, or else its label. The page translates common names
 * without a label.
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

/** The label of the outcome with which a task was closed; its name if the task no longer offers it. */
export function chosenLabel(
  outcomes: Outcome[] | null,
  name: string,
  language: Pick<Language, 't' | 'locale'>,
): string {
  const chosen = outcomes?.find((outcome) => outcome.name === name);
  return outcomeLabel(chosen ?? { name, label: name }, language);
}
