/** Shapes of the public API, as far as the pages use them (docs/integrators.md). */
export interface Ref {
  id: string;
  uri: string;
  reference: string;
  label: string;
}

export type Locale = 'en' | 'fr' | 'de';

export interface User extends Ref {
  login: string;
  firstName: string | null;
  lastName: string;
  nickName: string | null;
  title: string;
  email: string | null;
  phoneNumber: string | null;
  mobilePhoneNumber: string | null;
  userFunction: string | null;
  description: string | null;
  locale: Locale;
  organization: Ref | null;
  manager: Ref | null;
  administrator: boolean;
}

export interface UserDetailed extends User {
  groups: Ref[];
  organizationPath: Ref[];
}

/** An organization in a list. */
export interface Organization extends Ref {
  parent: Ref | null;
  active: boolean;
}

export interface Application {
  id: string;
  title: string;
  reference: string;
  tileColor: string;
  type: string;
  link: string;
  icon: string;
  targetBlank: boolean;
  helpLinkJS: string;
  keywords: string;
  indicator: { type: string; count: number } | null;
  favourite: boolean;
}

export interface Category {
  id: string;
  title: string;
  applications: Application[];
}

export interface View extends Ref {
  columns: string[] | null;
  sorter: string | null;
}

export interface Task extends Ref {
  title: string;
  description: string | null;
  /** Null where the caller may not see it. */
  application: Ref | null;
  applicationTitle: string;
  assignee: Ref | null;
  group: Ref | null;
  /** The engine that put it in. */
  source: Ref | null;
  status: 'open' | 'done' | 'cancelled';
  priority: number;
  dueDate: string | null;
  followUpDate: string | null;
  link: string | null;
  creationDate: string;
  modificationDate: string;
  completionDate: string | null;
  /** The ways to close it; blank where it is simply done. */
  outcomes: Outcome[] | null;
  /** The name of the outcome with which it was closed. */
  outcome: string | null;
  closedBy: Ref | null;
  /** What the engine says about its decision; null where no engine has a say. */
  confirmation: 'pending' | 'confirmed' | 'refused' | null;
  /** Whom the person who closed it stood in for. */
  closedFor: Ref | null;
  /** Who stands in for the assignee now. */
  substitute: Ref | null;
}

/** A way to close a task. */
export interface Outcome {
  name: string;
  label: string;
  commentRequired: boolean;
  confirm: boolean;
  /** Left out where there is none. */
  translations?: Partial<Record<Locale, { label: string }>>;
}

export interface TaskDetailed extends Task {
  /** People and groups who may take it. */
  candidates: Ref[];
  variables: { name: string; label: string; value: unknown }[] | null;
  /** What the person who closed it said, or why its source cancelled it. */
  comment: string | null;
  /** Why the engine has refused the last decision. */
  refusalReason: string | null;
}

/** A file of a task. */
export interface TaskFile {
  id: string;
  name: string;
  /** In bytes. */
  size: number;
  author: Ref | null;
  creationDate: string;
}

/** What happened to a task. */
export interface HistoryEvent {
  kind:
    | 'created'
    | 'decided'
    | 'cancelled'
    | 'reopened'
    | 'confirmed'
    | 'refused'
    | 'claimed'
    | 'released'
    | 'reassigned'
    | 'changed'
    | 'attached'
    | 'detached';
  creationDate: string;
  by: Ref | null;
  onBehalfOf: Ref | null;
  to: Ref | null;
  /** The name of a file. */
  file: string | null;
  outcome: string | null;
  comment: string | null;
}

/** Who stands in for a person who is away. */
export interface Absence extends Ref {
  user: Ref;
  substitute: Ref;
  /** Null for all applications, and where the caller may not see it. */
  application: Ref | null;
  applicationTitle: string | null;
  startDate: string;
  endDate: string;
  creationDate: string;
  /** Whether it has an effect now. */
  active: boolean;
}

/** What somebody said about a task. */
export interface TaskComment {
  id: string;
  author: Ref | null;
  onBehalfOf: Ref | null;
  text: string;
  creationDate: string;
}

/** Why a field is invalid (docs/api-contract.md#reasons). */
export interface InvalidField {
  /** Of an import: the line of the file. */
  line?: number;
  name: string;
  message: string;
  code: string;
  parameters: Record<string, unknown>;
}

/** What became of one of several tasks. */
export interface BulkResult {
  /** Null for a task that the caller does not see. */
  task: Ref | null;
  /** What the call names it by. */
  name: string;
  result: 'done' | 'refused';
  message: string | null;
  reason: string | null;
  parameters: Record<string, unknown>;
  fields: InvalidField[];
}

/** A filter of the inbox that a person has saved. */
export interface TaskFilter extends Ref {
  sharedWith: Ref[];
  sharedWithEveryone: boolean;
}

/** A saved filter as the inbox of the caller offers it. */
export interface InboxFilter {
  uri: string;
  label: string;
  owner: Ref;
  isOwn: boolean;
  isShared: boolean;
  position: number;
  filters: string[];
  filterMode: 'and' | 'or';
  sorter: string | null;
  /** How many of the waiting tasks it matches; null where `problem` says why not. */
  count: number | null;
  problem: { message: string; code: string; parameters: Record<string, unknown> } | null;
}

/** How many tasks wait for the caller, in all, overdue, and by application. */
export interface WaitingCounts {
  count: number;
  overdue: number;
  /** The application is null where the caller may not see it; two of them can have the same title. */
  applications: { application: Ref | null; title: string; count: number }[];
}

/** What documents, news, faqs and customers have in common, and what each kind adds. */
export interface Content extends Ref {
  description: string | null;
  author: Ref | null;
  modificationDate: string;
  [attribute: string]: unknown;
}

export interface PasswordRules {
  length: number;
  lowercase: boolean;
  uppercase: boolean;
  number: boolean;
  'special-char': boolean;
  history: number;
}

/** The person who holds a one-time code. */
export interface CodeHolder {
  login: string;
  title: string;
  locale: Locale;
  expiration: string;
}

export interface ApiKey {
  id: string;
  name: string;
  prefix: string;
  expiration: string | null;
  creationDate: string;
  lastUseDate: string | null;
}

export interface Session {
  id: string;
  creationDate: string;
  expiration: string;
  address: string | null;
  lastUseDate: string | null;
  userAgent: string | null;
}

/** Which mails about tasks a person gets, and which of them the server sends. */
export interface MailSettings {
  digest: boolean;
  reminders: boolean;
  offered: ('digest' | 'reminders')[];
}

/** A record of a search: texts, but for its status and link. */
export type SearchRecord = { ID: string; TITLE: string; HYPERLINK: string } & Record<
  string,
  unknown
>;

/** What one search has found, within the search of everything. */
export interface SearchSection {
  searchName: string;
  match: string;
  data: SearchRecord[];
  searchIndexTop: string;
}

export interface SearchEnvelope<T = SearchRecord> {
  type: 'success' | 'error';
  message?: string;
  data?: T[];
  searchIndexBottom?: string;
  searchIndexTop?: string;
}
