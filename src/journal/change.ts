/**
 * The kind of a changed object: its resource, `favourites`, or `candidates`, whose object is the task of these
 * candidates (docs/decisions/0032, 0041).
 */
export type ChangeKind =
  | 'users'
  | 'organizations'
  | 'groups'
  | 'categories'
  | 'applications'
  | 'views'
  | 'tasks'
  | 'candidates'
  | 'absences'
  | 'sources'
  | 'task-filters'
  | 'documents'
  | 'news'
  | 'faqs'
  | 'customers'
  | 'favourites';

/** A row of the journal: a change of one object that has been committed. */
export interface Change {
  kind: ChangeKind;
  /** The id of the object; null after a TRUNCATE of the table. */
  object: string | null;
  /** The users, groups and organizations whose answers the change affects. */
  principals: string[];
}
