import { ApiProblem, get, query } from '../../api-client/api.js';
import { useLanguage } from '../translations/i18n.js';
import type { Task } from '../../api-client/types.js';
import { useLoad } from '../../api-client/use-load.js';
import { Details } from '../components/details.js';
import { Page } from '../components/page.js';
import { Ready } from '../components/ready.js';
import { Link, useRouter } from '../router.js';
import { Priority } from './priority.js';
import { ApplicationTitle, DueDate, Status, TaskAction } from './task-cells.js';
import { useWorkplace } from '../workplace-context.js';

/** The pages with tasks: those of an application, and all that wait. */
const TASK_LIST = /^(applications\/[^?]+|tasks)(\?.*)?$/;

/** The list that a task was opened from, else its application's; the inbox for an application that is hidden. */
function listOf(task: Task | undefined, from = ''): string {
  if (TASK_LIST.test(from)) return from;
  return task?.application ? `applications/${task.application.id}` : 'tasks';
}

/** One task, by its id or its reference; digits alone are an id. */
export function TaskPage({ id }: { id: string }) {
  const { t, moment } = useLanguage();
  const { refresh } = useWorkplace();
  const { from } = useRouter();
  const loaded = useLoad(id, async (signal) => {
    const attribute = /^\d+$/.test(id) ? 'id' : 'reference';
    const filters = `${attribute}:eq:${id}`;
    const [task] = await get<Task[]>(`/api/v2/process/tasks${query({ filters })}`, signal);
    if (!task) throw new ApiProblem(404, 'no such task');
    return task;
  });
  const changed = () => {
    loaded.reload();
    refresh();
  };
  const task = loaded.value;
  return (
    <Page
      name={task?.title ?? t('task.kind')}
      list={listOf(task, from)}
      kind={task && t('task.kind')}
      aside={task && <TaskAction task={task} changed={changed} />}
    >
      <Ready loaded={loaded}>
        {(task) => (
          <div className="article">
            {task.description !== null && (
              <div className="card">
                <p className="prose">{task.description}</p>
              </div>
            )}
            <Details
              details={[
                [t('column.status'), <Status key="status" status={task.status} />],
                [t('column.application'), <ApplicationTitle key="application" task={task} />],
                [t('column.dueDate'), task.dueDate && <DueDate task={task} />],
                [t('column.priority'), <Priority key="priority" priority={task.priority} />],
                [
                  t('column.assignee'),
                  task.assignee && (
                    <Link to={`users/${task.assignee.id}`}>{task.assignee.label}</Link>
                  ),
                ],
                [t('column.group'), task.group?.label],
                [t('column.creationDate'), moment(task.creationDate)],
              ]}
            />
          </div>
        )}
      </Ready>
    </Page>
  );
}
