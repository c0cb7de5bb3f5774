import { customers } from '../content/customer.resource.js';
import { documents } from '../content/document.resource.js';
import { faqs } from '../content/faq.resource.js';
import { news } from '../content/news.resource.js';
import { groups } from '../directory/group.resource.js';
import { organizations } from '../directory/organization.resource.js';
import { users } from '../directory/user.resource.js';
import { applications } from '../process/applications/application.resource.js';
import { categories } from '../process/applications/category.resource.js';
import { tasks } from '../process/tasks/task.resource.js';
import { views } from '../process/tiles/view.resource.js';
import type { Resource } from '../resources/resource.js';

/** The resources in the feed, in the order of its full listing. Cursors name them by their index. */
export const KINDS: readonly Resource[] = [
  users,
  groups,
  organizations,
  categories,
  applications,
  views,
  tasks,
  documents,
  news,
  faqs,
  customers,
];
