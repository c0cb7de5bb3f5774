import { get, query } from '../../api-client/api.js';
import type { Task } from '../../api-client/types.js';
import { useLoad } from '../../api-client/use-load.js';
import { FormProblem } from '../components/form-problem.js';
import { Ready } from '../components/ready.js';
import { ForAssignee } from '../absences/for-person.js';
import { Link } from '../router.js';
import { DueDate } from '../tasks/task-cells.js';
import { useLanguage } from '../translations/i18n.js';
import { useWorkplace } from '../workplace-context.js';
import { TodayCard } from './today-card.js';

/** Number of tasks on the home page. */
const SHOWN = 5;

/** The first tasks of the inbox, next due first. */
export function NextTasks() {
  const { t, problem: explain } = useLanguage();
  const { waiting, tasksRound, problem } = useWorkplace();
  const count = waiting?.count ?? 0;
  const loaded = useLoad(`tasks ${tasksRound}`, (signal) =>
    get<Task[]>(`/api/v2/process/tasks/waiting${query({ range: `0-${SHOWN}` })}`, signal),
  );
  // The shown tasks stay when a reload fails; one sentence on the page says why.
  const kept = loaded.value && { ...loaded, problem: undefined };
  const all = { to: 'tasks', label: t('home.tasks.all', { smart_count: count }) };
  return (
    <TodayCard title={t('inbox.title')} more={count > SHOWN ? all : undefined}>
      {kept && loaded.problem && !problem && <FormProblem text={explain(loaded.problem)} />}
      <Ready loaded={kept ?? loaded}>
        {(tasks) =>
          tasks.length === 0 ? (
            <p className="hint">{t('tasks.empty')}</p>
          ) : (
            <ul className="rows">
              {tasks.map((task) => (
                <li key={task.id} className="row">
                  <span>
                    <Link to={`tasks/${task.id}`} className="task-title">
                      {task.title}
                    </Link>
                    <small>{task.applicationTitle}</small>
                    <ForAssignee task={task} />
                  </span>
                  <DueDate task={task} />
                </li>
              ))}
            </ul>
          )
        }
      </Ready>
    </TodayCard>
  );
}
