import { ArrowDown, ArrowUp } from 'lucide-react';
import type { Task } from '../../api-client/types.js';
import type { TextKey } from '../translations/en.js';
import { useLanguage } from '../translations/i18n.js';
import { TaskAction, TaskCell } from './task-cells.js';

/** The chosen tasks by id. */
export interface Selection {
  chosen: ReadonlyMap<string, Task>;
  toggle: (task: Task) => void;
}

/** The server cannot sort a list by the title of another object. */
const UNSORTABLE = new Set(['applicationTitle']);

export function TaskTable({
  columns,
  tasks,
  sorter,
  sort,
  changed,
  selection,
}: {
  columns: string[];
  tasks: Task[];
  sorter: string;
  sort: (sorter: string) => void;
  changed: (at: number) => void;
  /** The chosen tasks in a list with multiple selection. */
  selection?: Selection;
}) {
  const { t } = useLanguage();
  const labelOf = (column: string) => t(`column.${column}` as TextKey);
  return (
    <table className="card tasks">
      <thead>
        <tr>
          {selection && (
            <th scope="col">
              <span className="unseen">{t('bulk.choose')}</span>
            </th>
          )}
          {columns.map((column) => (
            <ColumnHeader
              key={column}
              column={column}
              label={labelOf(column)}
              sorter={sorter}
              sort={sort}
            />
          ))}
          <th scope="col">
            <span className="unseen">{t('tasks.action')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {tasks.map((task, at) => (
          <tr key={task.id}>
            {selection && (
              <td data-column="choice">
                {task.status === 'open' && (
                  <label>
                    <input
                      type="checkbox"
                      checked={selection.chosen.has(task.id)}
                      onChange={() => selection.toggle(task)}
                      aria-label={t('bulk.choose.of', { title: task.title })}
                    />
                  </label>
                )}
              </td>
            )}
            {columns.map((column) => (
              <td key={column} data-column={column} data-label={labelOf(column)}>
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

function ColumnHeader({
  column,
  label,
  sorter,
  sort,
}: {
  column: string;
  label: string;
  sorter: string;
  sort: (sorter: string) => void;
}) {
  const { t } = useLanguage();
  if (UNSORTABLE.has(column))
    return (
      <th scope="col" data-plain>
        {label}
      </th>
    );
  const [first] = sorter.split(',');
  const direction =
    first === column ? 'ascending' : first === `-${column}` ? 'descending' : undefined;
  return (
    <th scope="col" aria-sort={direction}>
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
}
