import type { MailContent, MailKind, MailValues } from '../mail.js';

/** The texts of every mail in one language. */
export type MailTexts = Record<MailKind, (values: MailValues) => MailContent>;
