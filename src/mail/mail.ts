import type { Branding } from '../security/parameters/branding.js';

/** The mails about an account: each has a link with a one-time code. */
export type AccountMailKind = 'invitation' | 'password-reset';

/** The mails about tasks (docs/decisions/0045). */
export type TaskMailKind = 'digest' | 'reminder';

/** The kinds of mails. */
export type MailKind = AccountMailKind | TaskMailKind | 'absence';

/** The content of a mail: plain texts without markup. */
export interface MailContent {
  subject: string;
  greeting: string;
  paragraphs: string[];
  lists?: MailList[];
  /** The sentence about tasks that the lists leave out. */
  more?: string;
  /** What the link does, and its address. */
  button: { label: string; address: string };
  /** Advice for recipients who did not expect the mail, or the reason why they get it. */
  ending: string;
  /** The address at which people and mail programs stop mails of this kind (RFC 8058). */
  stop?: { label: string; address: string };
}

/** Links under a heading. */
export interface MailList {
  heading: string;
  items: { title: string; details: string; address: string }[];
}

/** A mail to one person. */
export interface Mail {
  to: { name: string; address: string };
  locale: string;
  content: MailContent;
  branding: Branding;
  /** The account of the mail, for the audit trail. */
  objectUri: string;
}

/** The values in the texts of a mail about an account. */
export interface MailValues {
  name: string;
  login: string;
  /** The address that its link opens. */
  address: string;
  /** The name of the server, or its host. */
  place: string;
}

/** The values in the texts of the mail to people about their absence (docs/decisions/0044). */
export interface AbsenceMailValues {
  name: string;
  place: string;
  /** The name of the substitute. */
  substitute: string;
  /** Moments in the recipient's language and format. */
  start: string;
  end: string;
  /** The title of the application whose tasks the absence is for; null for all tasks. */
  application: string | null;
  /** The address of the page on which the recipient ends it. */
  address: string;
}

/** A task in a mail. */
export interface MailedTask {
  title: string;
  application: string;
  /** In the recipient's language and format; null without a due date. */
  due: string | null;
  /** The address of its page. */
  address: string;
}

/** The tasks of one kind: the first of them, and the number of all. */
export interface MailedTasks {
  count: number;
  tasks: MailedTask[];
}

/** The values in the texts of a mail about tasks. */
export interface TaskMailValues<Part extends string> {
  name: string;
  place: string;
  parts: Record<Part, MailedTasks>;
  /** The address of the inbox. */
  inbox: string;
  /** The address under which the recipient stops mails of this kind. */
  stop: string;
}

/** The parts of a digest, in their order. */
export const DIGEST_PARTS = ['overdue', 'today', 'new'] as const;
export type DigestPart = (typeof DIGEST_PARTS)[number];

/** The reminders that a task may get, in the order in which a mail lists them. */
export const REMINDERS = ['overdue', 'due-soon'] as const;
export type Reminder = (typeof REMINDERS)[number];

/** The values in the texts of each kind. */
export interface MailValuesOf {
  invitation: MailValues;
  'password-reset': MailValues;
  absence: AbsenceMailValues;
  digest: TaskMailValues<DigestPart>;
  reminder: TaskMailValues<Reminder>;
}
