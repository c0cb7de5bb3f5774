import { taskPage } from '../process/tasks/task-page.js';
import { tasks } from '../process/tasks/task.resource.js';
import { ownTasks } from '../process/access/task-visibility.js';
import { translated } from '../resources/attributes/translations-attribute.js';
import { uriOf } from '../resources/uri.js';
import {
  computed,
  displayDate,
  displayOnly,
  integer,
  pageLink,
  quickSearchText,
  READER_LOCALE,
  type SearchDescription,
} from './search-description.js';

const page = computed((id, { basePath }) => taskPage(id, basePath));

/** Tasks that the caller sees as assignee, member, candidate or substitute; for administrators too, as in the inbox. */
export const tasksSearch: SearchDescription = {
  searchName: 'workplace_searchTasks',
  index: 'Tasks',
  resource: tasks,
  visibleTexts: { title: 't.title', quickSearch: ['t.title', 't.reference', 't.description'] },
  baseCondition: 'true',
  visibility: { columns: ['assignee_id', 'group_id'], condition: ownTasks },
  record: {
    ID: displayOnly('t.id'),
    URI: computed((id) => uriOf(tasks.ref.uri, id)),
    REFERENCE: quickSearchText('t.reference'),
    TITLE: quickSearchText('t.title'),
    DESCRIPTION: quickSearchText('t.description'),
    CREATIONDATE: displayDate('t.creation_date'),
    MODIFICATIONDATE: displayDate('t.modification_date'),
    applicationTitle: displayOnly(
      `(SELECT ${translated('a', 'title', READER_LOCALE)} FROM applications a WHERE a.id = t.application_id)`,
    ),
    taskStatus: displayOnly('t.status'),
    priority: integer('t.priority'),
    dueDate: displayDate('t.due_date'),
    HYPERLINK: page,
    link: pageLink(page),
  },
};
