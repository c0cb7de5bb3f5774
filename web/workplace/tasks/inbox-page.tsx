import { useLanguage } from '../translations/i18n.js';
import { Page } from '../components/page.js';
import { useWorkplace } from '../workplace-context.js';
import { applicationChoices } from './task-choice.js';
import { Tasks } from './tasks.js';
import { useInboxFilters } from './use-inbox-filters.js';
import { WaitingSentence } from './waiting-sentence.js';

const COLUMNS = ['title', 'applicationTitle', 'dueDate', 'priority', 'assignee'];

/** All tasks that wait for the person or the person's groups, of all applications. */
export function InboxPage() {
  const { t } = useLanguage();
  const { waiting } = useWorkplace();
  const saved = useInboxFilters();
  return (
    <Page
      name={t('inbox.title')}
      lead={
        waiting && (
          <p>
            <WaitingSentence waiting={waiting} />
          </p>
        )
      }
    >
      <Tasks
        path="/api/v2/process/tasks/waiting"
        columns={COLUMNS}
        isSelectable
        saved={saved}
        sorter="dueDate"
        version={waiting?.count}
        applications={applicationChoices(waiting?.applications ?? [])}
      />
    </Page>
  );
}
