import { Inbox, SearchX, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { query } from '../../api-client/api.js';
import { getCountedPage } from '../../api-client/counted-page.js';
import type { InboxFilter, Task } from '../../api-client/types.js';
import { useLoad } from '../../api-client/use-load.js';
import { useLanguage } from '../translations/i18n.js';
import { useDebounced } from '../use-debounced.js';
import { Empty } from '../components/empty.js';
import { Pager } from '../components/pager.js';
import { Ready } from '../components/ready.js';
import { FILTER_PAUSE } from '../list-filter.js';
import { keepQuery } from '../router.js';
import { useWorkplace } from '../workplace-context.js';
import { useKeptPlace } from './use-kept-place.js';
import {
  type ApplicationChoice,
  type Choice,
  filtersOf,
  isFiltered,
  NO_FILTERS,
  PAGE_SIZE,
  readChoice,
  writeChoice,
} from './task-choice.js';
import { choiceIn } from './filter-choice.js';
import { SavedFilters } from './saved-filters.js';
import { useBulk } from './use-bulk.js';
import { TaskFilters } from './task-filters.js';
import { TaskTable } from './task-table.js';
import type { OfferedFilters } from './use-inbox-filters.js';

/** A list of tasks: its address in the API, and its presentation. */
export interface TaskListing {
  /** Its path, without a query. */
  path: string;
  columns: string[];
  /** The default order. */
  sorter: string;
  /** The list reloads when this changes. */
  version?: number;
  /** The applications to choose from, in a list of several. */
  applications?: ApplicationChoice[];
  /** Whether people act on several tasks at once. */
  isSelectable?: boolean;
  /** The saved filters to choose from, in the inbox. */
  saved?: OfferedFilters;
}

/** Filters, table and pages of a list of tasks. */
export function Tasks({
  path,
  columns,
  sorter,
  version = 0,
  applications,
  isSelectable,
  saved,
}: TaskListing) {
  const { t } = useLanguage();
  const { refresh } = useWorkplace();
  const [choice, setChoice] = useState(() => readChoice(location.search));
  // The address keeps the choice, for a reload and for the way back from a task.
  useEffect(() => keepQuery(writeChoice(choice)), [choice]);
  const text = useDebounced(choice.text.trim(), FILTER_PAUSE);
  const asked = { ...choice, text };
  const under = saved && filterUnder(choice, saved);
  const address = (under ? `/api/v2${under.uri}/records` : path) + queryOf(asked);
  const loaded = useLoad(`${version} ${address}`, (signal) =>
    getCountedPage<Task>(address, signal),
  );
  const change = (next: Partial<Choice>) => setChoice({ ...choice, start: 0, ...next });
  const list = useRef<HTMLDivElement>(null);
  const keepPlace = useKeptPlace(list, loaded);
  const renew = () => {
    loaded.reload();
    refresh();
  };
  const changed = (at: number) => {
    keepPlace(at);
    renew();
  };
  const bulk = useBulk(renew);
  // The last page lost its last task; the page before it is now the last.
  const isBehindEnd = loaded.value?.items.length === 0 && choice.start > 0 && !loaded.isBusy;
  useEffect(() => {
    if (isBehindEnd) setChoice((last) => ({ ...last, start: Math.max(0, last.start - PAGE_SIZE) }));
  }, [isBehindEnd]);
  return (
    <>
      {saved && <SavedFilters choice={choice} change={change} saved={saved} />}
      <TaskFilters choice={choice} change={change} applications={applications} />
      {isSelectable && bulk.bar}
      <Ready loaded={loaded}>
        {({ items, total, hasNext }) => (
          <div ref={list} aria-busy={loaded.isBusy}>
            <p className={isFiltered(asked) ? 'matches' : 'unseen'} role="status">
              {total === undefined
                ? t('pager.rows', { from: choice.start + 1, to: choice.start + items.length })
                : t('tasks.count', { smart_count: total })}
            </p>
            {items.length === 0 ? (
              <NoTasks isFiltered={isFiltered(asked)} clear={() => change(NO_FILTERS)} />
            ) : (
              <TaskTable
                columns={columns}
                tasks={items}
                sorter={choice.sorter || sorter}
                sort={(next) => change({ sorter: next })}
                changed={changed}
                selection={isSelectable ? bulk.selection : undefined}
              />
            )}
            <Pager
              start={choice.start}
              shown={items.length}
              size={PAGE_SIZE}
              total={total}
              hasNext={hasNext}
              go={(start) => change({ start })}
            />
          </div>
        )}
      </Ready>
    </>
  );
}

/** The saved filter behind the list if the controls cannot show it; they narrow it further. */
const filterUnder = (choice: Choice, { filters }: OfferedFilters): InboxFilter | undefined =>
  filters.find((filter) => filter.uri === choice.saved && choiceIn(filter) === undefined);

const queryOf = (choice: Choice): string =>
  query({
    range: `${choice.start}-${PAGE_SIZE}`,
    sorter: choice.sorter || undefined,
    filters: filtersOf(choice),
  });

function NoTasks({ isFiltered, clear }: { isFiltered: boolean; clear: () => void }) {
  const { t } = useLanguage();
  if (!isFiltered)
    return <Empty icon={Inbox} title={t('tasks.empty')} hint={t('tasks.empty.hint')} />;
  return (
    <Empty icon={SearchX} title={t('tasks.none')}>
      <button className="button" onClick={clear}>
        <X aria-hidden /> {t('tasks.clear')}
      </button>
    </Empty>
  );
}
