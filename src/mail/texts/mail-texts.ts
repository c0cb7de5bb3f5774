import type { MailContent, MailKind, MailValuesOf } from '../mail.js';

/** The texts of every mail in one language. */
export type MailTexts = { [Kind in MailKind]: (values: MailValuesOf[Kind]) => MailContent };
