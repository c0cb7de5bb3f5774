import type { MailContent, MailKind, MailValuesOf } from '../mail.js';
import { de } from './de.js';
import { en } from './en.js';
import { fr } from './fr.js';
import type { MailTexts } from './mail-texts.js';

const LANGUAGES = new Map<string, MailTexts>(Object.entries({ de, en, fr }));

/** The content of a mail in the language of a locale; English where there is no translation. */
export const contentOf = <Kind extends MailKind>(
  kind: Kind,
  locale: string,
  values: MailValuesOf[Kind],
): MailContent => (LANGUAGES.get(locale) ?? en)[kind](values);
