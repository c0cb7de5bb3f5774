import type { Outcome } from '../../api-client/types.js';
import { en, type TextKey } from '../translations/en.js';
import type { Translate } from '../translations/i18n.js';

/**
 * What the button of an outcome says. Engines give most outcomes a label; the common names among those without one are
 * translated.
 */
export function outcomeLabel({ name, label }: Pick<Outcome, 'name' | 'label'>, t: Translate) {
  const key = `outcome.${name.toLowerCase()}`;
  return label === name && key in en ? t(key as TextKey) : label;
}

/** The label of the outcome with which a task was closed; its name where the task does not offer it any more. */
export function chosenLabel(outcomes: Outcome[] | null, name: string, t: Translate): string {
  const chosen = outcomes?.find((outcome) => outcome.name === name);
  return outcomeLabel(chosen ?? { name, label: name }, t);
}
