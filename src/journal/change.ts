/**
 * What the journal calls a changed object: its resource, `favourites`, or `candidates` with the task that its principals
 * may take (docs/decisions/0032, 0041).
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
  /** The id of the object; null where the whole table was emptied. */
  object: string | null;
  /** The users, groups and organizations whose own view of things the change affects. */
  principals: string[];
}
