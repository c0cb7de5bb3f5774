import {
  ArrowDown,
  ArrowUp,
  ChevronLeft,
  ChevronRight,
  Inbox,
  Search,
  SearchX,
  X,
} from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { get, getPage, query } from '../../api-client/api.js';
import { en, type TextKey } from '../translations/en.js';
import { useLanguage } from '../translations/i18n.js';
import type { Application, Ref, Task, View } from '../../api-client/types.js';
import { useLoad } from '../../api-client/use-load.js';
import { useDebounced } from '../use-debounced.js';
import { Empty } from '../components/empty.js';
import { Page } from '../components/page.js';
import { Ready } from '../components/ready.js';
import { Link, pageOf } from '../router.js';
import { TaskAction, TaskCell } from './task-cells.js';
import { useMe, useWorkplace } from '../workplace-context.js';

const PAGE_SIZE = 25;

/** Rest after a keystroke before the server is asked, in milliseconds. */
const PAUSE = 200;

const MAX_TEXT = 128;
const WEEK = 7 * 86_400_000;

/** The columns of a view that names none, or none that the page can show. */
const USUAL_COLUMNS = ['title', 'priority', 'dueDate', 'assignee', 'status'];

interface Choice {
  text: string;
  due: 'any' | 'overdue' | 'week';
  whom: 'any' | 'me' | 'groups';
  sorter: string;
  start: number;
}

/** The tasks behind a tile: the records of the view that its application names. */
export function TaskListPage({ id }: { id: string }) {
  const { t } = useLanguage();
  const { categories } = useWorkplace();
  const loaded = useLoad(id, async (signal) => {
    const application = await get<Ref & { view: Ref | null }>(
      `/api/v2/navigation/applications/${encodeURIComponent(id)}`,
      signal,
    );
    const view = application.view && (await get<View>(`/api/v2${application.view.uri}`, signal));
    return { application, view };
  });
  const tile = categories
    ?.flatMap(({ applications }) => applications)
    .find((one) => one.id === `/navigation/applications/${id}`);
  const name = loaded.value?.application.label ?? tile?.title;
  return (
    <Page
      name={name ?? t(loaded.problem ? 'missing.title' : 'loading')}
      lead={loaded.value?.view && <p>{loaded.value.view.label}</p>}
      aside={tile && <HelpLink tile={tile} />}
    >
      <Ready loaded={loaded}>
        {({ view }) =>
          view ? (
            <Tasks view={view} count={tile?.indicator?.count} />
          ) : (
            <Empty icon={Inbox} title={t('tasks.no-view')} />
          )
        }
      </Ready>
    </Page>
  );
}

function HelpLink({ tile: { helpLinkJS } }: { tile: Application }) {
  const { t } = useLanguage();
  if (helpLinkJS === '') return null;
  const path = pageOf(helpLinkJS);
  return path === undefined ? (
    <a className="button" href={helpLinkJS}>
      {t('tasks.help')}
    </a>
  ) : (
    <Link className="button" to={path}>
      {t('tasks.help')}
    </Link>
  );
}

/** @param count how many records the view has without further filters, where that is known */
function Tasks({ view, count }: { view: View; count: number | undefined }) {
  const { t } = useLanguage();
  const { me } = useMe();
  const { refresh } = useWorkplace();
  const [choice, setChoice] = useState<Choice>({
    text: '',
    due: 'any',
    whom: 'any',
    sorter: '',
    start: 0,
  });
  const text = useDebounced(choice.text.trim(), PAUSE);
  const address = `/api/v2${view.uri}/records${query({
    range: `${choice.start}-${PAGE_SIZE}`,
    sorter: choice.sorter || undefined,
    filters: filtersOf({ ...choice, text }, me.id),
  })}`;
  const loaded = useLoad(address, (signal) => getPage<Task>(address, signal));
  const isFiltered = text !== '' || choice.due !== 'any' || choice.whom !== 'any';
  const change = (next: Partial<Choice>) => setChoice({ ...choice, start: 0, ...next });
  const list = useRef<HTMLDivElement>(null);
  /** The row where something was done, until another has taken its place. */
  const doneAt = useRef<number>(undefined);
  const changed = (at: number) => {
    doneAt.current = at;
    loaded.reload();
    refresh();
  };
  // Keyboard users keep their place in the list.
  useEffect(() => {
    if (doneAt.current === undefined || loaded.isBusy) return;
    if (document.activeElement === document.body) {
      const buttons = list.current?.querySelectorAll<HTMLElement>('[data-column=action] button');
      const next = buttons?.[Math.min(doneAt.current, buttons.length - 1)];
      (next ?? document.querySelector<HTMLElement>('main h1'))?.focus();
    }
    doneAt.current = undefined;
  }, [loaded.value, loaded.isBusy]);
  // The last page lost its last task; the page before it is now the last.
  const isBehindEnd = loaded.value?.items.length === 0 && choice.start > 0 && !loaded.isBusy;
  useEffect(() => {
    if (isBehindEnd) setChoice((last) => ({ ...last, start: Math.max(0, last.start - PAGE_SIZE) }));
  }, [isBehindEnd]);
  return (
    <>
      <TaskFilters choice={choice} change={change} />
      <Ready loaded={loaded}>
        {({ items, hasNext }) => (
          <div ref={list} aria-busy={loaded.isBusy}>
            <p className="unseen" role="status">
              {t('tasks.count', { smart_count: items.length })}
            </p>
            {items.length === 0 ? (
              <Empty
                icon={isFiltered ? SearchX : Inbox}
                title={t(isFiltered ? 'tasks.none' : 'tasks.empty')}
                hint={isFiltered ? undefined : t('tasks.empty.hint')}
              >
                {isFiltered && (
                  <button
                    className="button"
                    onClick={() => change({ text: '', due: 'any', whom: 'any' })}
                  >
                    <X aria-hidden /> {t('tasks.clear')}
                  </button>
                )}
              </Empty>
            ) : (
              <TaskTable
                columns={columnsOf(view)}
                tasks={items}
                sorter={choice.sorter || (view.sorter ?? '')}
                sort={(sorter) => change({ sorter })}
                changed={changed}
              />
            )}
            <Pager
              start={choice.start}
              shown={items.length}
              total={hasNext ? (isFiltered ? undefined : count) : choice.start + items.length}
              hasNext={hasNext}
              go={(start) => change({ start })}
            />
          </div>
        )}
      </Ready>
    </>
  );
}

/** Filters of the API, on top of the view's own. */
function filtersOf({ text, due, whom }: Choice, userId: string): string[] {
  const before = (time: number) => `dueDate:lt:${new Date(time).toISOString()}`;
  // To the minute, or each rendering would be another address.
  const now = Math.floor(Date.now() / 60_000) * 60_000;
  return [
    ...(text === '' ? [] : [`title:contains:${text.slice(0, MAX_TEXT)}`]),
    ...(due === 'any' ? [] : [before(due === 'week' ? now + WEEK : now)]),
    ...(whom === 'any' ? [] : [whom === 'me' ? `assignee:eq:${userId}` : 'group:isnotempty']),
  ];
}

function columnsOf({ columns }: View): string[] {
  const known = (columns ?? []).filter((name) => `column.${name}` in en);
  if (known.length === 0) return USUAL_COLUMNS;
  // The task itself leads, whatever a view says.
  return ['title', ...known.filter((name) => name !== 'title')];
}

function TaskFilters({
  choice: { text, due, whom },
  change,
}: {
  choice: Choice;
  change: (next: Partial<Choice>) => void;
}) {
  const { t } = useLanguage();
  return (
    <div className="toolbar" role="search" aria-label={t('tasks.filter')}>
      <div className="filter">
        <Search aria-hidden />
        <input
          type="search"
          value={text}
          aria-label={t('tasks.filter')}
          placeholder={t('tasks.filter')}
          onChange={({ target }) => change({ text: target.value })}
        />
      </div>
      <label>
        <span>{t('tasks.due')}</span>
        <select
          value={due}
          onChange={({ target }) => change({ due: target.value as Choice['due'] })}
        >
          {(['any', 'overdue', 'week'] as const).map((one) => (
            <option key={one} value={one}>
              {t(`tasks.due.${one}`)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{t('tasks.for')}</span>
        <select
          value={whom}
          onChange={({ target }) => change({ whom: target.value as Choice['whom'] })}
        >
          {(['any', 'me', 'groups'] as const).map((one) => (
            <option key={one} value={one}>
              {t(`tasks.for.${one}`)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

function TaskTable({
  columns,
  tasks,
  sorter,
  sort,
  changed,
}: {
  columns: string[];
  tasks: Task[];
  sorter: string;
  sort: (sorter: string) => void;
  changed: (at: number) => void;
}) {
  const { t } = useLanguage();
  const [first = ''] = sorter.split(',');
  const directionOf = (column: string) =>
    first === column ? 'ascending' : first === `-${column}` ? 'descending' : undefined;
  return (
    <table className="card tasks">
      <thead>
        <tr>
          {columns.map((column) => {
            const direction = directionOf(column);
            const label = t(`column.${column}` as TextKey);
            return (
              <th key={column} scope="col" aria-sort={direction}>
                <button
                  onClick={() => sort(direction === 'ascending' ? `-${column}` : column)}
                  title={t('tasks.sort', { column: label })}
                >
                  {label}
                  {direction === 'ascending' && <ArrowUp aria-hidden />}
                  {direction === 'descending' && <ArrowDown aria-hidden />}
                </button>
              </th>
            );
          })}
          <th scope="col">
            <span className="unseen">{t('tasks.action')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {tasks.map((task, at) => (
          <tr key={task.id}>
            {columns.map((column) => (
              <td key={column} data-column={column} data-label={t(`column.${column}` as TextKey)}>
                <TaskCell task={task} column={column} />
              </td>
            ))}
            <td data-column="action">
              <TaskAction task={task} changed={() => changed(at)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Pager({
  start,
  shown,
  total,
  hasNext,
  go,
}: {
  start: number;
  shown: number;
  total: number | undefined;
  hasNext: boolean;
  go: (start: number) => void;
}) {
  const { t } = useLanguage();
  if (start === 0 && !hasNext) return null;
  const place = { from: start + 1, to: start + shown };
  const text = total === undefined ? t('tasks.range', place) : t('tasks.page', { ...place, total });
  return (
    <nav className="pager" aria-label={text}>
      <span>{text}</span>
      <button
        className="icon-button"
        aria-label={t('tasks.previous')}
        disabled={start === 0}
        onClick={() => go(Math.max(0, start - PAGE_SIZE))}
      >
        <ChevronLeft aria-hidden />
      </button>
      <button
        className="icon-button"
        aria-label={t('tasks.next')}
        disabled={!hasNext}
        onClick={() => go(start + PAGE_SIZE)}
      >
        <ChevronRight aria-hidden />
      </button>
    </nav>
  );
}
