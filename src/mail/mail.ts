import type { Branding } from '../security/parameters/branding.js';

/** The kinds of mails. */
export type MailKind = 'invitation' | 'password-reset';

/** What a mail says: plain texts without markup. */
export interface MailContent {
  subject: string;
  greeting: string;
  paragraphs: string[];
  /** What the link does, and its address. */
  button: { label: string; address: string };
  /** What recipients do who did not expect the mail. */
  ending: string;
}

/** A mail to one person. */
export interface Mail {
  to: { name: string; address: string };
  locale: string;
  content: MailContent;
  branding: Branding;
  /** The account that it is about, for the audit trail. */
  objectUri: string;
}

/** The values in the texts of a mail. */
export interface MailValues {
  name: string;
  login: string;
  /** The address that its link opens. */
  address: string;
  /** The name of the server, or its host. */
  place: string;
}
