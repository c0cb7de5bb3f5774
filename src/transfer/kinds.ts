/** The kinds of objects that can be imported and exported, in an order in which their links resolve. */
export const KINDS = [
  'organizations',
  'groups',
  'users',
  'categories',
  'applications',
  'views',
  'sources',
  'tasks',
  'documents',
  'news',
  'faqs',
  'customers',
] as const;
